package io.headgate.benchmarks.guard;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import java.util.Optional;

/**
 * What the guard lets pass, as pure decisions on numbers.
 *
 * <p>Ratios are taken pair by pair, and the middle of them counts, as everywhere in these
 * benchmarks: a machine that is slower for some seconds is so for both sides of a pair.
 *
 * <p>Only pairs count in which others left the CPUs alone. On a machine that is never quiet the
 * ratio says nothing and is not judged, only told: two processes that share a CPU with a third are
 * not slowed alike, for one that holds a lock while it is put aside stops its own threads too. A
 * guard must not cry wolf; the differences that it misses show in {@code ./bench core}.
 */
final class Budget {

  static final double MOST_GARBAGE = 40;

  /** A counter of bytes moves in whole objects, the smallest of which takes 16 bytes. */
  static final double MOST_PER_REFUSAL = 0.5;

  static final double MOST_GROWTH = 0.05;
  static final double LEAST_RATIO = 1.0;

  /** Pairs that must have been quiet on both sides. */
  static final int LEAST_QUIET = 5;

  /** A loss is found in an engine that is none once in this many builds. */
  private static final int FALSE_ALARM = 20;

  /** A machine on which others use more than this share of the CPUs is not quiet. */
  static final double MOST_OTHERS = 0.1;

  private Budget() {}

  /** Bytes per job beyond the caller's own job. */
  static Optional<String> garbage(double bytes) {
    return failed(
        bytes > MOST_GARBAGE, "garbage per job is %.1f B, above %.0f", bytes, MOST_GARBAGE);
  }

  /** Bytes per refusal. */
  static Optional<String> refusal(String reason, double bytes) {
    return failed(bytes > MOST_PER_REFUSAL, "a refusal %s allocates %.1f B", reason, bytes);
  }

  /** Bytes of a worker and its report. */
  static Optional<String> retained(String name, double bytes, double recorded) {
    return failed(
        bytes > recorded * (1 + MOST_GROWTH),
        "retained bytes of %s are %.0f, more than 5 %% above the recorded %.0f",
        name,
        bytes,
        recorded);
  }

  /**
   * Ours beside the executor that does the same work: the geometric mean of one and of four
   * producers. With four the two are as fast as each other within the noise, so that alone would
   * fail every other build; the mean falls below one as soon as either is lost and the other not
   * gained.
   */
  static double ratio(double one, double four) {
    return Math.sqrt(one * four);
  }

  /**
   * The race is lost where the ratio is below one and the pairs say so by more than chance: a
   * machine for which two runs of one engine differ by a half would otherwise fail every third
   * build. It is the sign test: as many pairs below one come from equal engines once in twenty
   * times or less.
   *
   * @param ratio of the medians
   * @param below pairs in which ours did less
   * @param pairs all that count
   */
  static Optional<String> core(double ratio, int below, int pairs) {
    return failed(
        !(ratio >= LEAST_RATIO) && FALSE_ALARM * chance(below, pairs) <= 1,
        "jobs per second beside the executor: %.2f, below 1, and so in %d of %d pairs",
        ratio,
        below,
        pairs);
  }

  /** How often a fair coin, thrown {@code throwsOfIt} times, shows {@code heads} or more. */
  private static double chance(int heads, int throwsOfIt) {
    double ways = 1;
    double sum = 0;
    for (int n = 0; n <= throwsOfIt; n++) {
      sum += n >= heads ? ways : 0;
      ways = ways * (throwsOfIt - n) / (n + 1);
    }
    return sum / Math.pow(2, throwsOfIt);
  }

  @FormatMethod
  private static Optional<String> failed(
      boolean failed, @FormatString String words, Object... values) {
    return failed ? Optional.of(String.format(Locale.ROOT, words, values)) : Optional.empty();
  }
}
