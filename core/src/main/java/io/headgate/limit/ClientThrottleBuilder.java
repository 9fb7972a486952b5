package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The settings of a {@link ClientThrottle}. Not thread-safe. */
public final class ClientThrottleBuilder {

  double k = 2;
  long windowNanos = Duration.ofMinutes(2).toNanos();
  double probeShare = 0.01;
  Ticker ticker = Ticker.system();
  RandomGenerator random = new SplittableRandom();

  ClientThrottleBuilder() {}

  /**
   * How many attempts reach the dependency for each that it accepts, while it refuses: 2 unless
   * given. Less is gentler to the dependency and slower to see that it has recovered.
   *
   * @throws IllegalArgumentException if it is not a number of at least 1
   */
  public ClientThrottleBuilder k(double k) {
    if (!(k >= 1) || Double.isInfinite(k)) {
      throw new IllegalArgumentException("k is " + k + ", but it must be a number of at least 1");
    }
    this.k = k;
    return this;
  }

  /**
   * How long attempts count: two minutes unless given. It should be longer than the dependency
   * takes to answer at its slowest.
   *
   * @throws IllegalArgumentException if it is below a microsecond
   */
  public ClientThrottleBuilder window(Duration window) {
    long nanos = Durations.nanos("window", window);
    if (nanos < 1_000) {
      throw new IllegalArgumentException(
          "window is " + window + ", but it must be at least a microsecond");
    }
    this.windowNanos = nanos;
    return this;
  }

  /**
   * The share of attempts that passes whatever the counts say: 0.01 unless given.
   *
   * @throws IllegalArgumentException if it is not above 0 and at most 1
   */
  public ClientThrottleBuilder probeShare(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "probeShare is " + share + ", but it must be above 0 and at most 1");
    }
    this.probeShare = share;
    return this;
  }

  /** The source of time: that of the machine unless given. For tests and simulations. */
  public ClientThrottleBuilder ticker(Ticker ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /**
   * The source of chance, used by one thread at a time, under a lock: it must not call back. For
   * tests and simulations.
   */
  public ClientThrottleBuilder random(RandomGenerator random) {
    this.random = requireNonNull(random, "random");
    return this;
  }

  /** Makes the throttle, with an empty window. */
  public ClientThrottle build() {
    return new ClientThrottle(this);
  }
}
