package io.headgate.jdbc;

import io.headgate.Outcome;
import io.headgate.jdbc.Counts.Counter;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How outcomes are recorded and how the oldest leave, within the transaction under way. Bounded by
 * number and by bytes; an id leaves the window of duplicates with its outcome.
 */
final class History {

  /** Outcomes that leave in one transaction beyond twice those that came. */
  private static final int SMALL_STEP = 64;

  private final StoreSettings settings;
  private final int history;
  private int recorded;

  History(StoreSettings settings, int history) {
    this.settings = settings;
    this.history = history;
  }

  void begin() {
    recorded = 0;
  }

  /** Jobs of which the outcome was recorded in the transaction under way, or the last one. */
  int recorded() {
    return recorded;
  }

  void record(StoreSession session, JobRow row, Outcome outcome, byte @Nullable [] payload)
      throws SQLException {
    Counts counts = session.counts;
    counts.add(
        switch (outcome) {
          case Outcome.Completed done -> Counter.COMPLETED;
          case Outcome.Failed failure -> Counter.FAILED;
          case Outcome.Interrupted stopped -> Counter.INTERRUPTED;
          case Outcome.Unstarted never -> Counter.UNSTARTED;
        },
        1);
    if (history == 0) {
      session.jobs.freeId(row.id());
    } else {
      long number = counts.next(Counter.LAST_OUTCOME);
      long size =
          session.outcomes.insert(number, outcome, now(), row.level(), row.bytes(), payload);
      session.jobs.endId(row.id(), number);
      counts.add(Counter.KEPT, 1);
      counts.add(Counter.KEPT_BYTES, size);
    }
    recorded++;
    settings.signals().reached(Signals.Point.SETTLE);
  }

  void recordCompleted(StoreSession session, List<JobRow> rows) throws SQLException {
    Counts counts = session.counts;
    counts.add(Counter.COMPLETED, rows.size());
    if (history == 0) {
      session.bulk.freeIds(rows);
    } else {
      long first = counts.next(Counter.LAST_OUTCOME);
      counts.add(Counter.LAST_OUTCOME, rows.size() - 1L);
      long size = session.bulk.complete(rows, first, now());
      counts.add(Counter.KEPT, rows.size());
      counts.add(Counter.KEPT_BYTES, size);
    }
    recorded += rows.size();
    for (int i = 0; i < rows.size(); i++) {
      settings.signals().reached(Signals.Point.SETTLE);
    }
  }

  private long now() {
    return settings.clock().getAsLong();
  }

  private boolean isTrimDue(Counts counts) {
    return isTooMany(counts) || counts.get(Counter.KEPT_BYTES) > settings.historyBytes();
  }

  private boolean isTooMany(Counts counts) {
    return counts.get(Counter.KEPT) > history;
  }

  /** Removes the oldest outcomes, a few more than were added, until both bounds hold. */
  void trim(StoreSession session) throws SQLException {
    Counts counts = session.counts;
    if (!isTrimDue(counts)) {
      return;
    }
    int step = SMALL_STEP + 2 * recorded;
    if (isTooMany(counts)) {
      long tooMany = Math.min(step, counts.get(Counter.KEPT) - history);
      remove(
          session, session.outcomes.sumOfOldest(counts.get(Counter.FIRST_OUTCOME), (int) tooMany));
      step -= (int) tooMany;
    }
    if (step > 0 && isTrimDue(counts)) {
      OutcomeTable.Oldest sum = new OutcomeTable.Oldest(0, 0, 0);
      for (OutcomeTable.Oldest each :
          session.outcomes.oldest(counts.get(Counter.FIRST_OUTCOME), step)) {
        if (counts.get(Counter.KEPT_BYTES) - sum.size() <= settings.historyBytes()) {
          break;
        }
        sum = new OutcomeTable.Oldest(each.last(), sum.number() + 1, sum.size() + each.size());
      }
      remove(session, sum);
    }
  }

  private static void remove(StoreSession session, OutcomeTable.Oldest oldest) throws SQLException {
    if (oldest.number() > 0) {
      Counts counts = session.counts;
      session.outcomes.deleteUpTo(oldest.last());
      counts.add(Counter.KEPT, -oldest.number());
      counts.add(Counter.KEPT_BYTES, -oldest.size());
      counts.add(Counter.FIRST_OUTCOME, oldest.last() + 1 - counts.get(Counter.FIRST_OUTCOME));
    }
  }
}
