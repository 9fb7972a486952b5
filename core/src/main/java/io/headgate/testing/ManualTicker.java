package io.headgate.testing;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A ticker that stands still until a test moves it. Thread-safe.
 *
 * <p>Threads that wait on it really park; {@link #advance} unparks those whose time has come and
 * returns without waiting for them. {@link #awaitWaiters} tells a test that the threads it wants to
 * wake have gone to wait, so that no test needs to sleep. A wait counts from the waiting thread's
 * last reading of the clock: an advance that falls between the reading and the wait is not lost.
 */
// A monitor, not a lock of java.util.concurrent: those park, and would spend the permit of a thread
// that was unparked on its way into parkNanos.
public final class ManualTicker implements Ticker {

  private record Waiter(Thread thread, long deadline, boolean unlimited) {}

  private final Object monitor = new Object();
  private final ThreadLocal<Long> lastReading = new ThreadLocal<>();
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
    long reading;
    synchronized (monitor) {
      reading = now;
    }
    lastReading.set(reading);
    return reading;
  }

  /**
   * Moves the time forward and lets those who waited for it go on.
   *
   * @throws IllegalArgumentException if {@code by} is negative: this clock is monotonic
   */
  public void advance(Duration by) {
    long nanos = Durations.nanos("by", by);
    synchronized (monitor) {
      now += nanos;
      waiters.stream().filter(this::isDue).map(Waiter::thread).forEach(LockSupport::unpark);
    }
  }

  /** Returns how many threads wait for this clock now, with or without a limit. */
  public int waiters() {
    synchronized (monitor) {
      return waiters.size();
    }
  }

  /**
   * Waits in real time until at least {@code count} threads wait for this clock.
   *
   * @return whether that came within {@code patience}
   * @throws InterruptedException if interrupted while waiting
   */
  public boolean awaitWaiters(int count, Duration patience) throws InterruptedException {
    long end =
        Durations.deadline(Ticker.system().nanoTime(), Durations.nanos("patience", patience));
    synchronized (monitor) {
      while (waiters.size() < count) {
        long left = end - Ticker.system().nanoTime();
        if (left <= 0) {
          return false;
        }
        monitor.wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
      }
      return true;
    }
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (nanos <= 0) {
      return;
    }
    Long reading = lastReading.get();
    Waiter self;
    synchronized (monitor) {
      long from = reading == null ? now : reading;
      self =
          new Waiter(
              Thread.currentThread(), Durations.deadline(from, nanos), nanos == Long.MAX_VALUE);
      if (isDue(self)) {
        return;
      }
      waiters.add(self);
      monitor.notifyAll();
    }
    try {
      LockSupport.park(blocker);
    } finally {
      synchronized (monitor) {
        waiters.remove(self);
      }
    }
  }

  private boolean isDue(Waiter waiter) {
    return !waiter.unlimited() && waiter.deadline() - now <= 0;
  }
}
