package io.headgate.jdbc;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.JobError;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import io.headgate.WhenFull;
import io.headgate.backlog.Settlement;
import io.headgate.jdbc.Counts.Counter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every transition of a job, each within the transaction under way: rows and counters change
 * together or not at all. Belongs to the writer; docs/internals/state-machines.md is its table.
 */
final class Ledger {

  /** Jobs that one step may end on its way to another, so that no transaction grows without end. */
  static final int MAX_ENDED_ON_THE_WAY = 256;

  /** A job to be admitted. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record NewJob(String id, int level, long bytes, long expiresAt, byte[] payload) {}

  /** A waiting or due job that ended by itself. */
  record Ended(JobRow row, Outcome outcome) {}

  private final StoreSettings settings;
  private final Room room;
  private final int history;
  private StoreSession session;

  /** What was ended since somebody last took it. */
  private List<Ended> ended = new ArrayList<>(0);

  /** Jobs up to here are known not to wait; waiting jobs are claimed in order. */
  private long cursor;

  private long committedCursor;
  private int recorded;

  /** Whether there may be a waiting job with a time to live. */
  private boolean timed = true;

  Ledger(StoreSettings settings, Room room, int history, StoreSession session) {
    this.settings = settings;
    this.room = room;
    this.history = history;
    this.session = session;
  }

  // ---- transactions ----

  void begin() throws SQLException {
    recorded = 0;
    session.begin();
  }

  void commit() throws SQLException {
    if (recorded > 0 || isTrimDue()) {
      trim();
    }
    session.saveCounts();
    settings.signals().reached(Signals.Point.COMMIT);
    session.commit();
    committedCursor = cursor;
    settings.signals().reached(Signals.Point.COMMITTED);
  }

  void rollback() {
    cursor = committedCursor;
    ended = new ArrayList<>(0);
    session.rollback();
  }

  /** Goes on with another connection. */
  void use(StoreSession fresh) {
    session = fresh;
    cursor = 0;
    committedCursor = 0;
  }

  StoreSession session() {
    return session;
  }

  /** Jobs of which the outcome was recorded in the transaction under way, or the last one. */
  int ended() {
    return recorded;
  }

  Counts counts() {
    return session.counts;
  }

  /** Takes what ended by itself since the last call. */
  List<Ended> takeEnded() {
    if (ended.isEmpty()) {
      return List.of();
    }
    List<Ended> taken = ended;
    ended = new ArrayList<>(0);
    return taken;
  }

  long now() {
    return settings.clock().getAsLong();
  }

  // ---- admission ----

  /** Accepts a job or says why not, in the fixed order of reasons. */
  Admission admit(NewJob job, WhenFull.Kind whenFull, boolean open) throws SQLException {
    boolean timed = job.expiresAt() != JobRow.NEVER;
    long now = timed ? now() : 0;
    if (timed && job.expiresAt() <= now) {
      return Admission.refused(Reason.EXPIRED);
    }
    if (!open) {
      return Admission.refused(Reason.CLOSED);
    }
    if (!fits(job.bytes())) {
      if (session.jobs.find(job.id()) != null) {
        return Admission.refused(Reason.DUPLICATE);
      }
      expireOverdue(job.bytes());
      if (!fits(job.bytes())) {
        Reason lacking = counts().unfinished() >= room.limit() ? Reason.FULL : Reason.FULL_BYTES;
        switch (whenFull) {
          case REFUSE, WAIT -> {
            return Admission.refused(lacking);
          }
          case SHED_OLDEST, SHED_LEAST_CRITICAL -> {
            if (!shed(job.level(), job.bytes(), whenFull)) {
              return Admission.refused(Reason.SHED);
            }
          }
        }
      }
    }
    return accept(job) ? Admission.accepted() : Admission.refused(Reason.DUPLICATE);
  }

  private boolean accept(NewJob job) throws SQLException {
    long seq = counts().get(Counter.ACCEPTED) + 1;
    if (!session.jobs.takeId(job.id(), seq)) {
      return false;
    }
    session.jobs.insert(seq, job.id(), job.level(), job.bytes(), job.expiresAt(), job.payload());
    timed |= job.expiresAt() != JobRow.NEVER;
    counts().add(Counter.ACCEPTED, 1);
    counts().move(JobState.WAITING, job.level(), job.bytes(), 1);
    settings.signals().reached(Signals.Point.ADMIT);
    return true;
  }

  /** When the first waiting job expires. Outside a transaction. */
  long firstExpiry() throws SQLException {
    if (!timed) {
      return JobRow.NEVER;
    }
    long first = session.jobs.firstExpiry();
    timed = first != JobRow.NEVER;
    return first;
  }

  private boolean fits(long bytes) {
    return room.fits(counts(), bytes);
  }

  private void expireOverdue(long bytes) throws SQLException {
    long now = now();
    for (int i = 0; i < MAX_ENDED_ON_THE_WAY && !fits(bytes); i++) {
      JobRow overdue = session.jobs.firstExpired(now);
      if (overdue == null) {
        return;
      }
      endUnstarted(overdue, Outcome.Unstarted.Cause.EXPIRED);
    }
  }

  private boolean shed(int level, long bytes, WhenFull.Kind whenFull) throws SQLException {
    boolean oldestFirst = whenFull == WhenFull.Kind.SHED_OLDEST;
    int highest = oldestFirst ? level : level + 1;
    long slotsShort = counts().unfinished() + 1 - room.limit();
    long bytesShort = bytes - room.bytesLeft(counts());
    if (counts().waitingFrom(highest) < Math.max(1, slotsShort)
        || counts().waitingBytesFrom(highest) < bytesShort) {
      return false;
    }
    while (!fits(bytes)) {
      JobRow victim =
          oldestFirst ? session.jobs.oldestFromLevel(cursor, level) : leastCriticalBelow(level);
      if (victim == null) {
        throw new SQLException("the waiting jobs do not add up to their counters");
      }
      endUnstarted(victim, Outcome.Unstarted.Cause.SHED);
    }
    return true;
  }

  private @Nullable JobRow leastCriticalBelow(int level) throws SQLException {
    for (int each = Counts.LEVELS - 1; each > level; each--) {
      JobRow oldest =
          each == 1 ? session.jobs.oldestFromLevel(cursor, 1) : session.jobs.oldestOfLevel(each);
      if (oldest != null) {
        return oldest;
      }
    }
    return null;
  }

  // ---- claims ----

  /** Starts the next job and returns it as it is then; null if there is none. */
  @Nullable JobRow claim() throws SQLException {
    for (int i = 0; i < MAX_ENDED_ON_THE_WAY; i++) {
      JobRow row = counts().get(Counter.DUE) > 0 ? session.jobs.firstDue() : null;
      if (row == null) {
        row = counts().waitingFrom(0) > 0 ? session.jobs.firstWaiting(cursor) : null;
        if (row == null) {
          return null;
        }
        cursor = row.seq();
      }
      if (row.state() == JobState.DUE && row.deadlineAt() <= nowFor(row.deadlineAt())) {
        endFailed(row, RetryCut.DEADLINE);
      } else if (row.state() == JobState.WAITING && row.expiresAt() <= nowFor(row.expiresAt())) {
        endUnstarted(row, Outcome.Unstarted.Cause.EXPIRED);
      } else {
        return start(row);
      }
    }
    return null;
  }

  private long nowFor(long time) {
    return time == JobRow.NEVER ? 0 : now();
  }

  private JobRow start(JobRow row) throws SQLException {
    long token = counts().next(Counter.LAST_TOKEN);
    session.jobs.start(row.seq(), token, row.attempt() + 1, row.lost() + 1);
    leave(row);
    counts().move(JobState.RUNNING, row.level(), row.bytes(), 1);
    settings.signals().reached(Signals.Point.CLAIM);
    return row.started(token);
  }

  // ---- between attempts ----

  /** Suspends what was claimed; false if it is fenced off. The start under way has an end. */
  boolean suspend(JobRow claimed, long due, long deadline, JobError error, int retriesBelow)
      throws SQLException {
    return place(claimed, claimed.suspended(due, deadline, error, retriesBelow));
  }

  /** Lets those go on whose time has come; returns the time of the next, or never. */
  long wakeDue() throws SQLException {
    for (int i = 0; i < MAX_ENDED_ON_THE_WAY; i++) {
      JobRow first = counts().get(Counter.SUSPENDED) > 0 ? session.jobs.firstSuspended() : null;
      if (first == null) {
        return JobRow.NEVER;
      }
      if (first.dueAt() > now()) {
        return first.dueAt();
      }
      session.jobs.makeDue(first.seq());
      leave(first);
      counts().move(JobState.DUE, first.level(), first.bytes(), 1);
    }
    return now();
  }

  /** When the first suspended job is due. */
  long firstDue() throws SQLException {
    JobRow first = counts().get(Counter.SUSPENDED) > 0 ? session.jobs.firstSuspended() : null;
    return first == null ? JobRow.NEVER : first.dueAt();
  }

  // ---- ends ----

  /**
   * Ends what was claimed, or puts it where an interrupted job belongs. False if it is fenced off:
   * the claim is not the latest one, and nothing has changed.
   */
  boolean settle(JobRow claimed, Settlement settlement) throws SQLException {
    if (settlement instanceof Settlement.Interrupted stopped && stopped.byStop()) {
      return interrupt(claimed);
    }
    Outcome outcome = settlement.outcome(claimed.id(), claimed.attempt());
    byte[] payload = null;
    if (outcome instanceof Outcome.Failed) {
      JobRow row = session.jobs.find(claimed.seq());
      payload = row == null ? null : row.payload();
    }
    if (!session.jobs.removeClaimed(claimed.seq(), claimed.token())) {
      return false;
    }
    leave(claimed);
    record(claimed, outcome, payload);
    return true;
  }

  private boolean interrupt(JobRow claimed) throws SQLException {
    JobError error = Errors.unknownEnd("the job was interrupted by a stop");
    JobRow back = claimed.ended(claimed.attempt(), claimed.uncertain() + 1, error);
    return switch (settings.uncertain()) {
      case RERUN -> place(claimed, back.backTo(JobState.DUE, now()).attempt(claimed.attempt() - 1));
      case HOLD -> place(claimed, back.backTo(JobState.HELD, now()));
      case FAIL -> settle(claimed, new Settlement.Failed(error));
    };
  }

  /** What a dead process left running: the start is lost. */
  void recover(JobRow row) throws SQLException {
    JobError error = Errors.unknownEnd("the process ended while the job ran");
    JobRow back = row.ended(row.attempt(), row.uncertain() + 1, error).lost(row.lost());
    switch (settings.uncertain()) {
      case RERUN -> {
        boolean isPoison = row.lost() >= settings.maxStarts();
        place(row, back.backTo(isPoison ? JobState.HELD : JobState.DUE, now()));
      }
      case HOLD -> place(row, back.backTo(JobState.HELD, now()));
      case FAIL -> settle(row, new Settlement.Failed(error));
    }
  }

  private boolean place(JobRow from, JobRow to) throws SQLException {
    if (!session.jobs.place(from.state(), to)) {
      return false;
    }
    leave(from);
    counts().move(to.state(), to.level(), to.bytes(), 1);
    return true;
  }

  /** Ends or finds a job by its id; a running one is only found. */
  CancelResult cancel(String id) throws SQLException {
    JobTable.Known known = session.jobs.find(id);
    if (known == null) {
      return CancelResult.UNKNOWN;
    }
    JobRow row = known.isEnded() ? null : session.jobs.find(known.seq());
    if (row == null) {
      return CancelResult.ENDED;
    }
    return switch (row.state()) {
      case RUNNING -> CancelResult.SIGNALLED;
      case WAITING -> {
        endUnstarted(row, Outcome.Unstarted.Cause.CANCELLED);
        yield CancelResult.UNSTARTED;
      }
      case SUSPENDED, DUE, HELD -> {
        endFailed(row, row.state() == JobState.HELD ? RetryCut.NONE : RetryCut.CANCEL);
        yield CancelResult.ENDED;
      }
    };
  }

  void endUnstarted(JobRow row, Outcome.Unstarted.Cause cause) throws SQLException {
    end(row, new Outcome.Unstarted(row.id(), cause), null);
  }

  private void endFailed(JobRow row, RetryCut cut) throws SQLException {
    JobError error = row.lastError();
    end(
        row,
        new Outcome.Failed(
            row.id(), row.attempt(), error == null ? Errors.unknownEnd("") : error, cut),
        row.payload());
  }

  private void end(JobRow row, Outcome outcome, byte @Nullable [] payload) throws SQLException {
    session.jobs.remove(row.seq());
    leave(row);
    record(row, outcome, payload);
    ended.add(new Ended(row, outcome));
  }

  private void leave(JobRow row) {
    counts().move(row.state(), row.level(), row.bytes(), -1);
  }

  private void record(JobRow row, Outcome outcome, byte @Nullable [] payload) throws SQLException {
    counts()
        .add(
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
      long number = counts().next(Counter.LAST_OUTCOME);
      long size =
          session.outcomes.insert(number, outcome, now(), row.level(), row.bytes(), payload);
      session.jobs.endId(row.id(), number);
      counts().add(Counter.KEPT, 1);
      counts().add(Counter.KEPT_BYTES, size);
    }
    recorded++;
    settings.signals().reached(Signals.Point.SETTLE);
  }

  // ---- decisions ----

  /** Ends a held job, or lets it wait again; false if there is none of that id. */
  boolean decide(String id, Decision decision) throws SQLException {
    JobTable.Known known = session.jobs.find(id);
    JobRow row = known == null || known.isEnded() ? null : session.jobs.find(known.seq());
    if (row == null || row.state() != JobState.HELD) {
      return false;
    }
    switch (decision) {
      case RERUN -> place(row, row.lost(0).backTo(JobState.DUE, now()));
      case COMPLETE -> end(row, new Outcome.Completed(id, row.attempt()), null);
      case FAIL -> endFailed(row, RetryCut.NONE);
    }
    return true;
  }

  /** Takes a failed job out of the history and accepts it anew; false if there is none. */
  boolean requeue(String id) throws SQLException {
    OutcomeTable.FailedJob failed = session.outcomes.failed(id);
    if (failed == null) {
      return false;
    }
    session.outcomes.delete(failed.number());
    session.jobs.freeId(id);
    counts().add(Counter.KEPT, -1);
    counts().add(Counter.KEPT_BYTES, -failed.size());
    return accept(new NewJob(id, failed.level(), failed.bytes(), JobRow.NEVER, failed.payload()));
  }

  // ---- history ----

  private boolean isTrimDue() {
    return counts().get(Counter.KEPT) > history
        || counts().get(Counter.KEPT_BYTES) > settings.historyBytes();
  }

  /** Removes the oldest outcomes, a few more than were added, until both bounds hold. */
  private void trim() throws SQLException {
    if (!isTrimDue()) {
      return;
    }
    long last = 0;
    for (OutcomeTable.Oldest oldest :
        session.outcomes.oldest(counts().get(Counter.FIRST_OUTCOME), 64 + 2 * recorded)) {
      if (!isTrimDue()) {
        break;
      }
      counts().add(Counter.KEPT, -1);
      counts().add(Counter.KEPT_BYTES, -oldest.size());
      last = oldest.number();
    }
    if (last > 0) {
      session.outcomes.deleteUpTo(last);
      counts().add(Counter.FIRST_OUTCOME, last + 1 - counts().get(Counter.FIRST_OUTCOME));
    }
  }
}
