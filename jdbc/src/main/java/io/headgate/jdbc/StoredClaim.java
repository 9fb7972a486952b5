package io.headgate.jdbc;

import static java.util.Objects.requireNonNull;

import io.headgate.Job;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Suspension;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A job that was started here, under the token of that start. Made by the writer, filled in by the
 * thread that claimed it, and used for one claim only.
 */
final class StoredClaim<T> implements Claim<T> {

  final Claimant claimant;
  private JobRow row;
  private @Nullable Job<T> job;
  private @Nullable Suspension suspension;

  /** Told to stop by its id, so that no other attempt follows. Guarded by the lock of the desk. */
  boolean cancelled;

  private final AtomicBoolean settled = new AtomicBoolean();

  StoredClaim(JobRow row, Claimant claimant) {
    this.row = row;
    this.claimant = claimant;
  }

  JobRow row() {
    return row;
  }

  /** Gives the claim its job; the bytes of the payload are not needed any more. */
  void decoded(Job<T> decoded, @Nullable Suspension before) {
    job = decoded;
    suspension = before;
    row = row.withoutPayload();
  }

  /** The claimant still holds the job after all. */
  void unsettle() {
    settled.set(false);
  }

  /** Marks the claim as settled. */
  void settleOnce() {
    if (settled.getAndSet(true)) {
      throw new IllegalStateException("a job can be settled once only, this claim was already");
    }
  }

  @Override
  public Job<T> job() {
    return requireNonNull(job, "not decoded yet");
  }

  @Override
  public int attempt() {
    return row.attempt();
  }

  @Override
  public @Nullable Suspension suspension() {
    return suspension;
  }

  @Override
  public int uncertainStarts() {
    return row.uncertain();
  }

  @Override
  public long token() {
    return row.token();
  }

  @Override
  public String toString() {
    return "StoredClaim[" + row + "]";
  }
}
