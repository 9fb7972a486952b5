package io.headgate.limit;

import static java.lang.Math.max;

/**
 * The generic cell rate algorithm: each start moves the theoretical time of the next one by an
 * interval, and a start may come up to burst - 1 intervals before its theoretical time. Pure: state
 * and time in, decision out. Not thread-safe.
 */
final class Gcra {
  /*
   * The interval per / starts is kept as whole nanoseconds and a rest in units of 1 / starts nanosecond,
   * so that no rate drifts, not one of 3 in 10 s nor one of several in a nanosecond.
   *
   *   theoretical time of the next start = (dueNanos, dueRest), 0 <= dueRest < starts
   *
   * It is compared with the clock by difference only. A time in the past counts as now: idle time is
   * worth burst starts and no more, however long it was.
   */
  private final int starts;
  private final long wholeNanos;
  private final long rest;
  private final long furthest;
  private final long earlyNanos;
  private final long earlyRest;

  private long dueNanos;
  private long dueRest;

  /**
   * Makes the state after infinite idle time. The caller has checked that burst intervals, and as
   * many more as ever wait, are within half the range of readings.
   */
  Gcra(int starts, long perNanos, int burst, long now) {
    this.starts = starts;
    this.wholeNanos = perNanos / starts;
    this.rest = perNanos % starts;
    this.furthest = (Long.MAX_VALUE >> 2) / (wholeNanos + 1);
    this.earlyNanos = nanosOf(burst - 1L);
    this.earlyRest = restOf(burst - 1L);
    this.dueNanos = now;
  }

  /**
   * How many nanoseconds until a start is free for one behind {@code ahead} others; zero is now,
   * the highest value is later than the clock can tell.
   */
  long delay(int ahead, long now) {
    if (ahead > furthest) {
      return Long.MAX_VALUE;
    }
    long nanos = aheadOfNow(now) + nanosOf(ahead) - earlyNanos;
    long units = restAheadOfNow(now) + restOf(ahead) - earlyRest;
    return max(0, nanos + Math.ceilDiv(units, starts));
  }

  /** Takes a start if one is free; returns the {@link #delay} it would need otherwise. */
  long tryTake(long now) {
    long delay = delay(0, now);
    if (delay == 0) {
      long units = restAheadOfNow(now) + rest;
      dueNanos = now + aheadOfNow(now) + wholeNanos + units / starts;
      dueRest = units % starts;
    }
    return delay;
  }

  private long aheadOfNow(long now) {
    return max(0, dueNanos - now);
  }

  private long restAheadOfNow(long now) {
    return dueNanos - now >= 0 ? dueRest : 0;
  }

  private long nanosOf(long intervals) {
    return intervals * wholeNanos + intervals * rest / starts;
  }

  private long restOf(long intervals) {
    return intervals * rest % starts;
  }
}
