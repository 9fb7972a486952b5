package io.headgate.downstream;

import static java.util.Objects.requireNonNull;

import io.headgate.limit.AdaptiveConcurrency;
import io.headgate.limit.ClientThrottle;
import io.headgate.limit.RateLimit;
import io.headgate.time.Ticker;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link Downstream}. Not thread-safe. */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public final class DownstreamBuilder {

  private static final int DEFAULT_MAX_WAITING = 64;

  final String name;
  int concurrency;
  int maxWaiting = DEFAULT_MAX_WAITING;
  @Nullable RateLimit rate;
  @Nullable ClientThrottle throttle;
  @Nullable AdaptiveConcurrency adaptive;
  Predicate<? super Exception> isOverload = failure -> false;
  Ticker ticker = Ticker.system();

  DownstreamBuilder(String name) {
    this.name = requireNonNull(name, "name");
  }

  /**
   * How many calls may be made at once. This or {@link #adaptive} is required.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public DownstreamBuilder concurrency(int calls) {
    if (calls < 1) {
      throw new IllegalArgumentException("concurrency is " + calls + ", but it must be at least 1");
    }
    this.concurrency = calls;
    return this;
  }

  /**
   * Lets the number of calls at once follow {@code limit}, which is told of every call made here.
   */
  public DownstreamBuilder adaptive(AdaptiveConcurrency limit) {
    this.adaptive = requireNonNull(limit, "limit");
    return this;
  }

  /**
   * How many callers may wait for a permit at once: 64 unless given; zero lets nobody wait.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public DownstreamBuilder maxWaiting(int callers) {
    if (callers < 0) {
      throw new IllegalArgumentException(
          "maxWaiting is " + callers + ", but it must not be negative");
    }
    this.maxWaiting = callers;
    return this;
  }

  /** Bounds how many calls start in a time; not bounded unless given. It needs the same ticker. */
  public DownstreamBuilder rate(RateLimit limit) {
    this.rate = requireNonNull(limit, "limit");
    return this;
  }

  /** Refuses calls here while the dependency refuses too many; none is unless given. */
  public DownstreamBuilder throttle(ClientThrottle throttle) {
    this.throttle = requireNonNull(throttle, "throttle");
    return this;
  }

  /**
   * Which failures of a call say that the dependency is overloaded, or answered too late; no
   * failure does unless given. All others count as calls that it accepted. Called outside any lock.
   */
  public DownstreamBuilder overloadWhen(Predicate<? super Exception> isOverload) {
    this.isOverload = requireNonNull(isOverload, "isOverload");
    return this;
  }

  /** The source of time: that of the machine unless given. For tests and simulations. */
  public DownstreamBuilder ticker(Ticker ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /**
   * Makes the downstream.
   *
   * @throws IllegalArgumentException unless one of {@code concurrency} and {@code adaptive} was
   *     given, or if the rate reads another ticker
   */
  public Downstream build() {
    if ((concurrency == 0) == (adaptive == null)) {
      throw new IllegalArgumentException(
          "concurrency is %s and adaptive is %s, but exactly one must be given"
              .formatted(concurrency == 0 ? "not given" : concurrency, adaptive));
    }
    if (rate != null && !rate.isOn(ticker)) {
      throw new IllegalArgumentException(
          "rate is %s on another ticker than %s, but both must be on one".formatted(rate, name));
    }
    return new Downstream(this);
  }
}
