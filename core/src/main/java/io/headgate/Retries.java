package io.headgate;

import io.headgate.backlog.Suspension;
import io.headgate.retry.FailureSigns;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decides for one worker whether a failed attempt is followed by another. Thread-safe. */
final class Retries {

  /** What is to follow: a suspension, or none and the reason. */
  record Decision(RetryCut cut, @Nullable Suspension suspension) {}

  /** No other attempt, for no reason that the policy knows. */
  static final Decision UNDECIDED = new Decision(RetryCut.NONE, null);

  /**
   * An attempt that has failed.
   *
   * @param thrown what its handler threw
   * @param cause who had told it to stop, or null
   * @param error what is kept of it
   * @param number from 1
   * @param deadline when all attempts of the job must have ended; read only where there is one
   * @param isFinal whether its handler said that no other may follow
   * @param lineage of the attempt
   * @param above lineage of the attempt that submitted the job, or null
   */
  record Failure(
      Throwable thrown,
      @Nullable CancelCause cause,
      JobError error,
      int number,
      long deadline,
      boolean isFinal,
      @Nullable Lineage lineage,
      @Nullable Lineage above) {}

  private static final System.Logger LOGGER = System.getLogger(Retries.class.getName());

  private final String worker;
  private final RetryPolicy policy;
  private final RetryBudget budget;
  private final Ticker ticker;
  private final long deadlineNanos;
  private volatile boolean stopped;

  Retries(String worker, RetryPolicy policy, Ticker ticker) {
    this.worker = worker;
    this.policy = policy;
    this.ticker = ticker;
    this.budget =
        policy.budget().orElseGet(() -> RetryBudget.builder().ticker(ticker).build(worker));
    this.deadlineNanos =
        policy.deadline().map(d -> Durations.nanos("deadline", d)).orElse(Long.MAX_VALUE);
    if (ownsRetries()) {
      Lineage.use();
    }
  }

  /** Whether there is ever more than one attempt. */
  boolean ownsRetries() {
    return policy.attempts() > 1;
  }

  boolean hasDeadline() {
    return deadlineNanos != Long.MAX_VALUE;
  }

  /** When all attempts of a job must have ended of which one started at {@code startedAt}. */
  long deadline(long startedAt, @Nullable Suspension before) {
    return before == null ? Durations.deadline(startedAt, deadlineNanos) : before.deadlineNanos();
  }

  /** The first attempt of a job begins. */
  void firstAttempt() {
    budget.deposit();
  }

  /** The worker stops: from now on nothing is charged for what cannot happen. */
  void stop() {
    stopped = true;
  }

  /** Decides, and charges the budget if there is to be another attempt. Asks foreign code. */
  Decision decide(Failure failure) {
    FailureSigns signs = FailureSigns.of(failure.thrown());
    boolean timedOut = failure.cause() == CancelCause.TIMEOUT;
    if (failure.number() >= policy.attempts() || failure.isFinal()) {
      return none(RetryCut.NONE);
    }
    if (signs.isFinal()) {
      return none(signs.isOverload() ? RetryCut.OVERLOADED : RetryCut.NONE);
    }
    if (!timedOut && !retries(failure.thrown())) {
      return none(RetryCut.NONE);
    }
    RetryCut cut = cutBeforeCharge(failure, timedOut || signs.effectsUncertain());
    if (cut != RetryCut.NONE) {
      return none(cut);
    }
    long now = ticker.nanoTime();
    Duration backoff = policy.drawBackoff(failure.number(), signs.retryAfter());
    long until = Durations.deadline(now, Durations.nanos("backoff", backoff));
    if (hasDeadline() && failure.deadline() - until <= 0) {
      return none(RetryCut.DEADLINE);
    }
    if (!budget.withdraw()) {
      return none(RetryCut.BUDGET);
    }
    Lineage.countRetry(failure.above());
    Lineage lineage = failure.lineage();
    return new Decision(
        RetryCut.NONE,
        new Suspension(
            until,
            hasDeadline() ? failure.deadline() : Durations.deadline(now, Long.MAX_VALUE),
            failure.error(),
            lineage == null ? 0 : lineage.retriesBelow()));
  }

  private RetryCut cutBeforeCharge(Failure failure, boolean effectsUncertain) {
    if (failure.cause() == CancelCause.CANCEL) {
      return RetryCut.CANCEL;
    }
    if (stopped || failure.cause() == CancelCause.STOP) {
      return RetryCut.STOP;
    }
    if (effectsUncertain && !policy.isIdempotent()) {
      return RetryCut.UNCERTAIN;
    }
    Lineage lineage = failure.lineage();
    int below = lineage == null ? 0 : lineage.retriesBelow();
    if (Lineage.isLeftToOthers(failure.above()) || failure.number() + below >= policy.attempts()) {
      return RetryCut.NESTED;
    }
    return RetryCut.NONE;
  }

  private boolean retries(Throwable thrown) {
    try {
      return policy.retries(thrown);
    } catch (Throwable t) {
      LOGGER.log(
          Level.WARNING,
          "worker " + worker + ": the predicate of its retry policy threw; the job is not retried",
          t);
      return false;
    }
  }

  private static Decision none(RetryCut cut) {
    return new Decision(cut, null);
  }
}
