package io.headgate.limit;

/**
 * One more after a round of calls that went well and used the limit, a tenth less after a sign of
 * overload: a drop, or a latency above the ceiling.
 */
final class Aimd implements LimitAlgorithm {
  private final AdaptiveConcurrencyBuilder settings;
  private final Backoff backoff;
  private int limit;

  /** Calls since the last change that went well and used the limit. */
  private int good;

  Aimd(AdaptiveConcurrencyBuilder settings) {
    this.settings = settings;
    this.backoff = new Backoff(settings.backoff, settings.floor);
    this.limit = settings.initial;
  }

  @Override
  public int onSample(long rttNanos, int inflight, boolean dropped, long now) {
    if (dropped || rttNanos > settings.ceilingNanos) {
      limit = (int) backoff.lower(limit, rttNanos, now);
      good = 0;
    } else if (inflight >= limit) {
      // Without demand nothing is learnt about one more.
      good++;
      if (good >= limit && limit < settings.max) {
        limit++;
        good = 0;
      }
    }
    return limit;
  }

  @Override
  public int limit() {
    return limit;
  }
}
