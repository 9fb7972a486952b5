package io.headgate.time;

import java.util.concurrent.locks.LockSupport;

/**
 * The one source of time of a component: a monotonic clock and the waits that are measured on it.
 *
 * <p>Readings are nanoseconds from an arbitrary origin. They may be negative and may wrap, so they
 * are only ever compared by difference. Implementations are safe for use by any thread, do not call
 * back into the component that uses them, and read the clock without blocking.
 */
public interface Ticker {

  /**
   * Returns the current reading in nanoseconds; only differences between readings mean anything.
   */
  long nanoTime();

  /**
   * Parks the calling thread until it is unparked, interrupted, or {@code nanos} have passed on
   * this clock. May return early without reason, as {@link LockSupport#parkNanos(Object, long)}
   * may: callers re-check their condition and the clock. Returns at once when {@code nanos} is zero
   * or negative. An interrupt ends the wait and leaves the flag set.
   *
   * @param blocker what the thread waits for, shown by thread dumps
   * @param nanos at most this many nanoseconds; {@link Long#MAX_VALUE} means without limit
   */
  void parkNanos(Object blocker, long nanos);

  /** Returns the ticker of this machine: {@link System#nanoTime()} and real waits. */
  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
