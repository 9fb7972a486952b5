package io.headgate.jdbc;

import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The two halves of a step of a claimant, either of which may be absent. */
final class StepRequest<T> extends Request {

  private final @Nullable StoredClaim<T> finished;
  private final @Nullable Settlement settlement;
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
    if (finished != null && settlement != null) {
      // Fenced off: the store has decided on this job without us, and that stands.
      ledger.settle(finished.row(), settlement);
    }
    started = null;
    if (claimant != null && desk.mayClaim(claimant, ledger.counts())) {
      started = ledger.claim();
    }
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
