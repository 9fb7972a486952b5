package io.headgate.backlog;

import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import io.headgate.WhenFull;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a {@link GroupCommitBacklog} would have on its disk: a row for each unfinished job, the
 * latest outcomes, the counts, and the room that they leave. All of it is guarded by the lock of
 * the store and changes in its statements only.
 */
final class CommittedLedger<T> {

  /** An accepted job without an outcome. */
  static final class Row<T> implements Claim<T> {
    private final Job<T> job;
    private final long bytes;
    private final long sequence;
    private final long expiresAt;

    /** Who runs the job; null while it waits. */
    Claimant holder;

    private int attempt;
    private Suspension suspension;
    private boolean suspended;
    private boolean cancelled;

    private Row(Job<T> job, long bytes, long sequence, long expiresAt) {
      this.job = job;
      this.bytes = bytes;
      this.sequence = sequence;
      this.expiresAt = expiresAt;
    }

    /** When a suspended one may go on. */
    private long wakesAt;

    boolean isOver(long now) {
      return isUntouched() && job.timeToLive().isPresent() && expiresAt - now <= 0;
    }

    boolean isBetweenAttempts() {
      return holder == null && attempt > 0;
    }

    /** Whether a claim may end it for its time to live, or shed it. */
    private boolean isUntouched() {
      return holder == null && attempt == 0 && !suspended;
    }

    boolean isTooLate(long now) {
      return isBetweenAttempts() && suspension.deadlineNanos() - now <= 0;
    }

    void start(Claimant claimant) {
      holder = claimant;
      attempt++;
    }

    void cancel() {
      cancelled = true;
    }

    @Override
    public Job<T> job() {
      return job;
    }

    @Override
    public int attempt() {
      return attempt;
    }

    @Override
    public long token() {
      return 1_000 * sequence + attempt;
    }

    @Override
    public Suspension suspension() {
      return suspension;
    }
  }

  private final Backlog.Settings settings;
  private final GroupCommit store;
  private final BacklogListener<T> listener;
  private final Map<String, Row<T>> rows = new LinkedHashMap<>();
  private final ArrayDeque<Outcome> history = new ArrayDeque<>();
  private final List<Row<T>> due = new ArrayList<>();
  private final List<Row<T>> abandoned = new ArrayList<>();
  private boolean retrying = true;
  private int concurrency;
  private int capacity;
  private long accepted;
  private long completed;
  private long failed;
  private long interrupted;
  private long unstarted;

  CommittedLedger(Backlog.Settings settings, GroupCommit store, BacklogListener<T> listener) {
    this.settings = settings;
    this.store = store;
    this.listener = listener;
    this.concurrency = settings.concurrency();
    this.capacity = settings.capacity();
  }

  // ---- room ----

  void resize(int newConcurrency, int newCapacity) {
    concurrency = newConcurrency;
    capacity = newCapacity;
  }

  long freePlaces() {
    return (long) concurrency + capacity - rows.size();
  }

  long byteRoom() {
    return settings.capacityBytes() - bytes(List.copyOf(rows.values()));
  }

  boolean fits(long bytes) {
    return freePlaces() > 0 && bytes <= byteRoom();
  }

  /** Why a job that does not fit does not. */
  Reason lacking() {
    return freePlaces() <= 0 ? Reason.FULL : Reason.FULL_BYTES;
  }

  boolean hasFreeSlot() {
    return running().size() < concurrency;
  }

  // ---- rows ----

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the row of an unfinished job, or null. */
  Row<T> unfinished(String jobId) {
    return rows.get(jobId);
  }

  Optional<Outcome> remembered(String jobId) {
    return history.stream().filter(outcome -> outcome.jobId().equals(jobId)).findFirst();
  }

  /** Copies the rows that may be claimed: the due, then the others in order of admission. */
  List<Row<T>> ready() {
    List<Row<T>> ready = new ArrayList<>(due);
    ready.addAll(waiting());
    return ready;
  }

  /** Copies the rows that were never started, in order of admission. */
  List<Row<T>> waiting() {
    return rows(Row::isUntouched);
  }

  /** Copies the rows that wait for a time. */
  private List<Row<T>> suspended() {
    return rows(row -> row.suspended);
  }

  private List<Row<T>> running() {
    return rows(row -> row.holder != null);
  }

  private List<Row<T>> rows(Predicate<Row<T>> which) {
    return new ArrayList<>(rows.values().stream().filter(which).toList());
  }

  private static <T> long bytes(List<Row<T>> rows) {
    return rows.stream().mapToLong(row -> row.bytes).sum();
  }

  /** When the first waiting job expires, or {@code end} if that comes first. */
  long firstExpiry(long end) {
    long first = end;
    for (Row<T> row : rows(row -> row.isUntouched() && row.job.timeToLive().isPresent())) {
      first = row.expiresAt - first < 0 ? row.expiresAt : first;
    }
    return first;
  }

  // ---- what happens to a job ----

  Row<T> accept(Job<T> job, long bytes, long expiresAt, long startsAt) {
    Row<T> row = new Row<>(job, bytes, accepted++, expiresAt);
    rows.put(job.id(), row);
    if (!job.delay().isZero()) {
      row.suspended = true;
      row.wakesAt = startsAt;
      store.afterwards(() -> listener.startsAt(startsAt));
    }
    return row;
  }

  /** Ends waiting jobs whose time to live is over, earliest first, until {@code bytes} fit. */
  void expireOverdue(long bytes, long now) {
    List<Row<T>> overdue = rows(row -> row.isUntouched() && row.isOver(now));
    overdue.sort((a, b) -> Long.signum(a.expiresAt - b.expiresAt));
    while (!fits(bytes) && !overdue.isEmpty()) {
      endUnstarted(overdue.removeFirst(), Outcome.Unstarted.Cause.EXPIRED);
    }
  }

  /** Ends as few waiting jobs as make room for {@code job}, or none; whether there is room now. */
  boolean shed(Job<T> job, long bytes, WhenFull.Kind kind) {
    boolean oldest = kind == WhenFull.Kind.SHED_OLDEST;
    int least = oldest ? 0 : 1;
    List<Row<T>> victims =
        rows(
            row ->
                row.isUntouched() && row.job.criticality().compareTo(job.criticality()) >= least);
    if (!oldest) {
      victims.sort(Comparator.comparing((Row<T> row) -> row.job.criticality()).reversed());
    }
    if (freePlaces() + victims.size() <= 0 || bytes > byteRoom() + bytes(victims)) {
      return false;
    }
    while (!fits(bytes)) {
      endUnstarted(victims.removeFirst(), Outcome.Unstarted.Cause.SHED);
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // this very claim
  private Row<T> held(Claim<T> finished) {
    Row<T> row = rows.get(finished.job().id());
    if (row != finished || row.holder == null) {
      throw new IllegalStateException("this claim was settled before");
    }
    return row;
  }

  RetryCut suspend(Claim<T> finished, Suspension suspension) {
    Row<T> row = held(finished);
    if (!retrying) {
      return RetryCut.STOP;
    }
    if (row.cancelled) {
      return RetryCut.CANCEL;
    }
    row.holder = null;
    row.suspended = true;
    row.suspension = suspension;
    row.wakesAt = suspension.untilNanos();
    return RetryCut.NONE;
  }

  /** Makes those ready whose time has come; returns how long until the next one's. */
  long wakeDue(long now) {
    List<Row<T>> suspended = suspended();
    suspended.sort((a, b) -> Long.signum(a.wakesAt - b.wakesAt));
    for (Row<T> row : suspended) {
      if (row.wakesAt - now > 0) {
        return row.wakesAt - now;
      }
      row.suspended = false;
      if (row.attempt > 0) {
        due.add(row);
      } else {
        // Behind all that wait already.
        rows.remove(row.job.id());
        rows.put(row.job.id(), row);
      }
    }
    return Long.MAX_VALUE;
  }

  /** A job leaves the line of the due, to be started. */
  void takeDue(Row<T> row) {
    due.remove(row);
  }

  void stopRetries(Outcome.Unstarted.Cause cause) {
    retrying = false;
    rows(Row::isBetweenAttempts).forEach(row -> failBetween(row, RetryCut.STOP));
    suspended().forEach(row -> abandon(row, cause));
  }

  void failBetween(Row<T> row, RetryCut cut) {
    Outcome.Failed outcome =
        new Outcome.Failed(row.job.id(), row.attempt, row.suspension.lastError(), cut);
    due.remove(row);
    failed++;
    record(row, outcome);
    store.afterwards(() -> listener.failed(row.job, outcome));
  }

  void end(Claim<T> finished, Settlement settlement) {
    Row<T> row = held(finished);
    switch (settlement) {
      case Settlement.Completed done -> completed++;
      case Settlement.Failed error -> failed++;
      case Settlement.Interrupted stop -> {
        interrupted++;
        if (stop.byStop()) {
          abandoned.add(row);
        }
      }
    }
    record(row, settlement.outcome(row.job.id(), row.attempt));
  }

  /** Ends a waiting job that a stop gives up. */
  void abandon(Row<T> row, Outcome.Unstarted.Cause cause) {
    abandoned.add(row);
    endUnstarted(row, cause);
  }

  void endUnstarted(Row<T> row, Outcome.Unstarted.Cause cause) {
    Outcome.Unstarted outcome = new Outcome.Unstarted(row.job.id(), cause);
    unstarted++;
    record(row, outcome);
    store.afterwards(() -> listener.unstarted(row.job, outcome));
  }

  private void record(Row<T> row, Outcome outcome) {
    rows.remove(row.job.id());
    history.addLast(outcome);
    if (history.size() > settings.history()) {
      history.removeFirst();
    }
  }

  // ---- what is known ----

  Tally tally(long waitingProducers, long waitingProducerBytes) {
    return new Tally(
        accepted,
        completed,
        failed,
        interrupted,
        unstarted,
        ready().size(),
        suspended().size(),
        0,
        running().size(),
        bytes(rows(row -> row.holder == null)),
        bytes(running()),
        waitingProducers,
        waitingProducerBytes,
        List.copyOf(history));
  }

  /** The ids that a stop gave up so far, in order of admission; with the unfinished if asked. */
  List<String> abandoned(boolean withUnfinished) {
    List<Row<T>> all = new ArrayList<>(abandoned);
    if (withUnfinished) {
      all.addAll(rows.values());
    }
    all.sort(Comparator.comparingLong(row -> row.sequence));
    return all.stream().map(row -> row.job.id()).toList();
  }
}
