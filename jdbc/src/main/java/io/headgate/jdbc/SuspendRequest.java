package io.headgate.jdbc;

import io.headgate.JobError;
import io.headgate.RetryCut;
import java.sql.SQLException;

/** Puts a claimed job between two attempts, unless somebody has cancelled it meanwhile. */
final class SuspendRequest extends Request {

  private final StoredClaim<?> claim;
  private final Desk desk;
  private final long due;
  private final long deadline;
  private JobError error;
  private final int retriesBelow;
  private RetryCut cut = RetryCut.NONE;

  SuspendRequest(
      StoredClaim<?> claim, Desk desk, long due, long deadline, JobError error, int retriesBelow) {
    this.claim = claim;
    this.desk = desk;
    this.due = due;
    this.deadline = deadline;
    this.error = error;
    this.retriesBelow = retriesBelow;
  }

  @Override
  void run(Ledger ledger, boolean open) throws SQLException {
    cut = desk.isCancelled(claim) ? RetryCut.CANCEL : RetryCut.NONE;
    if (cut == RetryCut.NONE) {
      // Fenced off: the store has decided on this job without us, and that stands.
      ledger.suspend(claim.row(), due, deadline, error, retriesBelow);
    }
  }

  @Override
  void committed(Desk here) {
    if (cut == RetryCut.NONE) {
      here.running.remove(claim.row().id(), claim);
    }
  }

  /** An error that the store does not take is recorded without its message. */
  @Override
  boolean simplify() {
    error = Errors.bare(error);
    return true;
  }

  /** An end is not given up. */
  @Override
  boolean failed(Desk here, StoreException why) {
    return true;
  }

  RetryCut cut() {
    return cut;
  }
}
