package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;

/** The settings of an {@link AdaptiveConcurrency}. Not thread-safe. */
public final class AdaptiveConcurrencyBuilder {

  enum Kind {
    AIMD,
    GRADIENT
  }

  final Kind kind;
  final long ceilingNanos;
  int floor = 1;
  int initial = 10;
  int max = 1_000;
  double backoff = 0.9;
  double tolerance = 1.5;
  long probeEveryNanos = Duration.ofSeconds(30).toNanos();
  double probeShare = 0.5;
  Ticker ticker = Ticker.system();

  private boolean isGradientSet;

  AdaptiveConcurrencyBuilder(Kind kind, Duration latencyCeiling) {
    this.kind = kind;
    this.ceilingNanos = Durations.nanos("latencyCeiling", latencyCeiling);
    if (ceilingNanos == 0) {
      throw new IllegalArgumentException("latencyCeiling is zero, but it must be above");
    }
  }

  /** The limit never falls below it: 1 unless given. */
  public AdaptiveConcurrencyBuilder floor(int floor) {
    this.floor = atLeastOne("floor", floor);
    return this;
  }

  /** The limit at the start: 10 unless given. */
  public AdaptiveConcurrencyBuilder initial(int initial) {
    this.initial = atLeastOne("initial", initial);
    return this;
  }

  /** The limit never rises above it: 1,000 unless given. */
  public AdaptiveConcurrencyBuilder max(int max) {
    this.max = atLeastOne("max", max);
    return this;
  }

  /**
   * What a sign of overload multiplies the limit by: 0.9 unless given.
   *
   * @throws IllegalArgumentException if it is not above 0 and below 1
   */
  public AdaptiveConcurrencyBuilder backoff(double factor) {
    this.backoff = share("backoff", factor);
    return this;
  }

  /**
   * Gradient only: how many times the baseline the latency may be before the limit shrinks; 1.5
   * unless given.
   *
   * @throws IllegalArgumentException if it is not a number of at least 1
   */
  public AdaptiveConcurrencyBuilder tolerance(double tolerance) {
    if (!(tolerance >= 1) || Double.isInfinite(tolerance)) {
      throw new IllegalArgumentException(
          "tolerance is " + tolerance + ", but it must be a number of at least 1");
    }
    this.tolerance = tolerance;
    this.isGradientSet = true;
    return this;
  }

  /**
   * Gradient only: how often to measure the baseline anew; 30 s unless given. {@code
   * Duration.ofSeconds(Long.MAX_VALUE)} never does, and the baseline then never rises.
   *
   * @throws IllegalArgumentException if it is not above zero
   */
  public AdaptiveConcurrencyBuilder probeEvery(Duration interval) {
    this.probeEveryNanos = Durations.nanos("probeEvery", interval);
    if (probeEveryNanos == 0) {
      throw new IllegalArgumentException("probeEvery is zero, but it must be above");
    }
    this.isGradientSet = true;
    return this;
  }

  /**
   * Gradient only: the share of the limit that is used while the baseline is measured; 0.5 unless
   * given. It has nothing to do with the floor.
   *
   * @throws IllegalArgumentException if it is not above 0 and below 1
   */
  public AdaptiveConcurrencyBuilder probeShare(double share) {
    this.probeShare = share("probeShare", share);
    this.isGradientSet = true;
    return this;
  }

  /** The source of time: that of the machine unless given. For tests and simulations. */
  public AdaptiveConcurrencyBuilder ticker(Ticker ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /**
   * Makes the limit, which begins at {@code initial}.
   *
   * @throws IllegalArgumentException unless floor ≤ initial ≤ max, or if a setting of the gradient
   *     was given to AIMD, which does not use it
   */
  public AdaptiveConcurrency build() {
    if (floor > initial || initial > max) {
      throw new IllegalArgumentException(
          "floor is %d, initial %d and max %d, but they must not fall"
              .formatted(floor, initial, max));
    }
    if (kind == Kind.AIMD && isGradientSet) {
      throw new IllegalArgumentException(
          "tolerance, probeEvery and probeShare are settings of the gradient; AIMD has no use for"
              + " them");
    }
    return new AdaptiveConcurrency(this);
  }

  private static int atLeastOne(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " is " + value + ", but it must be at least 1");
    }
    return value;
  }

  private static double share(String what, double value) {
    if (!(value > 0 && value < 1)) {
      throw new IllegalArgumentException(
          what + " is " + value + ", but it must be above 0 and below 1");
    }
    return value;
  }
}
