package io.headgate.jdbc;

import java.sql.SQLException;

/** Makes suspended jobs whose time has come ready to be claimed. */
final class WakeDueRequest extends Request {

  private long next = JobRow.NEVER;

  @Override
  boolean mayFail() {
    return true;
  }

  @Override
  void run(Ledger ledger, boolean open) throws SQLException {
    next = ledger.wakeDue();
  }

  /** When the next one is due. */
  long next() {
    return next;
  }
}
