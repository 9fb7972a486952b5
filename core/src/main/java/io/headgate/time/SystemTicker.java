package io.headgate.time;

import java.util.concurrent.locks.LockSupport;

/** The machine's own monotonic clock. */
enum SystemTicker implements Ticker {
  INSTANCE;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (nanos == Long.MAX_VALUE) {
      LockSupport.park(blocker);
    } else {
      LockSupport.parkNanos(blocker, nanos);
    }
  }
}
