package io.headgate.limit;

/**
 * An exponentially smoothed number: it moves towards what was observed with the time constant,
 * however often or seldom it is observed. Pure. Not thread-safe.
 */
final class SmoothedLoad {
  private final double constantNanos;
  private double smoothed;
  private double held;
  private long observedAt;

  SmoothedLoad(long constantNanos, long now) {
    this.constantNanos = constantNanos;
    this.observedAt = now;
  }

  /** What was observed last has held until now; {@code value} holds from now on. */
  double observe(double value, long now) {
    long passed = Math.max(0, now - observedAt);
    smoothed += -Math.expm1(-passed / constantNanos) * (held - smoothed);
    held = value;
    observedAt += passed;
    return smoothed;
  }
}
