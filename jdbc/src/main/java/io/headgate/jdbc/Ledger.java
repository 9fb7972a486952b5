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
 * together or not at all. Belongs to the writer; docs/internals/state-machines.md is its table, and
 * a little over 500 lines keep all of that table's transitions side by side.
 */
final class Ledger {

  /** Jobs that one step may end on its way to another, so that no transaction grows without end. */
  static final int MAX_ENDED_ON_THE_WAY = 256;

  /** A waiting or due job that ended by itself. */
  record Ended(JobRow row, Outcome outcome) {}

  private final StoreSettings settings;
  private final Room room;
  private final History history;
  private final WaitingFront front = new WaitingFront();
  private final MakingRoom making;
  private StoreSession session;

  /** What was ended since somebody last took it. */
  private List<Ended> ended = new ArrayList<>(0);

  /** Whether there may be a waiting job with a time to live. */
  private boolean timed = true;

  Ledger(StoreSettings settings, Room room, int history, StoreSession session) {
    this.settings = settings;
    this.room = room;
    this.history = new History(settings, history);
    this.making = new MakingRoom(this, room, front);
    this.session = session;
  }

  // ---- transactions ----

  void begin() throws SQLException {
    history.begin();
    session.begin();
  }

  void commit() throws SQLException {
    commitOnly();
    committed();
  }

  /** Commits; if it throws, nothing is committed. {@link #committed} must follow. */
  void commitOnly() throws SQLException {
    history.trim(session);
    session.saveCounts();
    settings.signals().reached(Signals.Point.COMMIT);
    session.commit();
  }

  /** Takes note of a commit. */
  void committed() {
    front.committed();
    settings.signals().reached(Signals.Point.COMMITTED);
  }

  void rollback() {
    front.rolledBack();
    ended = new ArrayList<>(0);
    session.rollback();
  }

  /** Marks where {@link #rollbackTo} goes back to; returns the counters of now. */
  Counts savepoint() throws SQLException {
    session.savepoint();
    return session.counts.copy();
  }

  /**
   * Undoes what was done since the mark, because of {@code why}.
   *
   * @throws SQLException if that is not possible, or if {@code why} is not of one request alone
   */
  void rollbackTo(Counts mark, Throwable why) throws SQLException {
    if (why instanceof SQLException failure && settings.dialect().isOfTheStore(failure)) {
      throw failure;
    }
    front.rolledBack();
    ended = new ArrayList<>(0);
    session.rollbackTo(mark);
  }

  /** Goes on with another connection. */
  void use(StoreSession fresh) {
    session = fresh;
    front.forgetAll();
  }

  StoreSession session() {
    return session;
  }

  /** Jobs of which the outcome was recorded in the transaction under way, or the last one. */
  int ended() {
    return history.recorded();
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
      making.expireOverdue(job.bytes());
      if (!fits(job.bytes())) {
        Reason lacking = counts().unfinished() >= room.limit() ? Reason.FULL : Reason.FULL_BYTES;
        switch (whenFull) {
          case REFUSE, WAIT -> {
            return Admission.refused(lacking);
          }
          case SHED_OLDEST, SHED_LEAST_CRITICAL -> {
            if (!making.shed(job.level(), job.bytes(), whenFull)) {
              return Admission.refused(Reason.SHED);
            }
          }
        }
      }
    }
    return accept(job) ? Admission.accepted() : Admission.refused(Reason.DUPLICATE);
  }

  private boolean accept(NewJob job) throws SQLException {
    long seq = counts().get(Counter.LAST_SEQ) + 1;
    if (!session.jobs.takeId(job.id(), seq)) {
      return false;
    }
    session.jobs.insert(seq, job);
    count(job);
    admitted(job, seq);
    return true;
  }

  private void count(NewJob job) {
    counts().add(Counter.ACCEPTED, 1);
    counts().add(Counter.LAST_SEQ, 1);
    JobState place = job.isDelayed() ? JobState.SUSPENDED : JobState.WAITING;
    counts().move(place, job.level(), job.bytes(), 1);
  }

  private void admitted(NewJob job, long seq) {
    if (!job.isDelayed()) {
      enqueued(
          JobRow.waiting(seq, job.id(), job.level(), job.bytes(), job.expiresAt(), job.payload()));
    }
    settings.signals().reached(Signals.Point.ADMIT);
  }

  private void enqueued(JobRow row) {
    timed |= row.expiresAt() != JobRow.NEVER;
    front.admitted(row);
  }

  /** Counts a job that can be accepted if its id is free, where that is all there is to decide. */
  boolean countIfPlain(NewJob job, boolean open) {
    boolean isPlain = open && !job.isDelayed() && fits(job.bytes()) && !isOver(job.expiresAt());
    if (isPlain) {
      count(job);
    }
    return isPlain;
  }

  /**
   * Accepts jobs that were counted; if one of the ids is taken, none of them.
   *
   * @param before the counters before the first of them
   * @return whether all are accepted; if not, they are not counted any more
   */
  boolean acceptAll(List<NewJob> jobs, Counts before) throws SQLException {
    long first = before.get(Counter.LAST_SEQ) + 1;
    if (session.bulk.takeIds(jobs, first) < jobs.size()) {
      session.bulk.giveIdsBack(jobs, first);
      session.counts = before;
      return false;
    }
    session.bulk.insert(jobs, first);
    for (int i = 0; i < jobs.size(); i++) {
      admitted(jobs.get(i), first + i);
    }
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

  boolean fits(long bytes) {
    return room.fits(counts(), bytes);
  }

  // ---- claims ----

  /** Starts the next job and returns it as it is then; null if there is none. */
  @Nullable JobRow claim() throws SQLException {
    for (int i = 0; i < MAX_ENDED_ON_THE_WAY; i++) {
      JobRow row = counts().get(Counter.DUE) > 0 ? session.jobs.firstDue() : null;
      row = row == null ? firstWaiting() : row;
      if (row == null) {
        return null;
      }
      if (row.state() == JobState.DUE && isOver(row.deadlineAt())) {
        endFailed(row, RetryCut.DEADLINE);
      } else if (row.state() == JobState.WAITING && isOver(row.expiresAt())) {
        endUnstarted(row, Outcome.Unstarted.Cause.EXPIRED);
      } else {
        long token = counts().next(Counter.LAST_TOKEN);
        session.jobs.start(row.seq(), token, row.attempt() + 1, row.lost() + 1);
        started(row);
        return row.started(token);
      }
    }
    return null;
  }

  private @Nullable JobRow firstWaiting() throws SQLException {
    long last = counts().get(Counter.LAST_SEQ);
    if (counts().waitingFrom(0) == 0) {
      front.nothingWaits(last);
      return null;
    }
    return front.first(session.jobs, last);
  }

  private boolean isOver(long time) {
    return time != JobRow.NEVER && time <= now();
  }

  private void started(JobRow row) {
    leave(row);
    counts().move(JobState.RUNNING, row.level(), row.bytes(), 1);
    settings.signals().reached(Signals.Point.CLAIM);
  }

  /** The next job, if it can simply be started; it is to be given to {@link #startAll}. */
  @Nullable JobRow takePlain() throws SQLException {
    JobRow row = counts().get(Counter.DUE) > 0 ? null : firstWaiting();
    if (row == null || isOver(row.expiresAt())) {
      return null;
    }
    started(row);
    return row;
  }

  /** Starts what was taken; the first gets the token that is returned, the next the next. */
  long startAll(List<JobRow> taken) throws SQLException {
    long first = counts().next(Counter.LAST_TOKEN);
    counts().add(Counter.LAST_TOKEN, taken.size() - 1L);
    if (session.bulk.start(taken, first) != taken.size()) {
      throw new SQLException("a job that was to be started did not wait");
    }
    return first;
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
      leave(first);
      if (first.isDelayed()) {
        enqueue(first);
      } else {
        session.jobs.makeDue(first.seq());
        counts().move(JobState.DUE, first.level(), first.bytes(), 1);
      }
    }
    return now();
  }

  /** A delay is over: the job comes behind all that wait already, so it takes the next number. */
  private void enqueue(JobRow row) throws SQLException {
    long seq = counts().next(Counter.LAST_SEQ);
    session.jobs.enqueue(row, seq);
    counts().move(JobState.WAITING, row.level(), row.bytes(), 1);
    enqueued(
        JobRow.waiting(seq, row.id(), row.level(), row.bytes(), row.expiresAt(), row.payload()));
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
    history.record(session, claimed, outcome, payload);
    return true;
  }

  /** Ends what was claimed as completed; throws if one is fenced off, for each to be tried. */
  void completeAll(List<JobRow> claimed) throws SQLException {
    if (session.bulk.removeClaimed(claimed) != claimed.size()) {
      throw new SQLException("one of the claims is not the latest of its job");
    }
    claimed.forEach(this::leave);
    history.recordCompleted(session, claimed);
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
        if (row.isDelayed()) {
          endUnstarted(row, Outcome.Unstarted.Cause.CANCELLED);
          yield CancelResult.UNSTARTED;
        }
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
    history.record(session, row, outcome, payload);
    ended.add(new Ended(row, outcome));
  }

  private void leave(JobRow row) {
    if (row.state() == JobState.WAITING) {
      front.left(row);
    }
    counts().move(row.state(), row.level(), row.bytes(), -1);
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
    return accept(
        new NewJob(
            id, failed.level(), failed.bytes(), JobRow.NEVER, JobRow.NEVER, failed.payload()));
  }
}
