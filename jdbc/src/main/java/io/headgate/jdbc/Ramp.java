package io.headgate.jdbc;

/**
 * How many jobs may run while claims ramp up after a recovery or an outage, so that what was missed
 * does not come back in one burst: one at first, one more for each that ends, and twice as many
 * after each interval. Guarded by the lock of the desk.
 */
final class Ramp {

  static final long INTERVAL_NANOS = 100_000_000;

  private int limit = Integer.MAX_VALUE;

  void restart() {
    limit = 1;
  }

  void jobEnded(int concurrency) {
    grow(1, concurrency);
  }

  void intervalPassed(int concurrency) {
    grow(limit, concurrency);
  }

  private void grow(int by, int concurrency) {
    if (isActive()) {
      limit += by;
      if (limit >= concurrency) {
        limit = Integer.MAX_VALUE;
      }
    }
  }

  boolean isActive() {
    return limit != Integer.MAX_VALUE;
  }

  int limit() {
    return limit;
  }
}
