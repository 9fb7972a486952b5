package io.headgate.backlog;

import io.headgate.time.Ticker;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Real time that holds chosen threads between the end of their park and what they do next. */
final class HoldingTicker implements Ticker {

  private final Semaphore permits = new Semaphore(0);
  private final AtomicInteger parks = new AtomicInteger();
  private final Set<Thread> held = ConcurrentHashMap.newKeySet();

  void holdThisThread() {
    held.add(Thread.currentThread());
  }

  void letGo() {
    held.clear();
    permits.release(1_000);
  }

  /** How often anybody went to park. */
  int parks() {
    return parks.get();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    parks.incrementAndGet();
    LockSupport.parkNanos(blocker, nanos);
    if (held.contains(Thread.currentThread())) {
      permits.acquireUninterruptibly();
    }
  }
}
