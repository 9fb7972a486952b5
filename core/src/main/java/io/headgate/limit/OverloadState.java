package io.headgate.limit;

import io.headgate.Criticality;

/**
 * From which criticality on work is refused, as a function of how loaded the process is. One more
 * class is refused with each step that the load is above its threshold, the least critical first
 * and one with each sample; a class is let in again when the load is a step below the one that
 * refused it, one class at a time.
 *
 * <p>If all that is offered is refused, a small share of the most critical class among it passes,
 * so that something runs and shows whether the load has gone. Without samples for ten holds the
 * load counts as gone: a sampler that died refuses nobody.
 *
 * <p>Pure: state and time in, decision out. Not thread-safe; {@link OverloadGuard} is.
 */
final class OverloadState {
  /*
   * refused = how many classes are refused, counted from the least critical: 0 to all. So a class is only
   * ever refused if every lower one is.
   *
   *   up:   one class with each sample, up to that whose threshold the load has reached: a refusal takes
   *         a moment to show in the load, and the more critical must not pay for that moment
   *   down: one class, if the load is a step below its threshold and the last change is a hold ago
   *
   * Which classes are offered is known by looking back at one to two holds: `offered` are those of the
   * current hold, `offeredBefore` those of the one before.
   */
  private static final Criticality[] CLASSES = Criticality.values();
  private static final int HOLDS_UNTIL_STALE = 10;

  private final double step;
  private final long holdNanos;
  private final double share;

  private int refused;
  private long changedAt;
  private boolean hasSample;
  private long sampledAt;
  private int offered;
  private int offeredBefore;
  private long offeredSince;

  OverloadState(double step, long holdNanos, double share, long now) {
    this.step = step;
    this.holdNanos = holdNanos;
    this.share = share;
    this.changedAt = now;
    this.offeredSince = now;
  }

  /**
   * Learns how loaded the process is.
   *
   * @param load 1 is the threshold; below 0 and no number count as 0
   * @return how many classes are refused now, from the least critical on
   */
  int onSample(double load, long now) {
    hasSample = true;
    sampledAt = now;
    int reached = 0;
    while (reached < CLASSES.length && load >= 1 + reached * step) {
      reached++;
    }
    if (reached > refused) {
      refused++;
      changedAt = now;
    } else if (refused > 0 && !(load >= 1 + (refused - 2) * step) && now - changedAt >= holdNanos) {
      refused--;
      changedAt = now;
    }
    return refused;
  }

  /** How many classes are refused at {@code now}. */
  int refused(long now) {
    if (hasSample && now - sampledAt > HOLDS_UNTIL_STALE * holdNanos) {
      hasSample = false;
      refused = 0;
      changedAt = now;
    }
    return refused;
  }

  /**
   * Whether work of this criticality is let in.
   *
   * @param chance drawn evenly from 0 to 1
   */
  @SuppressWarnings("EnumOrdinal") // the order of the classes is their meaning
  boolean admits(Criticality criticality, double chance, long now) {
    int level = criticality.ordinal();
    note(level, now);
    int admitted = CLASSES.length - refused(now);
    if (level < admitted) {
      return true;
    }
    int mostCritical = Integer.numberOfTrailingZeros(offered | offeredBefore);
    return level == mostCritical && chance < share;
  }

  private void note(int level, long now) {
    long passed = now - offeredSince;
    if (passed >= holdNanos) {
      offeredBefore = passed >= 2 * holdNanos ? 0 : offered;
      offered = 0;
      offeredSince = now;
    }
    offered |= 1 << level;
  }
}
