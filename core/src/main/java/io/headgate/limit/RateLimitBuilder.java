package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;

/** The settings of a {@link RateLimit}. Not thread-safe; each setting may be given once. */
public final class RateLimitBuilder {

  private static final int DEFAULT_BURST = 1;
  private static final int DEFAULT_MAX_WAITING = 64;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int DIGITS = 9;

  /** Within this, sums with a reading of the clock stay comparable by difference. */
  private static final long MAX_NANOS = Long.MAX_VALUE >> 3;

  final int starts;
  final long perNanos;
  int burst = DEFAULT_BURST;
  int maxWaiting = DEFAULT_MAX_WAITING;
  Ticker ticker = Ticker.system();

  private final String rate;
  private boolean burstGiven;
  private boolean maxWaitingGiven;

  RateLimitBuilder(int starts, Duration per) {
    this(starts, Durations.nanos("per", per), starts + " starts per " + per);
  }

  private RateLimitBuilder(int starts, long perNanos, String rate) {
    if (starts < 1 || perNanos < 1) {
      throw new IllegalArgumentException(rate + ", but both must be above zero");
    }
    if (perNanos / starts > MAX_NANOS) {
      throw new IllegalArgumentException(rate + ", but that is less than one start in 36 years");
    }
    this.starts = starts;
    this.perNanos = perNanos;
    this.rate = rate;
  }

  static RateLimitBuilder perSecond(double starts) {
    String rate = starts + " starts per second";
    if (!(starts > 0) || Double.isInfinite(starts)) {
      throw new IllegalArgumentException(rate + ", but it must be a number above zero");
    }
    BigDecimal exact = BigDecimal.valueOf(starts).setScale(DIGITS, RoundingMode.HALF_UP);
    if (exact.signum() == 0 || starts > NANOS_PER_SECOND) {
      throw new IllegalArgumentException(
          rate + ", but it must be within 0.000000001 and " + NANOS_PER_SECOND);
    }
    // Whole units in 10^9 s first, then both divided by what they share: 3 in 10 s.
    BigInteger units = exact.unscaledValue();
    BigInteger nanos = BigInteger.TEN.pow(2 * DIGITS);
    BigInteger shared = units.gcd(nanos);
    units = units.divide(shared);
    nanos = nanos.divide(shared);
    // Too many digits for an int: the last ones are below a part in 2^30, and go.
    int shift = Math.max(0, units.bitLength() - (Integer.SIZE - 1));
    long kept = units.shiftRight(shift).longValueExact();
    long per = nanos.shiftRight(shift).longValueExact();
    return new RateLimitBuilder((int) kept, per, rate);
  }

  /**
   * How many may start at once after a pause that was long enough: 1 unless given, which spaces all
   * starts evenly. With 1, what a thread wakes too late is lost; a burst of 2 or more makes up for
   * it.
   *
   * @throws IllegalArgumentException if it is below 1
   * @throws IllegalStateException if it was given before
   */
  public RateLimitBuilder burst(int starts) {
    if (starts < 1) {
      throw new IllegalArgumentException("burst is " + starts + ", but it must be at least 1");
    }
    if (burstGiven) {
      throw new IllegalStateException("burst was set before, to " + burst);
    }
    burstGiven = true;
    burst = starts;
    return this;
  }

  /**
   * How many callers may wait for their start at once: 64 unless given; zero lets nobody wait.
   *
   * @throws IllegalArgumentException if it is negative
   * @throws IllegalStateException if it was given before
   */
  public RateLimitBuilder maxWaiting(int callers) {
    if (callers < 0) {
      throw new IllegalArgumentException(
          "maxWaiting is " + callers + ", but it must not be negative");
    }
    if (maxWaitingGiven) {
      throw new IllegalStateException("maxWaiting was set before, to " + maxWaiting);
    }
    maxWaitingGiven = true;
    maxWaiting = callers;
    return this;
  }

  /** The source of time: that of the machine unless given. For tests and simulations. */
  public RateLimitBuilder ticker(Ticker ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /**
   * Makes the limit, with its whole burst free.
   *
   * @throws IllegalArgumentException if the burst, or the line of those who wait, lasts longer at
   *     this rate than the clock can tell
   */
  public RateLimit build() {
    if (burst > MAX_NANOS / Math.max(1, Math.ceilDiv(perNanos, starts))) {
      throw new IllegalArgumentException(
          this + ", but at this rate that burst is more than 36 years of starts");
    }
    return new RateLimit(this);
  }

  @Override
  public String toString() {
    return rate + ", burst " + burst + ", maxWaiting " + maxWaiting;
  }
}
