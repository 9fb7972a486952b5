package io.headgate;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Refusals that say when to come again, made in advance: for each reason that a later try can help
 * against, one for each of 64 times from a millisecond to ten minutes, each longer than the one
 * before by the same factor.
 */
final class RetryAfter {

  static final int STEPS = 64;

  private static final double FIRST_NANOS = 1e6;
  private static final double LAST_NANOS = 600e9;
  private static final long[] NANOS = new long[STEPS];
  private static final Admission.Refused[][] REFUSALS = new Admission.Refused[Reason.COUNT][];

  static {
    for (int i = 0; i < STEPS; i++) {
      double factor = Math.pow(LAST_NANOS / FIRST_NANOS, (double) i / (STEPS - 1));
      NANOS[i] = Math.round(FIRST_NANOS * factor);
    }
    Admission.Refused[] none = {};
    Arrays.fill(REFUSALS, none);
    for (Reason reason : Reason.values()) {
      if (reason.retryCanHelp()) {
        REFUSALS[index(reason)] =
            Arrays.stream(NANOS)
                .mapToObj(n -> new Admission.Refused(reason, Optional.of(Duration.ofNanos(n))))
                .toArray(Admission.Refused[]::new);
      }
    }
  }

  private RetryAfter() {}

  @SuppressWarnings("EnumOrdinal") // an index into this class's own array, never stored
  private static int index(Reason reason) {
    return reason.ordinal();
  }

  /** The first step that is not below {@code nanos}, or the last. */
  static int stepFor(double nanos) {
    int low = 0;
    int high = STEPS - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (NANOS[middle] < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The refusal of a step, or of the last one where there is no such; allocates nothing. */
  static Admission.Refused refusal(Reason reason, int step) {
    return REFUSALS[index(reason)][Math.min(step, STEPS - 1)];
  }
}
