package io.headgate.benchmarks.memory;

import io.headgate.benchmarks.measure.Answers;
import java.util.ArrayList;
import java.util.List;

/**
 * One cell of the matrix.
 *
 * @param width characters of each full message
 * @param cap characters kept of it, or {@link #ALL}
 * @param history outcomes kept, or {@link #ALL}
 */
record Case(int width, int cap, int history) {

  /** No limit. */
  static final int ALL = -1;

  /** Failing jobs of a trial. */
  static final int JOBS = 1_000;

  /** Jobs that may wait. */
  static final int CAPACITY = 16;

  static final List<Integer> WIDTHS = List.of(128, 1_024, 4_096);
  static final List<Integer> CAPS = List.of(ALL, 128, 0);
  static final List<Integer> HISTORIES = List.of(0, 100, ALL);

  static String limit(int number) {
    return number == ALL ? "unlimited" : Integer.toString(number);
  }

  String name() {
    return width + " " + limit(cap) + " " + limit(history);
  }

  /**
   * What is wrong with a trial's answers, so that nothing it left out can pass for memory saved:
   * the full messages were built, every job was processed and has its outcome, and what is kept has
   * the number, the length and the marks that the limits ask for.
   */
  List<String> faults(Answers answers) {
    long kept = history == ALL ? JOBS : Math.min(history, JOBS);
    long length = cap == ALL ? width : Math.min(cap, width);
    boolean cut = cap != ALL && cap < width;
    List<String> faults = new ArrayList<>();
    expect(faults, answers, "checksum", Message.checksum(JOBS, width));
    expect(faults, answers, "processed", JOBS);
    expect(faults, answers, "accepted", JOBS);
    expect(faults, answers, "failed", JOBS);
    expect(faults, answers, "otherOutcomes", 0);
    expect(faults, answers, "kept", kept);
    expect(faults, answers, "omitted", JOBS - kept);
    expect(faults, answers, "keptChars", kept * length);
    expect(faults, answers, "keptTruncated", cut ? kept : 0);
    return faults;
  }

  private void expect(List<String> faults, Answers answers, String name, Object expected) {
    String found = answers.text(name);
    if (!found.equals(expected.toString())) {
      faults.add("%s: %s is %s, not %s".formatted(name(), name, found, expected));
    }
  }
}
