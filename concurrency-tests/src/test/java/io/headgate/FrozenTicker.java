package io.headgate;

import io.headgate.time.Ticker;
import java.util.concurrent.locks.LockSupport;

/** Time that never passes: whoever waits must be woken, or the scenario hangs. */
enum FrozenTicker implements Ticker {
  INSTANCE;

  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (nanos > 0) {
      LockSupport.park(blocker);
    }
  }
}
