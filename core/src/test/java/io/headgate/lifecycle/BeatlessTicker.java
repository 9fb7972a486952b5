package io.headgate.lifecycle;

import io.headgate.time.Ticker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A clock whose first sleeper does not come back until it is let go, as if its thread hung. */
final class BeatlessTicker implements Ticker {

  volatile long now;
  private final CountDownLatch letGo;
  private final CountDownLatch parked = new CountDownLatch(1);

  BeatlessTicker(CountDownLatch letGo) {
    this.letGo = letGo;
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    parked.countDown();
    while (letGo.getCount() > 0) {
      LockSupport.park(letGo);
      try {
        letGo.await();
      } catch (InterruptedException e) {
        return;
      }
    }
    LockSupport.parkNanos(blocker, Math.min(nanos, 1_000_000));
  }

  void awaitParked() throws InterruptedException {
    parked.await();
  }
}
