package io.headgate.simulator;

import static java.util.Objects.requireNonNull;

import io.headgate.Criticality;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of one run: who asks how often, of what server. Immutable. Durations are above zero
 * unless it is said, and below a day, so that no sum of them overflows.
 *
 * @param perSecond calls a second that clients make, retries not counted; above zero
 * @param mix the share of each criticality; the shares add up to one, and a missing one is zero
 * @param service how long the work takes
 * @param server the bounds of the server
 * @param callers what clients do while they wait, and when they get no answer
 * @param slowDown a time in which what the server calls is slow
 * @param seed of all chance: equal setups make equal runs
 * @param duration for how long clients ask
 */
public record Setup(
    double perSecond,
    Map<Criticality, Double> mix,
    Service service,
    Server server,
    Callers callers,
    Optional<SlowDown> slowDown,
    long seed,
    Duration duration) {

  /** The most calls that one run may make, retries included: what fits in memory and patience. */
  public static final long MAX_CALLS = 10_000_000;

  private static final Duration LONGEST = Duration.ofDays(1);

  /** Checks each number, and that they fit together. */
  public Setup {
    require(perSecond > 0 && perSecond <= 1e9, "perSecond", perSecond, "above 0 and at most 1e9");
    EnumMap<Criticality, Double> shares = new EnumMap<>(Criticality.class);
    double sum = 0;
    for (Map.Entry<Criticality, Double> share : mix.entrySet()) {
      require(share.getValue() >= 0, share.getKey().name(), share.getValue(), "zero or more");
      shares.put(share.getKey(), share.getValue());
      sum += share.getValue();
    }
    require(Math.abs(sum - 1) < 1e-6, "the sum of the mix", sum, "1");
    mix = Collections.unmodifiableMap(shares);
    requireNonNull(service, "service");
    requireNonNull(server, "server");
    requireNonNull(callers, "callers");
    requireNonNull(slowDown, "slowDown");
    positive("duration", duration);
    double calls = perSecond * seconds(duration) * callers.attempts();
    require(calls <= MAX_CALLS, "calls in one run", calls, "at most " + MAX_CALLS);
  }

  /**
   * How long one call takes on a thread that does nothing else.
   *
   * @param time the distribution
   * @param mean its mean
   */
  public record Service(ServiceTime time, Duration mean) {
    /** Checks them. */
    public Service {
      requireNonNull(time, "time");
      positive("mean", mean);
    }
  }

  /**
   * The bounds of the server.
   *
   * @param concurrency calls that are worked on at once, 1 or more
   * @param capacity calls that may wait, 0 or more
   * @param whenFull what happens to a call that finds no room
   * @param queueDelay the target of queue-delay control; off where there is none
   */
  public record Server(
      int concurrency, int capacity, WhenFull whenFull, Optional<Duration> queueDelay) {
    /** Checks them. */
    public Server {
      require(
          concurrency >= 1 && concurrency <= 100_000,
          "concurrency",
          concurrency,
          "from 1 to 100000");
      require(capacity >= 0 && capacity <= 10_000_000, "capacity", capacity, "from 0 to 10000000");
      requireNonNull(whenFull, "whenFull");
      queueDelay.ifPresent(target -> positive("queueDelay", target));
    }
  }

  /** What a full server does. */
  public enum WhenFull {
    /** Refuses the call that comes. */
    REFUSE,
    /** Gives up a less critical one that waits, for the one that comes. */
    SHED_LEAST_CRITICAL,
    /** Takes it on all the same: a queue without a bound, known to be bad. */
    GROW
  }

  /**
   * What clients do.
   *
   * @param timeout how long one attempt is waited for
   * @param deadline how long all attempts of one call may take together
   * @param attempts tries in all: 1 is no retry
   * @param backoff the base of the wait before a retry; zero retries at once
   * @param retryPercent retries that are paid for, for each hundred first attempts; empty retries
   *     without a budget
   */
  public record Callers(
      Duration timeout,
      Duration deadline,
      int attempts,
      Duration backoff,
      Optional<Integer> retryPercent) {
    /** Checks them. */
    public Callers {
      positive("timeout", timeout);
      positive("deadline", deadline);
      require(
          attempts >= 1 && attempts <= RetryPolicy.MAX_ATTEMPTS,
          "attempts",
          attempts,
          "from 1 to " + RetryPolicy.MAX_ATTEMPTS);
      require(
          !backoff.isNegative() && backoff.compareTo(LONGEST) < 0,
          "backoff",
          backoff,
          "zero or more, and below a day");
      retryPercent.ifPresent(
          percent ->
              require(percent >= 1 && percent <= 100, "retryPercent", percent, "from 1 to 100"));
    }
  }

  /**
   * A time in which every call takes longer, because what the server calls is slow.
   *
   * @param at when it begins; zero is the beginning of the run
   * @param lasts how long
   * @param times by which factor calls are slower
   */
  public record SlowDown(Duration at, Duration lasts, double times) {
    /** Checks them. */
    public SlowDown {
      require(!at.isNegative() && at.compareTo(LONGEST) < 0, "at", at, "zero or more");
      positive("lasts", lasts);
      require(times > 0 && times <= 1e6, "times", times, "above 0 and at most 1e6");
    }
  }

  /** Calls a second that the server can serve while nothing is slow. */
  public double capacityPerSecond() {
    return server.concurrency() / seconds(service.mean());
  }

  /** From when on calls are counted, in nanoseconds: a server that is empty tells nothing. */
  public long countedFrom() {
    return Math.min(Scenarios.SECOND, duration.toNanos() / 10);
  }

  /** The same with another rate of calls. */
  public Setup withPerSecond(double rate) {
    return new Setup(rate, mix, service, server, callers, slowDown, seed, duration);
  }

  /** The same with another server. */
  public Setup withServer(Server other) {
    return new Setup(perSecond, mix, service, other, callers, slowDown, seed, duration);
  }

  /** The same with other callers. */
  public Setup withCallers(Callers others) {
    return new Setup(perSecond, mix, service, server, others, slowDown, seed, duration);
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static void positive(String name, Duration value) {
    require(
        value.isPositive() && value.compareTo(LONGEST) < 0,
        name,
        value,
        "above zero and below a day");
  }

  private static void require(boolean holds, String name, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be " + rule);
    }
  }
}
