package io.headgate.backlog;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.WhenFull;
import io.headgate.time.Durations;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A backlog as a durable one would be, without the disk: admissions, claims, ends and cancels count
 * only once a commit that holds many of them is over. It keeps the seam honest.
 *
 * <p>A stop of admission does not wait for the commit under way: what is in that group may still be
 * accepted, and until it is decided the backlog is not idle.
 */
final class GroupCommitBacklog<T> implements Backlog<T> {

  private static final class Row<T> implements Claim<T> {
    Job<T> job;
    long bytes;
    long sequence;
    long expiresAt;
    Claimant holder;

    boolean isOver(long now) {
      return job.timeToLive().isPresent() && expiresAt - now <= 0;
    }

    @Override
    public Job<T> job() {
      return job;
    }

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public long token() {
      return sequence;
    }
  }

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    final long bytes;
    volatile boolean woken;

    Waiter(long bytes) {
      this.bytes = bytes;
    }
  }

  private final Settings settings;
  private final BacklogListener<T> listener;
  private final GroupCommit store;

  // All guarded by the lock of the store.
  private final Map<String, Row<T>> rows = new LinkedHashMap<>();
  private final ArrayDeque<Outcome> history = new ArrayDeque<>();
  private final List<Waiter> line = new ArrayList<>();
  private final ArrayDeque<Claimant> idle = new ArrayDeque<>();
  private final List<Row<T>> abandoned = new ArrayList<>();
  private final List<Thread> watchers = new ArrayList<>();
  private int concurrency;
  private int capacity;
  private boolean admitting = true;
  private boolean groupWasOpen;
  private boolean claiming = true;
  private boolean paused;
  private boolean closed;
  private Outcome.Unstarted.Cause discarded;
  private int underWay;
  private int claimants;
  private Claimant waking;
  private long accepted;
  private long completed;
  private long failed;
  private long interrupted;
  private long unstarted;
  private boolean wasIdle = true;
  private long idleMoments;

  GroupCommitBacklog(Settings settings, BacklogListener<T> listener, Runnable disk) {
    this.settings = settings;
    this.listener = listener;
    this.concurrency = settings.concurrency();
    this.capacity = settings.capacity();
    this.store = new GroupCommit(() -> groupWasOpen = admitting, disk, this::conclude);
  }

  // ---- admission ----

  /** Decides under the lock; {@code open} is what the lifecycle was when the group was closed. */
  private interface Decision {
    Admission make(boolean open);
  }

  /** Closed is told without a commit, so that nothing new is under way after a stop. */
  private Admission admission(Decision decision) {
    Admission told =
        store.local(
            () -> {
              if (!admitting) {
                return decision.make(false);
              }
              underWay++;
              return null;
            });
    return told != null
        ? told
        : store.commit(
            () -> {
              underWay--;
              return decision.make(groupWasOpen);
            });
  }

  @Override
  public Admission admit(Job<T> job, long bytes, long submitted, WhenFull.Kind kind) {
    return admission(open -> decide(job, bytes, submitted, kind, open));
  }

  @Override
  public Admission admitWaiting(Job<T> job, long bytes, long submitted, long patienceNanos)
      throws InterruptedException {
    long patienceEnd = Durations.deadline(submitted, patienceNanos);
    Waiter waiter = new Waiter(bytes);
    Decision decision = open -> decideWaiting(job, waiter, submitted, patienceEnd, open);
    while (true) {
      Admission answer = admission(decision);
      if (answer != null) {
        return answer;
      }
      long expiry = job.timeToLive().isPresent() ? expiry(job, submitted) : patienceEnd;
      long end = expiry - patienceEnd < 0 ? expiry : patienceEnd;
      // Nothing that may park stands between the look at the mark and the park: it would eat the
      // permit.
      long wait = untilExpiry(end) - settings.ticker().nanoTime();
      while (!waiter.woken && wait > 0 && !Thread.currentThread().isInterrupted()) {
        settings.ticker().parkNanos(this, wait);
        wait = untilExpiry(end) - settings.ticker().nanoTime();
      }
      if (Thread.interrupted()) {
        store.local(() -> line.remove(waiter));
        throw new InterruptedException();
      }
    }
  }

  /** Returns null where the producer is to sleep in the line. */
  private Admission decideWaiting(
      Job<T> job, Waiter waiter, long submitted, long patienceEnd, boolean open) {
    Admission answer = decide(job, waiter.bytes, submitted, WhenFull.Kind.WAIT, open);
    boolean full =
        answer.equals(Admission.refused(Reason.FULL))
            || answer.equals(Admission.refused(Reason.FULL_BYTES));
    if (!full || !admitting || patienceEnd - settings.ticker().nanoTime() <= 0) {
      line.remove(waiter);
      return full ? Admission.refused(admitting ? Reason.TIMED_OUT : Reason.CLOSED) : answer;
    }
    waiter.woken = false;
    if (!line.contains(waiter)) {
      if (line.size() >= settings.maxWaitingProducers()
          || waiter.bytes > settings.maxWaitingBytes() - lineBytes()) {
        return Admission.refused(Reason.TOO_MANY_WAITERS);
      }
      line.add(waiter);
    }
    return null;
  }

  private Admission decide(
      Job<T> job, long bytes, long submitted, WhenFull.Kind kind, boolean open) {
    long now = settings.ticker().nanoTime();
    boolean timed = job.timeToLive().isPresent();
    if (timed && expiry(job, submitted) - now <= 0) {
      return Admission.refused(Reason.EXPIRED);
    }
    if (!open) {
      return Admission.refused(Reason.CLOSED);
    }
    if (rows.containsKey(job.id()) || remembered(job.id()).isPresent()) {
      return Admission.refused(Reason.DUPLICATE);
    }
    List<Row<T>> overdue = waiting(row -> row.isOver(now));
    overdue.sort((a, b) -> Long.signum(a.expiresAt - b.expiresAt));
    while (!fits(bytes) && !overdue.isEmpty()) {
      endUnstarted(overdue.removeFirst(), Outcome.Unstarted.Cause.EXPIRED);
    }
    if (!fits(bytes)) {
      if (kind == WhenFull.Kind.REFUSE || kind == WhenFull.Kind.WAIT) {
        return Admission.refused(rows.size() >= limit() ? Reason.FULL : Reason.FULL_BYTES);
      }
      if (!shed(job, bytes, kind)) {
        return Admission.refused(Reason.SHED);
      }
    }
    Row<T> row = new Row<>();
    row.job = job;
    row.bytes = bytes;
    row.sequence = accepted++;
    row.expiresAt = timed ? expiry(job, submitted) : 0;
    rows.put(job.id(), row);
    if (discarded != null) {
      abandoned.add(row);
      endUnstarted(row, discarded);
    }
    return Admission.accepted();
  }

  private static long expiry(Job<?> job, long submitted) {
    return Durations.deadline(submitted, job.timeToLive().orElseThrow().toNanos());
  }

  private boolean shed(Job<T> job, long bytes, WhenFull.Kind kind) {
    boolean oldest = kind == WhenFull.Kind.SHED_OLDEST;
    int least = oldest ? 0 : 1;
    List<Row<T>> victims =
        waiting(row -> row.job.criticality().compareTo(job.criticality()) >= least);
    if (!oldest) {
      victims.sort(Comparator.comparing((Row<T> row) -> row.job.criticality()).reversed());
    }
    long slots = victims.size();
    long freed = victims.stream().mapToLong(row -> row.bytes).sum();
    if (rows.size() - slots >= limit() || bytes > byteRoom() + freed) {
      return false;
    }
    while (!fits(bytes)) {
      endUnstarted(victims.removeFirst(), Outcome.Unstarted.Cause.SHED);
    }
    return true;
  }

  private long limit() {
    return (long) concurrency + capacity;
  }

  private long byteRoom() {
    return settings.capacityBytes() - rows.values().stream().mapToLong(row -> row.bytes).sum();
  }

  private long lineBytes() {
    return line.stream().mapToLong(waiter -> waiter.bytes).sum();
  }

  private boolean fits(long bytes) {
    return rows.size() < limit() && bytes <= byteRoom();
  }

  private List<Row<T>> waiting(Predicate<Row<T>> which) {
    return new ArrayList<>(
        rows.values().stream().filter(row -> row.holder == null).filter(which).toList());
  }

  private long untilExpiry(long end) {
    return store.local(
        () -> {
          long first = end;
          for (Row<T> row : waiting(row -> row.job.timeToLive().isPresent())) {
            first = row.expiresAt - first < 0 ? row.expiresAt : first;
          }
          return first;
        });
  }

  // ---- claims and ends ----

  @Override
  public void enrol(Claimant claimant) {
    store.local(
        () -> {
          claimants++;
          return rest(claimant);
        });
  }

  @Override
  public void decline(Claimant claimant) {
    // Nobody is woken by this, or one that never can come would spin.
    store.lock.lock();
    try {
      waking = null;
      idle.addLast(claimant);
    } finally {
      store.lock.unlock();
    }
  }

  @Override
  public Claim<T> claim(Claimant claimant) {
    return store.commit(() -> next(claimant));
  }

  @SuppressWarnings("ReferenceEquality") // a claimant is itself
  private Row<T> next(Claimant claimant) {
    waking = waking == claimant ? null : waking;
    if (claimants <= concurrency && mayClaim()) {
      for (Row<T> row : waiting(any -> true)) {
        if (!row.isOver(settings.ticker().nanoTime())) {
          row.holder = claimant;
          return row;
        }
        endUnstarted(row, Outcome.Unstarted.Cause.EXPIRED);
      }
    }
    return rest(claimant);
  }

  private Row<T> rest(Claimant claimant) {
    if (closed || claimants > concurrency) {
      claimants--;
      store.afterwards(claimant::dismiss);
    } else {
      idle.addFirst(claimant);
    }
    return null;
  }

  private int running() {
    return (int) rows.values().stream().filter(row -> row.holder != null).count();
  }

  private boolean mayClaim() {
    return claiming && !paused && running() < concurrency;
  }

  @Override
  public Claim<T> settleAndClaim(Claim<T> finished, Settlement settlement, Claimant claimant) {
    return store.commit(
        () -> {
          end(finished, settlement);
          return next(claimant);
        });
  }

  @Override
  public void settle(Claim<T> finished, Settlement settlement) {
    store.commit(
        () -> {
          end(finished, settlement);
        });
  }

  @SuppressWarnings("ReferenceEquality") // this very claim
  private void end(Claim<T> finished, Settlement settlement) {
    Row<T> row = rows.get(finished.job().id());
    if (row != finished) {
      throw new IllegalStateException("this claim was settled before");
    }
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
    record(row, settlement.outcome(row.job.id(), 1));
  }

  private void endUnstarted(Row<T> row, Outcome.Unstarted.Cause cause) {
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

  @Override
  public CancelResult cancel(String jobId) {
    return store.commit(
        () -> {
          Row<T> row = rows.get(jobId);
          if (row == null) {
            return remembered(jobId).isPresent() ? CancelResult.ENDED : CancelResult.UNKNOWN;
          }
          if (row.holder != null) {
            store.afterwards(row.holder::cancelClaimed);
            return CancelResult.SIGNALLED;
          }
          endUnstarted(row, Outcome.Unstarted.Cause.CANCELLED);
          return CancelResult.UNSTARTED;
        });
  }

  // ---- stop, pause, limits: of this process, at once ----

  @Override
  public void stopAdmission() {
    store.local(
        () -> {
          admitting = false;
          line.forEach(this::wake);
        });
  }

  @Override
  public void discardWaiting(Outcome.Unstarted.Cause cause) {
    store.local(
        () -> {
          claiming = false;
          discarded = cause;
        });
    store.commit(
        () -> {
          for (Row<T> row : waiting(any -> true)) {
            abandoned.add(row);
            endUnstarted(row, cause);
          }
        });
  }

  @Override
  public void dismissClaimants() {
    store.local(
        () -> {
          claiming = false;
          closed = true;
          dismissIdle(0);
        });
  }

  private void dismissIdle(int remaining) {
    while (!idle.isEmpty() && claimants > remaining) {
      claimants--;
      store.afterwards(idle.removeFirst()::dismiss);
    }
  }

  @Override
  public void pause(boolean pause) {
    store.local(() -> paused = pause);
  }

  @Override
  public void resize(int newConcurrency, int newCapacity) {
    store.local(
        () -> {
          concurrency = newConcurrency;
          capacity = newCapacity;
          dismissIdle(newConcurrency);
        });
  }

  /** The end of every section: who is woken now, and whether all has ended. */
  private void conclude() {
    long awake = line.stream().filter(waiter -> waiter.woken).count();
    if (admitting && awake < limit() - rows.size()) {
      line.stream()
          .filter(waiter -> !waiter.woken && waiter.bytes <= byteRoom())
          .findFirst()
          .ifPresent(this::wake);
    }
    if (!idle.isEmpty() && waking == null && mayClaim() && rows.size() > running()) {
      waking = idle.removeFirst();
      store.afterwards(waking::wake);
    }
    boolean isIdle = rows.isEmpty() && underWay == 0;
    if (isIdle && !wasIdle) {
      idleMoments++;
      watchers.forEach(thread -> store.afterwards(() -> LockSupport.unpark(thread)));
      if (!admitting) {
        store.afterwards(listener::idle);
      }
    }
    wasIdle = isIdle;
  }

  private void wake(Waiter waiter) {
    waiter.woken = true;
    store.afterwards(() -> LockSupport.unpark(waiter.thread));
  }

  // ---- what is known ----

  private Optional<Outcome> remembered(String jobId) {
    return history.stream().filter(outcome -> outcome.jobId().equals(jobId)).findFirst();
  }

  @Override
  public Optional<Outcome> outcome(String jobId) {
    return store.local(() -> remembered(jobId));
  }

  @Override
  public boolean isIdle() {
    return store.local(() -> rows.isEmpty() && underWay == 0);
  }

  @Override
  public boolean awaitIdle(long nanos) throws InterruptedException {
    long end = Durations.deadline(settings.ticker().nanoTime(), nanos);
    Thread self = Thread.currentThread();
    long moments = store.local(() -> watchers.add(self) && wasIdle ? -1 : idleMoments);
    try {
      while (true) {
        long remaining = end - settings.ticker().nanoTime();
        if (store.local(() -> idleMoments != moments)) {
          return true;
        }
        if (remaining <= 0) {
          return false;
        }
        settings.ticker().parkNanos(this, remaining);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      store.local(() -> watchers.remove(self));
    }
  }

  @Override
  public Tally tally() {
    return store.local(
        () ->
            new Tally(
                accepted,
                completed,
                failed,
                interrupted,
                unstarted,
                rows.size() - running(),
                0,
                0,
                running(),
                waiting(any -> true).stream().mapToLong(row -> row.bytes).sum(),
                rows.values().stream().filter(r -> r.holder != null).mapToLong(r -> r.bytes).sum(),
                line.size(),
                lineBytes(),
                List.copyOf(history)));
  }

  @Override
  public List<String> abandoned() {
    return store.local(
        () -> {
          List<Row<T>> all = new ArrayList<>(abandoned);
          if (closed) {
            all.addAll(rows.values());
          }
          all.sort(Comparator.comparingLong(row -> row.sequence));
          return all.stream().map(row -> row.job.id()).toList();
        });
  }
}
