package io.headgate.limit;

/**
 * Decides when a sign of overload lowers a limit. Of all calls that were in flight together the
 * first sign lowers it and the others say the same once more; a call that began after that says
 * something new, however quickly it ended. Not thread-safe.
 */
final class Backoff {
  private final double factor;
  private final int floor;
  private boolean lowered;
  private long loweredAt;

  Backoff(double factor, int floor) {
    this.factor = factor;
    this.floor = floor;
  }

  double lower(double limit, long rttNanos, long now) {
    long began = now - rttNanos;
    if (lowered && began - loweredAt < 0) {
      return limit;
    }
    lowered = true;
    loweredAt = now;
    return Math.max(floor, limit * factor);
  }
}
