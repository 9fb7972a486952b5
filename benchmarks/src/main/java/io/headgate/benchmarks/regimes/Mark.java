package io.headgate.benchmarks.regimes;

import io.headgate.benchmarks.measure.NoiseFloor;

/** What more workers did, beside the next smaller number of them. */
enum Mark {
  /** More jobs are done. */
  HELPS("helps"),
  /** Fewer jobs are done. */
  LOSES("**loses**"),
  /** As many are done, but each takes longer inside: the queue stands elsewhere now. */
  MOVES("moves the queue"),
  /** Nothing that the noise would not do. */
  NONE("none");

  private final String words;

  Mark(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /**
   * Judges a step.
   *
   * @param rate jobs per second, beside those of the smaller number
   * @param inside the median time in the handler, likewise
   */
  static Mark of(double rate, double inside, NoiseFloor noise) {
    return switch (noise.judge(rate)) {
      case AHEAD -> HELPS;
      case BEHIND -> LOSES;
      case NONE -> noise.judge(inside) == NoiseFloor.Verdict.AHEAD ? MOVES : NONE;
    };
  }
}
