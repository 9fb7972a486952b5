package io.headgate.jdbc;

/** Sums of times of the store's clock, which saturate. */
final class Times {

  private Times() {}

  /** The time {@code nanos} after {@code time}; never, if that is beyond all times. */
  static long after(long time, long nanos) {
    if (nanos >= JobRow.NEVER - Math.max(0, time)) {
      return JobRow.NEVER;
    }
    return time + nanos;
  }
}
