package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Suspension;
import org.jspecify.annotations.Nullable;

/**
 * The place of one unfinished job in the {@link Account}. Entries are used again, so that accepting
 * a job allocates nothing; all fields are guarded by the account's lock, but {@code job} and {@code
 * attempt} belong to the claimant while the job is running.
 */
final class Entry<T> implements Claim<T> {

  /** Where the job is. */
  enum Place {
    /** In the pool, without a job. */
    FREE,
    /** In the queue. */
    WAITING,
    /** With a claimant. */
    RUNNING,
    /** Between attempts, or never started, until a time. */
    SUSPENDED,
    /** Between attempts, in the line of those that may go on. */
    DUE
  }

  static final int NOT_TIMED = -1;

  Place place = Place.FREE;
  @Nullable Job<T> job;
  int attempt;

  /** Admission order. Never used twice. */
  long sequence;

  long bytes;

  /** Reading at which the time to live, back-off or delay is over; meaningful only in a heap. */
  long dueAt;

  /** Order of waiting: that of admission but for jobs that had to wait for a time first. */
  long turn;

  /** Reading at which the job began to wait; meaningful only where the age of jobs is asked for. */
  long waitsSince;

  /** The number that the job's id has in the table of ids. */
  int number;

  /** The level of the job's criticality, while it is in the queue. */
  int level;

  /** Position in the heap of those that wait with a time, or {@link #NOT_TIMED}. */
  int heapIndex = NOT_TIMED;

  /** Neighbours in the queue of one criticality or the line of the due, or the next of the pool. */
  @Nullable Entry<T> previous;

  @Nullable Entry<T> next;

  /** Who holds the job while it runs. */
  @Nullable Claimant claimant;

  /** Whether the running job was cancelled by its id, so that no other attempt may follow. */
  boolean cancelled;

  /** What is kept from the last attempt to this one; null during the first. */
  @Nullable Suspension suspension;

  /** The job's id, or null in the pool, where only an optimistic reader can meet it. */
  @Nullable String idOrNull() {
    Job<T> current = job;
    return current == null ? null : current.id();
  }

  /** Whether its time to live is over, while it waits. */
  boolean isOver(long now) {
    return heapIndex != NOT_TIMED && dueAt - now <= 0;
  }

  /** Lets go of all that belongs to the job, which has ended. */
  void free() {
    place = Place.FREE;
    job = null;
    claimant = null;
    if (suspension != null) {
      suspension = null;
    }
  }

  /** Refuses to end or suspend what is not running, such as a claim that was settled already. */
  void requireRunning() {
    if (place != Place.RUNNING) {
      throw new IllegalStateException("a job can be settled once only, this claim was already");
    }
  }

  @Override
  public Job<T> job() {
    return requireNonNull(job, "settled already");
  }

  @Override
  public int attempt() {
    return attempt;
  }

  /** The attempts of one job differ in the topmost byte, which the sequence will never reach. */
  @Override
  public long token() {
    return (attempt - 1L) << 56 | sequence;
  }

  @Override
  public @Nullable Suspension suspension() {
    return suspension;
  }
}
