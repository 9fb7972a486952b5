package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Claim;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a slot has to do with other attempts at the job that it runs. Used by the slot's thread;
 * {@link #forbid} and {@link #isRetried} by any that the handler hands its context to.
 */
final class Repeats<T> {

  private static final long OUT_OF_MEMORY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final System.Logger LOGGER = System.getLogger(Repeats.class.getName());

  private final Crew<T> crew;

  /** That of the attempt under way; null where nobody retries. */
  private volatile @Nullable Lineage lineage;

  /** The attempt under way, if its handler said that no other may follow. */
  private volatile @Nullable Attempt<T> forbidden;

  Repeats(Crew<T> crew) {
    this.crew = crew;
  }

  /** An attempt begins, which is retried by this worker or by somebody above. */
  void enter(Job<T> job, @Nullable Suspension before) {
    Retries retries = crew.retries();
    Lineage own = job.lineage();
    if (retries != null && before == null) {
      retries.firstAttempt();
    }
    if (retries != null && retries.ownsRetries()) {
      own = Lineage.begin(own, before == null ? 0 : before.retriesBelow());
    }
    if (own != null) {
      own.enter();
      lineage = own;
    }
  }

  /** The attempt has ended; {@code repeated} if another follows or it was itself not the first. */
  void leave(boolean repeated) {
    Lineage own = lineage;
    if (own == null) {
      return;
    }
    Retries retries = crew.retries();
    if (retries != null && retries.ownsRetries()) {
      own.end(repeated);
    }
    lineage = null;
    forbidden = null;
    Lineage.leave();
  }

  /** No other attempt may follow this one. */
  void forbid(Attempt<T> attempt) {
    // Without a lineage there is no other attempt to forbid.
    if (lineage != null) {
      forbidden = attempt;
    }
  }

  /** Whether the attempt under way may be repeated by somebody. */
  boolean isRetried() {
    Lineage own = lineage;
    return own != null && own.isRetried();
  }

  /** Whatever foreign code or a full heap does to the decision, the job must be settled. */
  @SuppressWarnings("ReferenceEquality") // the same attempt
  Retries.Decision decide(
      Claim<T> claim,
      Attempt<T> attempt,
      Throwable thrown,
      @Nullable CancelCause cause,
      Settlement.Failed failed,
      long startedAt) {
    try {
      Retries retries = requireNonNull(crew.retries());
      return retries.decide(
          new Retries.Failure(
              thrown,
              cause,
              failed.error(),
              claim.attempt(),
              retries.deadline(startedAt, claim.suspension()),
              forbidden == attempt,
              lineage,
              claim.job().lineage()));
    } catch (Throwable t) {
      LOGGER.log(
          Level.ERROR, "worker " + crew.name() + " could not decide on a retry; there is none", t);
      return Retries.UNDECIDED;
    }
  }

  /** Suspends, however little memory there is, or says why not. */
  RetryCut suspend(Claim<T> claim, Suspension suspension) {
    while (true) {
      try {
        return crew.backlog().suspend(claim, suspension);
      } catch (OutOfMemoryError e) {
        LockSupport.parkNanos(this, OUT_OF_MEMORY_PAUSE_NANOS);
      }
    }
  }

  /** Sees to it that a job which was suspended goes on in time. */
  void expect(Job<T> job, int attempt, Suspension suspension) {
    try {
      crew.timekeeper().expect(suspension.untilNanos());
    } catch (Throwable t) {
      LOGGER.log(
          Level.ERROR,
          "worker " + crew.name() + " could not start its timekeeper; retries come late",
          t);
    }
    long left = suspension.untilNanos() - crew.ticker().nanoTime();
    crew.observers().suspended(job, attempt, Duration.ofNanos(Math.max(0, left)));
  }

  /** A failure after which no other attempt follows, and why. */
  static Settlement cutShort(Settlement settlement, RetryCut cut) {
    return settlement instanceof Settlement.Failed failed && failed.retriesCutShort() != cut
        ? new Settlement.Failed(failed.error(), cut)
        : settlement;
  }
}
