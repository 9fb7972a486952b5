package io.headgate.testing;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A ticker that stands still until a test moves it. Thread-safe.
 *
 * <p>Threads that wait on it really park; {@link #advance} unparks those whose time has come and
 * returns without waiting for them. {@link #awaitWaiters} tells a test that the threads it wants to
 * wake have gone to wait, so that no test needs to sleep.
 */
public final class ManualTicker implements Ticker {

  private record Waiter(Thread thread, long deadline, boolean unlimited) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Waiter> waiters = new ArrayList<>();
  private long now;

  private ManualTicker(long start) {
    this.now = start;
  }

  /** Returns a ticker that stands at zero. */
  public static ManualTicker create() {
    return new ManualTicker(0);
  }

  /** Returns a ticker that stands at {@code nanos}, which may be negative or about to wrap. */
  public static ManualTicker startingAt(long nanos) {
    return new ManualTicker(nanos);
  }

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Moves the time forward and lets those who waited for it go on.
   *
   * @throws IllegalArgumentException if {@code by} is negative: this clock is monotonic
   */
  public void advance(Duration by) {
    long nanos = Durations.nanos("by", by);
    lock.lock();
    try {
      now += nanos;
      waiters.stream().filter(this::isDue).map(Waiter::thread).forEach(LockSupport::unpark);
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many threads wait for this clock now, with or without a limit. */
  public int waiters() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits in real time until at least {@code count} threads wait for this clock.
   *
   * @return whether that came within {@code patience}
   * @throws InterruptedException if interrupted while waiting
   */
  public boolean awaitWaiters(int count, Duration patience) throws InterruptedException {
    long left = Durations.nanos("patience", patience);
    lock.lock();
    try {
      while (waiters.size() < count) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (nanos <= 0) {
      return;
    }
    Waiter self;
    lock.lock();
    try {
      self =
          new Waiter(
              Thread.currentThread(), Durations.deadline(now, nanos), nanos == Long.MAX_VALUE);
      waiters.add(self);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      if (!isDueNow(self)) {
        LockSupport.park(blocker);
      }
    } finally {
      lock.lock();
      try {
        waiters.remove(self);
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean isDueNow(Waiter waiter) {
    lock.lock();
    try {
      return isDue(waiter);
    } finally {
      lock.unlock();
    }
  }

  private boolean isDue(Waiter waiter) {
    return !waiter.unlimited() && waiter.deadline() - now <= 0;
  }
}
