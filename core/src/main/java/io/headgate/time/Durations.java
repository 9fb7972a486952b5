package io.headgate.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Turns the durations that users give into nanoseconds and readings of a ticker by one rule. */
public final class Durations {

  private Durations() {}

  /**
   * Returns {@code duration} in nanoseconds, at most {@link Long#MAX_VALUE}, which means for ever.
   *
   * @param what the name of the argument, for the message
   * @throws IllegalArgumentException if {@code duration} is negative
   */
  public static long nanos(String what, Duration duration) {
    requireNonNull(duration, what);
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          what + " is " + duration + ", but it must be zero (do not wait) or positive");
    }
    return TimeUnit.NANOSECONDS.convert(duration);
  }

  /**
   * Returns the reading {@code nanos} after {@code now}; for ever is half the range of readings.
   */
  public static long deadline(long now, long nanos) {
    return now + Math.min(nanos, Long.MAX_VALUE >> 1);
  }

  /** Returns the earlier of two readings, which may lie on both sides of an overflow. */
  public static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
