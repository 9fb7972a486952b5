package io.headgate.retry;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How often, when and after which failures a job is tried again. Immutable and safe for use by any
 * thread and by several workers; each method that changes something returns another policy and
 * checks its argument at once.
 *
 * <p>Say nothing but {@link #attempts(int)} and a worker retries every {@link Exception} (never an
 * {@link Error}), after 0 to 100 ms, 0 to 200 ms and so on up to 0 to 20 s, drawn evenly, and pays
 * for it from a {@link RetryBudget} of its own. An attempt with uncertain effects, such as one that
 * was cut off by its timeout, is not retried unless the policy is {@link #idempotent()}.
 */
public final class RetryPolicy {

  /** The largest number of attempts. */
  public static final int MAX_ATTEMPTS = 100;

  private static final Duration DEFAULT_BASE = Duration.ofMillis(100);
  private static final Duration DEFAULT_CAP = Duration.ofSeconds(20);

  private final int attempts;
  private final long baseNanos;
  private final double multiplier;
  private final long capNanos;
  private final @Nullable Duration timeout;
  private final @Nullable Duration deadline;
  private final Predicate<? super Throwable> retryable;
  private final boolean idempotent;
  private final @Nullable RetryBudget budget;
  private final @Nullable RandomGenerator random;

  private RetryPolicy(Draft draft) {
    this.attempts = draft.attempts;
    this.baseNanos = draft.baseNanos;
    this.multiplier = draft.multiplier;
    this.capNanos = draft.capNanos;
    this.timeout = draft.timeout;
    this.deadline = draft.deadline;
    this.retryable = draft.retryable;
    this.idempotent = draft.idempotent;
    this.budget = draft.budget;
    this.random = draft.random;
  }

  /**
   * Starts from the number of attempts in total: 3 means the first and two more, 1 never retries.
   *
   * @throws IllegalArgumentException outside 1 to {@link #MAX_ATTEMPTS}
   */
  public static RetryPolicy attempts(int total) {
    if (total < 1 || total > MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "attempts is %d, but must be from 1 (no retry) to %d, the first one included"
              .formatted(total, MAX_ATTEMPTS));
    }
    return new RetryPolicy(new Draft(total));
  }

  // ---- settings ----

  /** As {@link #backoff(Duration, double, Duration)} with a multiplier of two. */
  public RetryPolicy backoff(Duration base, Duration cap) {
    return backoff(base, 2, cap);
  }

  /**
   * Sets the back-off: before the n-th retry a time drawn evenly between zero and {@code base} ×
   * {@code multiplier}<sup>n−1</sup>, but at most {@code cap}. The jitter comes after the cap, so
   * late retries are as spread as early ones. Default: 100 ms, 2, 20 s.
   *
   * @param base zero retries at once
   * @param multiplier 1 or more, finite
   * @param cap not below {@code base}
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public RetryPolicy backoff(Duration base, double multiplier, Duration cap) {
    Draft draft = new Draft(this);
    draft.baseNanos = Durations.nanos("base", base);
    draft.capNanos = Durations.nanos("cap", cap);
    draft.multiplier = multiplier;
    if (!(multiplier >= 1 && multiplier <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "multiplier is " + multiplier + ", but must be finite and at least 1");
    }
    if (draft.capNanos < draft.baseNanos) {
      throw new IllegalArgumentException(
          "cap is %s, but must not be below the base, which is %s".formatted(cap, base));
    }
    return new RetryPolicy(draft);
  }

  /**
   * Sets how long one attempt may run before it is told to stop. Default: what the worker's own
   * timeout says; give one of the two.
   *
   * @throws IllegalArgumentException if it is zero or negative
   */
  public RetryPolicy timeout(Duration perAttempt) {
    Draft draft = new Draft(this);
    draft.timeout = positive("timeout", perAttempt);
    return new RetryPolicy(draft);
  }

  /**
   * Sets how long all attempts of a job may take together, counted from the start of the first. A
   * retry whose back-off would end at the deadline or after it is not scheduled, and each attempt
   * gets the smaller of its timeout and what is left. Default: no deadline.
   *
   * @throws IllegalArgumentException if it is zero or negative
   */
  public RetryPolicy deadline(Duration overAllAttempts) {
    Draft draft = new Draft(this);
    draft.deadline = positive("deadline", overAllAttempts);
    return new RetryPolicy(draft);
  }

  /**
   * Sets which failures are tried again. Not asked about a {@link RetryableException} or an {@link
   * OverloadedException}, which say it themselves, nor about a failure marked {@link DoNotRetry}.
   * Called by the handler's thread without a lock; if it throws, the job is not retried. Default:
   * every {@link Exception}.
   */
  public RetryPolicy retryIf(Predicate<? super Throwable> failure) {
    Draft draft = new Draft(this);
    draft.retryable = requireNonNull(failure, "failure");
    return new RetryPolicy(draft);
  }

  /**
   * Says that doing a job twice does no harm, so that attempts with uncertain effects may be tried
   * again: those beyond their timeout, and {@link RetryableException#uncertain}.
   */
  public RetryPolicy idempotent() {
    Draft draft = new Draft(this);
    draft.idempotent = true;
    return new RetryPolicy(draft);
  }

  /**
   * Sets what pays for retries. Default: each worker has a budget of its own, with the defaults of
   * {@link RetryBudget}.
   */
  public RetryPolicy budget(RetryBudget budget) {
    Draft draft = new Draft(this);
    draft.budget = requireNonNull(budget, "budget");
    return new RetryPolicy(draft);
  }

  /**
   * Sets the source of jitter, for tests and simulations. It is used by one thread at a time.
   * Default: a generator of the calling thread.
   */
  public RetryPolicy random(RandomGenerator source) {
    Draft draft = new Draft(this);
    draft.random = requireNonNull(source, "source");
    return new RetryPolicy(draft);
  }

  // ---- what a worker asks ----

  /** How many attempts a job gets in total. */
  public int attempts() {
    return attempts;
  }

  /** How long one attempt may run, if this policy limits it. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  /** How long all attempts may take together, if that is limited. */
  public Optional<Duration> deadline() {
    return Optional.ofNullable(deadline);
  }

  /** Whether attempts with uncertain effects may be tried again. */
  public boolean isIdempotent() {
    return idempotent;
  }

  /** What pays for retries, if it is not the worker's own. */
  public Optional<RetryBudget> budget() {
    return Optional.ofNullable(budget);
  }

  /**
   * Whether {@code failure} is of a kind that is tried again: it asks for it, or the predicate says
   * so, and it is not marked {@link DoNotRetry}. Says nothing about attempts, time or budget.
   */
  public boolean retries(Throwable failure) {
    FailureSigns signs = FailureSigns.of(failure);
    return !signs.isFinal() && (signs.asksForRetry() || retryable.test(failure));
  }

  /** The longest back-off before the {@code retry}-th retry, from 1. */
  public Duration longestBackoff(int retry) {
    return Duration.ofNanos(longestBackoffNanos(retry));
  }

  /**
   * Draws the back-off before the {@code retry}-th retry, from 1, and adds it to what the failure
   * asks for.
   */
  public Duration drawBackoff(int retry, Duration retryAfter) {
    long asked = Durations.nanos("retryAfter", retryAfter);
    long drawn = draw(longestBackoffNanos(retry));
    long sum = asked + drawn;
    return Duration.ofNanos(sum < 0 ? Long.MAX_VALUE : sum);
  }

  private long longestBackoffNanos(int retry) {
    if (retry < 1) {
      throw new IllegalArgumentException("retry is " + retry + ", but they are counted from 1");
    }
    // A double saturates by itself; what it loses in the last bits is far below the jitter.
    double grown = baseNanos == 0 ? 0 : baseNanos * Math.pow(multiplier, retry - 1);
    return grown >= capNanos ? capNanos : (long) grown;
  }

  private long draw(long longest) {
    if (longest == 0) {
      return 0;
    }
    long bound = longest == Long.MAX_VALUE ? longest : longest + 1;
    RandomGenerator source = random;
    if (source == null) {
      return ThreadLocalRandom.current().nextLong(bound);
    }
    // Most generators are not safe for use by several threads, and the policy may be shared.
    synchronized (source) {
      return source.nextLong(bound);
    }
  }

  private static Duration positive(String what, Duration duration) {
    if (Durations.nanos(what, duration) == 0) {
      throw new IllegalArgumentException(
          what + " is zero, so no attempt could run; leave it out for no limit");
    }
    return duration;
  }

  @Override
  public String toString() {
    return "RetryPolicy[attempts %d, back-off %s x %s up to %s%s%s%s]"
        .formatted(
            attempts,
            Duration.ofNanos(baseNanos),
            multiplier,
            Duration.ofNanos(capNanos),
            timeout == null ? "" : ", timeout " + timeout,
            deadline == null ? "" : ", deadline " + deadline,
            idempotent ? ", idempotent" : "");
  }

  /** A policy being changed; never seen by others. */
  private static final class Draft {
    final int attempts;
    long baseNanos = DEFAULT_BASE.toNanos();
    double multiplier = 2;
    long capNanos = DEFAULT_CAP.toNanos();
    @Nullable Duration timeout;
    @Nullable Duration deadline;
    Predicate<? super Throwable> retryable = failure -> failure instanceof Exception;
    boolean idempotent;
    @Nullable RetryBudget budget;
    @Nullable RandomGenerator random;

    Draft(int attempts) {
      this.attempts = attempts;
    }

    Draft(RetryPolicy policy) {
      this.attempts = policy.attempts;
      this.baseNanos = policy.baseNanos;
      this.multiplier = policy.multiplier;
      this.capNanos = policy.capNanos;
      this.timeout = policy.timeout;
      this.deadline = policy.deadline;
      this.retryable = policy.retryable;
      this.idempotent = policy.idempotent;
      this.budget = policy.budget;
      this.random = policy.random;
    }
  }
}
