package io.headgate.jdbc;

import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The two halves of a step of a claimant, either of which may be absent. */
final class StepRequest<T> extends Request {

  private final @Nullable StoredClaim<T> finished;
  private @Nullable Settlement settlement;
  private final @Nullable Claimant claimant;
  private final Desk desk;
  private @Nullable JobRow started;
  private @Nullable StoredClaim<T> claimed;

  StepRequest(
      @Nullable StoredClaim<T> finished,
      @Nullable Settlement settlement,
      @Nullable Claimant claimant,
      Desk desk) {
    this.desk = desk;
    this.finished = finished;
    this.settlement = settlement;
    this.claimant = claimant;
  }

  @Override
  void run(Ledger ledger, boolean open) throws SQLException {
    end(ledger);
    started = null;
    if (claimant != null && desk.mayClaim(claimant, ledger.counts())) {
      started = ledger.claim();
    }
  }

  /** The first half alone. */
  void end(Ledger ledger) throws SQLException {
    if (finished != null && settlement != null) {
      // Fenced off: the store has decided on this job without us, and that stands.
      ledger.settle(finished.row(), settlement);
    }
  }

  /** What has completed, if that is all that the first half has to say. */
  @Nullable JobRow completed() {
    return finished != null && settlement instanceof Settlement.Completed ? finished.row() : null;
  }

  boolean isEnd() {
    return finished != null;
  }

  /** Who asks for a job. */
  @Nullable Claimant claimant() {
    return claimant;
  }

  /** The second half: the job that was started for it, or null. */
  void started(@Nullable JobRow row) {
    started = row;
  }

  /** An end that the store does not take is recorded without what may be why. */
  @Override
  boolean simplify() {
    if (settlement instanceof Settlement.Failed failed) {
      settlement = new Settlement.Failed(Errors.bare(failed.error()));
    }
    return finished != null;
  }

  @Override
  void committed(Desk here) {
    if (finished != null) {
      desk.running.remove(finished.row().id(), finished);
    }
    if (started != null && claimant != null) {
      claimed = new StoredClaim<>(started, claimant);
      desk.running.put(started.id(), claimed);
    } else if (claimant != null) {
      desk.claimants.rest(claimant, desk.todo());
    }
  }

  /** An end is not given up; a claim is. */
  @Override
  boolean failed(Desk here, StoreException why) {
    if (finished != null) {
      return true;
    }
    if (claimant != null) {
      desk.claimants.rest(claimant, desk.todo());
    }
    return false;
  }

  @Nullable StoredClaim<T> claimed() {
    return claimed;
  }
}
