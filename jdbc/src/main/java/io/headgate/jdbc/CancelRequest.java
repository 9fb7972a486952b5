package io.headgate.jdbc;

import io.headgate.CancelResult;
import io.headgate.backlog.Claimant;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Ends a job by its id, or finds who runs it here. */
final class CancelRequest extends Request {

  private final String jobId;
  private CancelResult result = CancelResult.UNKNOWN;
  private @Nullable Claimant holder;

  CancelRequest(String jobId) {
    this.jobId = jobId;
  }

  @Override
  boolean mayFail() {
    return true;
  }

  @Override
  void run(Ledger ledger, boolean open) throws SQLException {
    result = ledger.cancel(jobId);
  }

  @Override
  void committed(Desk desk) {
    holder = desk.cancelRunning(jobId);
  }

  CancelResult result() {
    return result;
  }

  @Nullable Claimant holder() {
    return holder;
  }
}
