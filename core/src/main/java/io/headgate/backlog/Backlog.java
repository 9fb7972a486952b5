package io.headgate.backlog;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import io.headgate.WhenFull;
import io.headgate.time.Ticker;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where accepted jobs are kept, and the one place that decides on admission, claims and ends. The
 * worker around it is the same for every backlog: threads, attempts, cancellation, stop, report.
 *
 * <p>Admission is one atomic step: lifecycle, duplicate, room in items and bytes, enqueue. Claims
 * never exceed the concurrency. Every accepted job is settled exactly once. All methods may be
 * called by any thread; none calls back into the worker while it holds a lock.
 *
 * @param <T> the payload
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public interface Backlog<T> {

  /**
   * Decides on {@code job} at once, without waiting for room. A durable backlog waits for its
   * commit.
   *
   * @param job a job with a valid id
   * @param bytes its weighed size, zero or more and no more than the whole budget
   * @param submittedNanos when the submit call began on the ticker; read only where the job has a
   *     time to live
   * @param whenFull what to do without room; {@link WhenFull.Kind#WAIT} is answered as {@link
   *     WhenFull.Kind#REFUSE} is
   * @return accepted, or refused CLOSED, DUPLICATE, EXPIRED, RATE_LIMITED, FULL, FULL_BYTES, SHED
   *     or UNAVAILABLE
   */
  Admission admit(Job<T> job, long bytes, long submittedNanos, WhenFull.Kind whenFull);

  /**
   * What is told of a job that somebody else refuses, for {@code reason}: that one, or the refusal
   * of this backlog that comes before it: EXPIRED, CLOSED, DUPLICATE or UNAVAILABLE. Changes
   * nothing.
   *
   * @param submittedNanos as for {@link #admit}
   */
  Admission refusal(Job<T> job, long submittedNanos, Reason reason);

  /**
   * Decides on {@code job}, waiting for room at most {@code patienceNanos} from {@code
   * submittedNanos}. Until it is accepted the job is in no count but that of waiting producers.
   *
   * @return accepted, or refused CLOSED, DUPLICATE, EXPIRED, RATE_LIMITED, TIMED_OUT,
   *     TOO_MANY_WAITERS or UNAVAILABLE
   * @throws InterruptedException if interrupted while waiting; nothing is accepted then
   */
  Admission admitWaiting(Job<T> job, long bytes, long submittedNanos, long patienceNanos)
      throws InterruptedException;

  /** Adds an idle claimant, to be woken when there is a job for it. */
  void enrol(Claimant claimant);

  /**
   * Takes back a claimant that was woken and cannot come, the last to be woken again. The next
   * event wakes somebody for the job that lies there.
   */
  void decline(Claimant claimant);

  /**
   * Claims the first ready job for a claimant that holds none, or makes it idle. Called by one that
   * was woken, or that has just settled.
   *
   * @return the claim, or null: the claimant is idle and will be woken, or was dismissed
   */
  @Nullable Claim<T> claim(Claimant claimant);

  /**
   * Records the end of a claimed job and claims the next one, in one atomic step: the outcome
   * first, then the slot.
   *
   * @return as {@link #claim}
   * @throws IllegalStateException if {@code finished} was settled before
   */
  @Nullable Claim<T> settleAndClaim(Claim<T> finished, Settlement settlement, Claimant claimant);

  /**
   * The first half of {@link #settleAndClaim}: the claimant holds nothing then, and must ask again.
   *
   * @throws IllegalStateException if {@code finished} was settled before
   */
  void settle(Claim<T> finished, Settlement settlement);

  /**
   * Suspends a claimed job between two attempts: it keeps its place and its bytes, and nobody holds
   * it. The claimant holds nothing then, and must ask again. What a time to live says counts no
   * more.
   *
   * @return {@link RetryCut#NONE} if it is suspended; else {@link RetryCut#STOP} or {@link
   *     RetryCut#CANCEL}, and nothing has changed: the claimant still holds the job and settles it
   * @throws IllegalStateException if {@code finished} was settled or suspended before
   */
  RetryCut suspend(Claim<T> finished, Suspension suspension);

  /**
   * Makes suspended jobs whose time has come ready to be claimed: those between attempts ahead of
   * those that wait for their first, first in first out by the end of their suspension, those that
   * never ran behind them. And lets claims go on that waited for a free start.
   *
   * @return the nanoseconds until the next suspended one may go on or the next start is expected to
   *     be free, whichever comes first; {@link Long#MAX_VALUE} if nothing waits for a time
   */
  long wakeDue(long nowNanos);

  /**
   * Lets no job have another attempt from now on, and ends those between two attempts, due or not,
   * as failed with their last error, cut short by the stop; those whose delay is not over end as
   * unstarted for {@code cause}. A durable backlog keeps them for the next start instead.
   * Idempotent.
   */
  void stopRetries(Outcome.Unstarted.Cause cause);

  /** Ends a waiting or suspended job, or tells the claimant of a running one. */
  CancelResult cancel(String jobId);

  /** Returns the outcome of {@code jobId} if it is still remembered. */
  Optional<Outcome> outcome(String jobId);

  /** Refuses every later job and wakes every waiting producer with CLOSED. Idempotent. */
  void stopAdmission();

  /**
   * A stop has begun, and admission is stopped. A backlog whose waiting jobs outlive the process
   * lets none of them be claimed from now on, unless it was told to drain them; it is idle once
   * nothing runs. All others go on claiming until the deadline of the stop, and do nothing here.
   */
  default void stopClaims() {}

  /**
   * Whether accepted jobs outlive the process: then a stop keeps those that wait or are between two
   * attempts for the next start, and what fails meanwhile may still be suspended.
   */
  default boolean keepsJobs() {
    return false;
  }

  /**
   * Ends every waiting job as unstarted for {@code cause}, those between two attempts as {@link
   * #stopRetries} does, and lets none be claimed from now on. A backlog whose waiting jobs outlive
   * the process leaves them for the next start instead.
   */
  void discardWaiting(Outcome.Unstarted.Cause cause);

  /**
   * Dismisses every claimant, now or when it settles what it holds. Nothing is claimed any more;
   * what still runs may still be settled, so what settling needs stays until then.
   */
  void dismissClaimants();

  /**
   * Stops claims while {@code paused}; admission goes on. Once admission has stopped a pause is
   * ignored, for what is never claimed cannot drain.
   */
  void pause(boolean paused);

  /** Sets how many jobs may run at once, and how many more may be unfinished. Never waits. */
  void resize(int concurrency, int capacity);

  /** Whether every accepted job has an outcome. */
  boolean isIdle();

  /** Whether jobs can be accepted and ended now; false while a store is away. Never blocks. */
  default boolean isAvailable() {
    return true;
  }

  /** Waits until every accepted job has an outcome, at most {@code nanos}; whether it is so. */
  boolean awaitIdle(long nanos) throws InterruptedException;

  /** Returns a consistent picture of the ledger. */
  Tally tally();

  /** Returns what is cheap to tell of how much there is to do. */
  Load load();

  /**
   * Returns the ids that a stop left unstarted or interrupted so far, and those still running once
   * claimants are dismissed, in admission order and whatever the history bound.
   */
  List<String> abandoned();

  /** Makes the backlog of one worker. */
  @FunctionalInterface
  interface Factory<T> {
    /** Opens a backlog with {@code settings} that tells {@code listener} what happens in it. */
    Backlog<T> open(Settings settings, BacklogListener<T> listener);

    /**
     * Whether its backlogs start jobs as {@code discipline} says. A worker that is given another
     * one is not started. Only first in, first out unless overridden.
     */
    default boolean follows(Discipline discipline) {
      return discipline.isFifo();
    }

    /**
     * Whether other processes take jobs of the same store, each with limits of its own. False
     * unless overridden.
     */
    default boolean isShared() {
      return false;
    }
  }

  /**
   * The limits of a backlog.
   *
   * @param concurrency jobs that may run at once
   * @param capacity jobs that may be unfinished beyond that
   * @param capacityBytes weighed bytes of all unfinished jobs; {@link Long#MAX_VALUE} is unbounded
   * @param maxWaitingProducers producers that may wait for room at once
   * @param maxWaitingBytes weighed bytes of what they want to submit
   * @param history outcomes kept; {@link Integer#MAX_VALUE} keeps all
   * @param discipline which waiting job is started next, and when
   * @param ticker the source of time
   */
  record Settings(
      int concurrency,
      int capacity,
      long capacityBytes,
      int maxWaitingProducers,
      long maxWaitingBytes,
      int history,
      Discipline discipline,
      Ticker ticker) {

    /** Settings of a backlog that starts jobs first in, first out. */
    public Settings(
        int concurrency,
        int capacity,
        long capacityBytes,
        int maxWaitingProducers,
        long maxWaitingBytes,
        int history,
        Ticker ticker) {
      this(
          concurrency,
          capacity,
          capacityBytes,
          maxWaitingProducers,
          maxWaitingBytes,
          history,
          Discipline.FIFO,
          ticker);
    }
  }
}
