package io.headgate.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the requests of a group within its transaction, those of a kind together. They were all laid
 * there at the same time, so any order is right; this one is the best for each: ends make room for
 * newcomers, and newcomers find the claimants that those ends have freed.
 */
final class GroupRun {

  private final Desk desk;
  private final Ledger ledger;

  // Kept from group to group, empty in between.
  private final List<StepRequest<?>> steps = new ArrayList<>();
  private final List<StepRequest<?>> claiming = new ArrayList<>();
  private final List<AdmissionRequest> newcomers = new ArrayList<>();
  private final List<JobRow> rows = new ArrayList<>();
  private final List<NewJob> jobs = new ArrayList<>();

  GroupRun(Desk desk, Ledger ledger) {
    this.desk = desk;
    this.ledger = ledger;
  }

  /** Runs all of them; whatever it throws, the transaction is to be rolled back. */
  void together(List<Request> group, boolean open) throws SQLException {
    try {
      for (Request request : group) {
        if (request instanceof StepRequest<?> step) {
          steps.add(step);
        } else if (request instanceof AdmissionRequest newcomer) {
          newcomers.add(newcomer);
        } else {
          request.runAndCollect(ledger, open);
        }
      }
      end();
      admit(open);
      claim();
    } finally {
      steps.clear();
      claiming.clear();
      newcomers.clear();
      rows.clear();
      jobs.clear();
    }
  }

  /** Runs each by itself, so that one that the store does not take fails alone. */
  void oneByOne(List<Request> group, boolean open) throws SQLException {
    for (Request request : group) {
      Throwable why = alone(request, open);
      if (why != null && request.simplify()) {
        why = alone(request, open);
      }
      if (why != null && !request.failedAlone(why)) {
        throw new SQLException("a request that must not be lost failed", why);
      }
    }
  }

  private @Nullable Throwable alone(Request request, boolean open) throws SQLException {
    Counts before = ledger.savepoint();
    try {
      request.runAndCollect(ledger, open);
      ledger.session().release();
      return null;
    } catch (SQLException e) {
      ledger.rollbackTo(before, e);
      return e;
    } catch (RuntimeException | Error e) {
      ledger.rollbackTo(before, e);
      return e;
    }
  }

  private void end() throws SQLException {
    for (StepRequest<?> step : steps) {
      JobRow completed = step.completed();
      if (completed != null) {
        rows.add(completed);
      } else if (step.isEnd()) {
        step.end(ledger);
        step.collect(ledger);
      }
    }
    if (!rows.isEmpty()) {
      ledger.completeAll(rows);
      rows.clear();
    }
  }

  // ---- newcomers ----

  private void admit(boolean open) throws SQLException {
    int first = 0;
    Counts before = ledger.counts();
    for (int i = 0; i < newcomers.size(); i++) {
      AdmissionRequest newcomer = newcomers.get(i);
      if (jobs.isEmpty()) {
        first = i;
        before = ledger.counts().copy();
      }
      if (ledger.countIfPlain(newcomer.job(), open)) {
        jobs.add(newcomer.job());
      } else {
        accept(first, before, open);
        newcomer.runAndCollect(ledger, open);
      }
    }
    accept(first, before, open);
  }

  /** Accepts the jobs gathered, which are those of the newcomers from {@code first} on. */
  private void accept(int first, Counts before, boolean open) throws SQLException {
    int count = jobs.size();
    if (count == 0) {
      return;
    }
    boolean areAccepted = ledger.acceptAll(jobs, before);
    jobs.clear();
    for (AdmissionRequest newcomer : newcomers.subList(first, first + count)) {
      if (areAccepted) {
        newcomer.accepted();
      } else {
        newcomer.runAndCollect(ledger, open); // one of them is a duplicate: it will turn out
      }
    }
  }

  // ---- claims ----

  private void claim() throws SQLException {
    for (StepRequest<?> step : steps) {
      step.started(null);
    }
    desk.mayClaim(steps, ledger.counts(), claiming);
    int first = 0;
    for (int i = 0; i < claiming.size(); i++) {
      if (rows.isEmpty()) {
        first = i;
      }
      JobRow row = ledger.takePlain();
      if (row != null) {
        rows.add(row);
      } else {
        start(first);
        StepRequest<?> step = claiming.get(i);
        step.started(ledger.claim());
        step.collect(ledger);
      }
    }
    start(first);
  }

  /** Starts the jobs gathered, for the claimants from {@code first} on. */
  private void start(int first) throws SQLException {
    if (!rows.isEmpty()) {
      long token = ledger.startAll(rows);
      for (int i = 0; i < rows.size(); i++) {
        claiming.get(first + i).started(rows.get(i).started(token + i));
      }
      rows.clear();
    }
  }
}
