package io.headgate.benchmarks.soak;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The ledger at one instant.
 *
 * @param callers how many submits were told that they were accepted
 */
record Moment(
    long callers,
    long accepted,
    long completed,
    long failed,
    long interrupted,
    long unstarted,
    long unfinished,
    long refused) {

  static Moment of(Answers answers, String name) {
    return new Moment(
        answers.whole(name + ".callers"),
        answers.whole(name + ".accepted"),
        answers.whole(name + ".completed"),
        answers.whole(name + ".failed"),
        answers.whole(name + ".interrupted"),
        answers.whole(name + ".unstarted"),
        answers.whole(name + ".unfinished"),
        answers.whole(name + ".refused"));
  }

  /** What does not add up. */
  List<String> faults(String when) {
    List<String> faults = new ArrayList<>();
    if (accepted != completed + failed + interrupted + unstarted + unfinished) {
      faults.add(when + " the equation does not hold: " + this);
    }
    if (accepted != callers) {
      faults.add(when + " callers were told of other admissions: " + this);
    }
    return faults;
  }

  Object[] cells(int seconds, double live) {
    return new Object[] {
      seconds,
      accepted,
      completed,
      failed,
      interrupted,
      unstarted,
      unfinished,
      refused,
      String.format(Locale.ROOT, "%,.0f", live)
    };
  }

  Row row(String when) {
    return Row.of("Headgate", "this tree", "W 4, Q 64, shedOldest, history 100, 2 ms, 2 × load")
        .with("when", when)
        .with("accepted", accepted)
        .with("completed", completed)
        .with("failed", failed)
        .with("interrupted", interrupted)
        .with("unstarted", unstarted)
        .with("unfinished", unfinished)
        .with("refused", refused);
  }
}
