package io.headgate;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The threads that wait until nothing is unfinished. A count of such moments lets a watcher see one
 * that has passed again already. Guarded by the backlog's lock, but for {@link #await}, which takes
 * it.
 */
final class IdleWatch {

  private static final Thread[] NOBODY = {};

  private final SequencedLock lock;
  private final Ticker ticker;
  private final List<Thread> watchers = new ArrayList<>(0);
  private long moments;

  IdleWatch(SequencedLock lock, Ticker ticker) {
    this.lock = lock;
    this.ticker = ticker;
  }

  /** Nothing is unfinished now: returns the threads to unpark once the lock is free. */
  Thread[] idle() {
    moments++;
    return watchers.isEmpty() ? NOBODY : watchers.toArray(Thread[]::new);
  }

  /**
   * Waits for such a moment, at most {@code nanos}.
   *
   * @param isIdle whether it is now; asked under the lock
   * @return whether it came
   */
  boolean await(BooleanSupplier isIdle, long nanos) throws InterruptedException {
    long end = Durations.deadline(ticker.nanoTime(), nanos);
    Thread self = Thread.currentThread();
    long before;
    lock.enterReading();
    try {
      if (isIdle.getAsBoolean()) {
        return true;
      }
      before = moments;
      watchers.add(self);
    } finally {
      lock.leaveReading();
    }
    try {
      while (true) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long remaining = end - ticker.nanoTime();
        if (wasIdleSince(before)) {
          return true;
        }
        if (remaining <= 0) {
          return false;
        }
        ticker.parkNanos(this, remaining);
      }
    } finally {
      leave(self);
    }
  }

  private boolean wasIdleSince(long before) {
    lock.enterReading();
    try {
      return moments != before;
    } finally {
      lock.leaveReading();
    }
  }

  private void leave(Thread watcher) {
    lock.enterReading();
    try {
      watchers.remove(watcher);
    } finally {
      lock.leaveReading();
    }
  }
}
