package io.headgate.limit;

/**
 * Follows the ratio of the latency without queueing, the baseline, to that of now: as soon as calls
 * take longer than the tolerance allows, the limit shrinks by that ratio; else it grows by its
 * square root while it is used.
 */
final class Gradient implements LimitAlgorithm {
  /*
   * Samples are judged in windows of at least WINDOW samples: one slow call is no trend.
   *
   * The baseline only ever falls by itself. What is slower for good would then hold the limit down for
   * ever, so from time to time a probe holds concurrency at a share of the limit, and takes the shortest
   * latency seen there for the new baseline. An incident that outlasts probes would so become the
   * baseline; the ceiling is absolute and no baseline is above it, so the limit falls all the same.
   *
   * The floor bounds the limit, the probe share bounds the probe. Neither is the other: a probe takes
   * the share of what is used now, whatever the floor is.
   */
  private static final int WINDOW = 10;
  private static final double SMOOTHING = 0.2;
  private static final double STEEPEST = 0.5;
  private static final long UNKNOWN = Long.MAX_VALUE;

  /** A probe that gets no samples ends by time, in ceilings. */
  private static final int LONGEST_PROBE = 10;

  private final AdaptiveConcurrencyBuilder settings;
  private final Backoff backoff;
  private double limit;
  private long baselineNanos = UNKNOWN;

  private int samples;
  private double sumNanos;
  private long shortestNanos = UNKNOWN;
  private boolean isBound;

  private boolean isProbing;
  private long probeAt;
  private int probeSamples;
  private long probeShortestNanos;

  Gradient(AdaptiveConcurrencyBuilder settings, long now) {
    this.settings = settings;
    this.backoff = new Backoff(settings.backoff, settings.floor);
    this.limit = settings.initial;
    this.probeAt = now;
  }

  @Override
  public int onSample(long rttNanos, int inflight, boolean dropped, long now) {
    isBound |= !isProbing && inflight >= limit();
    if (dropped) {
      // The time of a refusal says nothing about the latency of work.
      limit = backoff.lower(limit, rttNanos, now);
    } else {
      samples++;
      sumNanos += rttNanos;
      shortestNanos = Math.min(shortestNanos, rttNanos);
      if (isProbing) {
        probe(rttNanos, now);
      }
      if (samples >= WINDOW) {
        judge();
      }
    }
    turnProbe(now);
    return limit();
  }

  @Override
  public int limit() {
    double now = isProbing ? limit * settings.probeShare : limit;
    return Math.max(1, (int) now);
  }

  private void judge() {
    double latency = sumNanos / samples;
    baselineNanos = Math.min(Math.min(baselineNanos, shortestNanos), settings.ceilingNanos);
    double gradient = Math.min(1, settings.tolerance * Math.max(1, baselineNanos) / latency);
    double target;
    if (latency > settings.ceilingNanos) {
      target = limit * Math.min(gradient, settings.ceilingNanos / latency);
    } else {
      target = limit * gradient + Math.sqrt(limit);
    }
    if (target > limit && !isBound) {
      target = limit;
    }
    target = Math.max(target, limit * STEEPEST);
    limit += SMOOTHING * (target - limit);
    limit = Math.min(settings.max, Math.max(settings.floor, limit));
    samples = 0;
    sumNanos = 0;
    shortestNanos = UNKNOWN;
    isBound = false;
  }

  /** Only calls that began when the others had made room show the latency without queueing. */
  private void probe(long rttNanos, long now) {
    long settledAt = probeAt + Math.min(baselineNanos, settings.ceilingNanos);
    if (now - rttNanos - settledAt >= 0) {
      probeSamples++;
      probeShortestNanos = Math.min(probeShortestNanos, rttNanos);
    }
  }

  private void turnProbe(long now) {
    long since = now - probeAt;
    if (!isProbing) {
      if (since >= settings.probeEveryNanos && baselineNanos != UNKNOWN) {
        isProbing = true;
        probeAt = now;
        probeSamples = 0;
        probeShortestNanos = UNKNOWN;
      }
    } else if (probeSamples >= WINDOW || since / LONGEST_PROBE >= settings.ceilingNanos) {
      isProbing = false;
      probeAt = now;
      if (probeSamples > 0) {
        baselineNanos = Math.min(probeShortestNanos, settings.ceilingNanos);
      }
    }
  }
}
