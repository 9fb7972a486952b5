package io.headgate.benchmarks.guard;

import io.headgate.benchmarks.core.EngineKind;
import io.headgate.benchmarks.measure.Answers;

/** The best of both sides, in jobs per second, as the pairs come in. */
final class Race {

  private static final Budget.Best NONE = new Budget.Best(0, 0);

  private Budget.Best ours = NONE;
  private Budget.Best theirs = NONE;

  private int oursTried;
  private int theirsTried;

  void add(EngineKind kind, Answers answers) {
    double one = answers.number("rate.1x2");
    double four = answers.number("rate.4x2");
    if (kind == EngineKind.HEADGATE) {
      ours = ours.and(one, four);
      oursTried++;
    } else {
      theirs = theirs.and(one, four);
      theirsTried++;
    }
  }

  /** How often the side that was tried less was tried. */
  int tried() {
    return Math.min(oursTried, theirsTried);
  }

  double ratio() {
    return Budget.ratio(ours, theirs);
  }

  double one() {
    return ours.one() / theirs.one();
  }

  double four() {
    return ours.four() / theirs.four();
  }
}
