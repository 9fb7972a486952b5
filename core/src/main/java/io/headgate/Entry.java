package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
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
    RUNNING
  }

  static final int NOT_TIMED = -1;

  Place place = Place.FREE;
  @Nullable Job<T> job;
  int attempt;

  /** Admission order, and the fencing token. Never used twice. */
  long sequence;

  long bytes;

  /** Reading at which the time to live is over; meaningful only while timed. */
  long expiresAt;

  /**
   * The spread hash of the job's id, while it is in the table of ids: settling need not touch the
   * job.
   */
  int idHash;

  /** The level of the job's criticality, while it is in the queue. */
  int level;

  /** Position in the heap of timed entries, or {@link #NOT_TIMED}. */
  int heapIndex = NOT_TIMED;

  /** Neighbours in the queue of one criticality, or the next of the pool. */
  @Nullable Entry<T> previous;

  @Nullable Entry<T> next;

  /** Who holds the job while it runs. */
  @Nullable Claimant claimant;

  /** The job's id, or null in the pool, where only an optimistic reader can meet it. */
  @Nullable String idOrNull() {
    Job<T> current = job;
    return current == null ? null : current.id();
  }

  @Override
  public Job<T> job() {
    return requireNonNull(job, "settled already");
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public long token() {
    return sequence;
  }
}
