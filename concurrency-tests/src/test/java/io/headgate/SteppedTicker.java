package io.headgate;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that a scenario moves. Unlike the manual ticker of the library it counts a wait from the
 * waiting thread's last reading of the clock, not from the moment at which it parks: a step that
 * falls between the two is not lost, as on a real clock it would only make the wait a little
 * longer.
 */
final class SteppedTicker implements Ticker {

  private final ThreadLocal<Long> lastReading = ThreadLocal.withInitial(() -> 0L);
  private final List<Waiter> waiters = new ArrayList<>();
  private long now;

  @Override
  public long nanoTime() {
    long reading;
    synchronized (this) {
      reading = now;
    }
    lastReading.set(reading);
    return reading;
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    Waiter self = new Waiter(Thread.currentThread(), Durations.deadline(lastReading.get(), nanos));
    synchronized (this) {
      if (self.deadline - now <= 0) {
        return;
      }
      waiters.add(self);
    }
    LockSupport.park(blocker);
    synchronized (this) {
      waiters.remove(self);
    }
  }

  /** Moves the time and lets those go on whose time has come. */
  void step(long nanos) {
    List<Waiter> due;
    synchronized (this) {
      now += nanos;
      due = waiters.stream().filter(waiter -> waiter.deadline - now <= 0).toList();
    }
    due.forEach(waiter -> LockSupport.unpark(waiter.thread));
  }

  private record Waiter(Thread thread, long deadline) {}
}
