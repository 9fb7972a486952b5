package io.headgate.waiting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for a {@link Turn}, in order of arrival and bounded in number. Nobody
 * overtakes: a newcomer goes behind those who wait. Thread-safe.
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public final class WaitingLine {
  /*
   * Only the first in line looks, and it takes nothing before it goes: being woken reserves nothing, so
   * whoever times out or is interrupted has nothing to give back. What must hold is that the first is
   * awake whenever it could go:
   *
   *   who stops being first, for whatever reason  -> unparks the next        (leave)
   *   an event that may let the first go          -> its cause unparks first (wakeFirst)
   *   time that lets the first go                 -> the first parks no longer than that
   *
   * A thread looks under the lock and parks after it, and an unpark always follows a change made under
   * the lock: either the look sees the change, or the permit of the unpark is there when it parks.
   * Nothing between the unlock and the park can spend that permit. Unparks go out without the lock.
   */

  /** The answer if as many wait as may. */
  public static final long TOO_MANY = -1;

  private static final class Waiter {
    final Thread thread;
    @Nullable Waiter previous;
    @Nullable Waiter next;

    Waiter(Thread thread) {
      this.thread = thread;
    }
  }

  private final ReentrantLock lock;
  private final Ticker ticker;
  private final Turn turn;
  private final int maxWaiting;

  @GuardedBy("lock")
  private @Nullable Waiter first;

  @GuardedBy("lock")
  private @Nullable Waiter last;

  @GuardedBy("lock")
  private int size;

  /**
   * Makes an empty line.
   *
   * @param lock guards the line and the state of {@code turn}
   * @param maxWaiting how many may wait at once
   */
  public WaitingLine(ReentrantLock lock, Ticker ticker, Turn turn, int maxWaiting) {
    this.lock = lock;
    this.ticker = ticker;
    this.turn = turn;
    this.maxWaiting = maxWaiting;
  }

  /** How many wait. May be asked under the lock. */
  public int size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Goes if it can be done now, without waiting.
   *
   * @return zero if taken, else as {@link #enter}
   */
  public long enterNow(long now) {
    lock.lock();
    try {
      return look(now);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Goes, waiting at most {@code patienceNanos}. Who cannot go in time, and it is known, does not
   * wait.
   *
   * @return zero if taken; else how many nanoseconds it would have taken at least, {@link
   *     Turn#UNKNOWN}, or {@link #TOO_MANY}
   * @throws InterruptedException if interrupted before it was taken; nothing is taken then
   */
  public long enter(long patienceNanos) throws InterruptedException {
    long now = ticker.nanoTime();
    long deadline = Durations.deadline(now, patienceNanos);
    Waiter self = null;
    try {
      while (true) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long left = deadline - now;
        long wait;
        lock.lock();
        try {
          if (self == null) {
            wait = look(now);
            if (wait == 0 || cannotGo(wait, left)) {
              return wait;
            }
            if (size >= maxWaiting) {
              return TOO_MANY;
            }
            self = join();
          } else {
            wait = lookAs(self, now);
            if (wait == 0 || left <= 0) {
              return wait;
            }
          }
        } finally {
          lock.unlock();
        }
        ticker.parkNanos(this, Math.min(left, wait));
        now = ticker.nanoTime();
      }
    } finally {
      // On every way out, also by an error of the ticker: who stays in line would stop all behind
      // it.
      if (self != null) {
        leave(self);
      }
    }
  }

  /**
   * Wakes the first in line, to look whether it can go. Called without the lock, after the change
   * that may let it go.
   */
  public void wakeFirst() {
    Thread thread;
    lock.lock();
    try {
      thread = first == null ? null : first.thread;
    } finally {
      lock.unlock();
    }
    LockSupport.unpark(thread);
  }

  private static boolean cannotGo(long wait, long left) {
    return left <= 0 || (wait != Turn.UNKNOWN && wait > left);
  }

  /** The look of one who is not in line. */
  @GuardedBy("lock")
  private long look(long now) {
    return first == null ? turn.tryTake(now) : turn.waitBehind(size, now);
  }

  @GuardedBy("lock")
  @SuppressWarnings("ReferenceEquality") // only this very place in line is meant
  private long lookAs(Waiter self, long now) {
    return self == first ? turn.tryTake(now) : Turn.UNKNOWN;
  }

  @GuardedBy("lock")
  private Waiter join() {
    Waiter waiter = new Waiter(Thread.currentThread());
    waiter.previous = last;
    if (last == null) {
      first = waiter;
    } else {
      last.next = waiter;
    }
    last = waiter;
    size++;
    return waiter;
  }

  private void leave(Waiter waiter) {
    Thread next = null;
    lock.lock();
    try {
      if (waiter.previous == null) {
        first = waiter.next;
        next = first == null ? null : first.thread;
      } else {
        waiter.previous.next = waiter.next;
      }
      if (waiter.next == null) {
        last = waiter.previous;
      } else {
        waiter.next.previous = waiter.previous;
      }
      size--;
    } finally {
      lock.unlock();
    }
    LockSupport.unpark(next);
  }
}
