package io.headgate.jdbc;

import io.headgate.backlog.Backlog;
import io.headgate.jdbc.Counts.Counter;
import java.sql.SQLException;
import java.util.List;

/**
 * What happens to the jobs that a dead process left running, before the store is used. In pages,
 * each a transaction: a crash in the middle leaves the rest for the next recovery.
 */
final class Recovery {

  private static final int PAGE = 500;

  private final Ledger ledger;
  private final StoreSettings settings;

  Recovery(StoreSettings settings, Backlog.Settings limits, StoreSession session) {
    this.settings = settings;
    Room room = new Room(limits.concurrency(), limits.capacity(), limits.capacityBytes());
    this.ledger = new Ledger(settings, room, limits.history(), session);
  }

  /** Resolves all of them; returns how many there were. */
  long run() throws SQLException {
    long resolved = 0;
    long after = 0;
    while (ledger.counts().get(Counter.RUNNING) > 0) {
      // Jobs start in order of admission, so these are among the first; the counter says how many,
      // which keeps the search from going on through all that wait.
      int limit = (int) Math.min(PAGE, ledger.counts().get(Counter.RUNNING));
      List<JobRow> page = ledger.session().jobs.running(after, limit);
      if (page.isEmpty()) {
        throw new SQLException(
            "the counter says that jobs run, but no row does: the store is damaged");
      }
      try {
        ledger.begin();
        for (JobRow row : page) {
          ledger.recover(row);
          after = row.seq();
        }
        settings.signals().reached(Signals.Point.RECOVERY);
        ledger.commit();
      } catch (SQLException e) {
        ledger.rollback();
        throw e;
      }
      ledger.takeEnded();
      resolved += page.size();
    }
    return resolved;
  }
}
