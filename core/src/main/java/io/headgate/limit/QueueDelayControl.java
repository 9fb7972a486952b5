package io.headgate.limit;

import io.headgate.time.Durations;
import java.time.Duration;

/**
 * Decides by the time that work waits whether a queue only absorbs a burst, or stands: while the
 * smallest wait of the oldest over an interval stays above the target, it stands, and its owner
 * sheds what is stale and serves the newest first. As soon as the oldest has waited no longer than
 * half the target, service is first come, first served again; for eight intervals more the oldest
 * need only be above the target for the queue to count as standing again. It is what CoDel does for
 * packets.
 *
 * <p>Rule of thumb for the target: what a caller would still wait for, and not less than (Q/W + 1)
 * × the usual service time would make of a queue that is a quarter full. A target below one service
 * time sheds work that nothing is wrong with.
 *
 * <p>Pure: state and time in, decision out, no clock of its own. Not thread-safe: it belongs under
 * the lock of the queue that it watches.
 */
public final class QueueDelayControl {
  /*
   * The oldest is looked at, not the one that is served: newest-first service has short waits whatever
   * the queue. While stale work is shed the oldest is never much older than the target, so leaving needs
   * a lower mark than entering, or it would leave after each shedding.
   */
  private static final int LEAVE_AT_PART = 2;

  /** For so long a queue that stood needs no whole interval to be found standing again. */
  private static final int REMEMBERED_INTERVALS = 8;

  private final long targetNanos;
  private final long intervalNanos;

  private boolean hasLooked;
  private long lastGood;
  private boolean hasLeft;
  private long leftAt;
  private boolean isShedding;
  private long timesEntered;

  private QueueDelayControl(long targetNanos, long intervalNanos) {
    this.targetNanos = targetNanos;
    this.intervalNanos = intervalNanos;
  }

  /** {@link #of(Duration, Duration)} with an interval of twice the target. */
  public static QueueDelayControl of(Duration target) {
    return of(target, intervalOf(target));
  }

  /** Twice the target. */
  static Duration intervalOf(Duration target) {
    return Duration.ofNanos(2 * Math.min(Durations.nanos("target", target), Long.MAX_VALUE >> 1));
  }

  /**
   * Makes a control that has seen nothing.
   *
   * @param target the wait that is fine for as long as it likes
   * @param interval for how long the wait must be above the target to be more than a burst
   * @throws IllegalArgumentException if either is not above zero
   */
  public static QueueDelayControl of(Duration target, Duration interval) {
    long targetNanos = Durations.nanos("target", target);
    long intervalNanos = Durations.nanos("interval", interval);
    if (targetNanos == 0 || intervalNanos == 0) {
      throw new IllegalArgumentException(
          "target is " + target + " and interval " + interval + ", but both must be above zero");
    }
    return new QueueDelayControl(targetNanos, Math.min(intervalNanos, Long.MAX_VALUE >> 4));
  }

  /**
   * Looks at the queue; to be called before each claim, and when the last has left.
   *
   * @param oldestNanos how long the oldest has waited; zero if none waits
   * @param now the time of the look
   * @return whether to shed what is stale and serve the newest first
   */
  public boolean look(long oldestNanos, long now) {
    if (!hasLooked) {
      restart(now);
    } else if (oldestNanos <= targetNanos && now - lastGood > 0) {
      lastGood = now;
    }
    if (isShedding) {
      isShedding = oldestNanos > targetNanos / LEAVE_AT_PART;
      hasLeft = !isShedding;
      leftAt = now;
    } else if (now - lastGood >= intervalNanos || stoodJustNow(oldestNanos, now)) {
      isShedding = true;
      timesEntered++;
    }
    return isShedding;
  }

  private boolean stoodJustNow(long oldestNanos, long now) {
    hasLeft &= now - leftAt < REMEMBERED_INTERVALS * intervalNanos;
    return hasLeft && oldestNanos > targetNanos;
  }

  /** Forgets what it saw: a pause has made everything old, which says nothing about the load. */
  public void restart(long now) {
    hasLooked = true;
    hasLeft = false;
    lastGood = now;
    isShedding = false;
  }

  /** Whether the last look found a standing queue. */
  public boolean isShedding() {
    return isShedding;
  }

  /** Whether work that has waited so long is to be shed now. */
  public boolean isStale(long waitedNanos) {
    return isShedding && waitedNanos > targetNanos;
  }

  /** How often a standing queue was found. */
  public long timesEntered() {
    return timesEntered;
  }
}
