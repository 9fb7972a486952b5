package io.headgate.benchmarks.regimes;

/**
 * Work for a CPU, in turns that were counted once on a free one. A loop until some time is over
 * would not do: it ends as early on a CPU that it had to share.
 */
final class Computing {

  private static final int TURNS = 200_000;
  private static final int TRIES = 1_000;

  private static volatile long kept;

  private final double turnsPerMicro;

  private Computing(double turnsPerMicro) {
    this.turnsPerMicro = turnsPerMicro;
  }

  static Computing calibrated() {
    double best = 0;
    for (int i = 0; i < TRIES; i++) {
      long start = System.nanoTime();
      turn(TURNS);
      best = Math.max(best, TURNS * 1e3 / (System.nanoTime() - start));
    }
    return new Computing(best);
  }

  void micros(int micros) {
    turn((int) (micros * turnsPerMicro));
  }

  private static void turn(int turns) {
    long value = kept;
    for (int i = 0; i < turns; i++) {
      value = value * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
    }
    kept = value;
  }
}
