package io.headgate.backlog;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import io.headgate.WhenFull;
import io.headgate.time.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A backlog as a durable one would be, without the disk: admissions, claims, ends and cancels count
 * only once a commit that holds many of them is over. It keeps the seam honest.
 *
 * <p>A stop of admission does not wait for the commit under way: what is in that group may still be
 * accepted, and until it is decided the backlog is not idle.
 */
final class GroupCommitBacklog<T> implements Backlog<T> {

  private final Settings settings;
  private final BacklogListener<T> listener;
  private final GroupCommit store;

  // All guarded by the lock of the store.
  private final CommittedLedger<T> ledger;
  private final GroupCommitAdmission<T> admission;
  private final EnrolledClaimants claimants;
  private final List<Thread> watchers = new ArrayList<>();
  private boolean claiming = true;
  private boolean paused;
  private boolean wasIdle = true;
  private long idleMoments;

  GroupCommitBacklog(Settings settings, BacklogListener<T> listener, Runnable disk) {
    this.settings = settings;
    this.listener = listener;
    this.store = new GroupCommit(this::closeGroup, disk, this::conclude);
    this.ledger = new CommittedLedger<>(settings, store, listener);
    this.admission = new GroupCommitAdmission<>(settings, store, ledger);
    this.claimants = new EnrolledClaimants(store, settings.concurrency());
  }

  private void closeGroup() {
    admission.closeGroup();
  }

  /** The end of every section: who is woken now, and whether all has ended. */
  private void conclude() {
    admission.wakeFirstFitting();
    if (mayClaim() && !ledger.ready().isEmpty()) {
      claimants.wakeOne();
    }
    boolean isIdle = hasEnded();
    if (isIdle && !wasIdle) {
      idleMoments++;
      watchers.forEach(thread -> store.afterwards(() -> LockSupport.unpark(thread)));
      if (!admission.isOpen()) {
        store.afterwards(listener::idle);
      }
    }
    wasIdle = isIdle;
  }

  private boolean mayClaim() {
    return claiming && !paused && ledger.hasFreeSlot();
  }

  private boolean hasEnded() {
    return ledger.isEmpty() && !admission.isUnderWay();
  }

  // ---- admission ----

  @Override
  public Admission admit(Job<T> job, long bytes, long submitted, WhenFull.Kind kind) {
    return admission.admit(job, bytes, submitted, kind);
  }

  @Override
  public Admission refusal(Job<T> job, long submitted, Reason reason) {
    return admission.refusal(job, submitted, reason);
  }

  @Override
  public Admission admitWaiting(Job<T> job, long bytes, long submitted, long patienceNanos)
      throws InterruptedException {
    return admission.admitWaiting(job, bytes, submitted, patienceNanos);
  }

  // ---- claims and ends ----

  @Override
  public void enrol(Claimant claimant) {
    store.local(() -> claimants.enrol(claimant));
  }

  @Override
  public void decline(Claimant claimant) {
    // Nobody is woken by this, or one that never can come would spin.
    store.lock.lock();
    try {
      claimants.decline(claimant);
    } finally {
      store.lock.unlock();
    }
  }

  @Override
  public Claim<T> claim(Claimant claimant) {
    return store.commit(() -> next(claimant));
  }

  private Claim<T> next(Claimant claimant) {
    if (claimants.arrive(claimant) && mayClaim()) {
      for (CommittedLedger.Row<T> row : ledger.ready()) {
        long now = settings.ticker().nanoTime();
        if (row.isTooLate(now)) {
          ledger.failBetween(row, RetryCut.DEADLINE);
        } else if (row.isOver(now)) {
          ledger.endUnstarted(row, Outcome.Unstarted.Cause.EXPIRED);
        } else {
          ledger.takeDue(row);
          row.start(claimant);
          return row;
        }
      }
    }
    claimants.rest(claimant);
    return null;
  }

  @Override
  public Claim<T> settleAndClaim(Claim<T> finished, Settlement settlement, Claimant claimant) {
    return store.commit(
        () -> {
          ledger.end(finished, settlement);
          return next(claimant);
        });
  }

  @Override
  public void settle(Claim<T> finished, Settlement settlement) {
    store.commit(() -> ledger.end(finished, settlement));
  }

  @Override
  public RetryCut suspend(Claim<T> finished, Suspension suspension) {
    return store.commit(() -> ledger.suspend(finished, suspension));
  }

  @Override
  public long wakeDue(long nowNanos) {
    return store.commit(() -> ledger.wakeDue(nowNanos));
  }

  @Override
  public void stopRetries(Outcome.Unstarted.Cause cause) {
    store.commit(() -> ledger.stopRetries(cause));
  }

  @Override
  public CancelResult cancel(String jobId) {
    return store.commit(
        () -> {
          CommittedLedger.Row<T> row = ledger.unfinished(jobId);
          if (row == null) {
            boolean ended = ledger.remembered(jobId).isPresent();
            return ended ? CancelResult.ENDED : CancelResult.UNKNOWN;
          }
          if (row.isBetweenAttempts()) {
            ledger.failBetween(row, RetryCut.CANCEL);
            return CancelResult.ENDED;
          }
          if (row.holder != null) {
            row.cancel();
            store.afterwards(row.holder::cancelClaimed);
            return CancelResult.SIGNALLED;
          }
          ledger.endUnstarted(row, Outcome.Unstarted.Cause.CANCELLED);
          return CancelResult.UNSTARTED;
        });
  }

  // ---- stop, pause, limits: of this process, at once ----

  @Override
  public void stopAdmission() {
    store.local(admission::stop);
  }

  @Override
  public void discardWaiting(Outcome.Unstarted.Cause cause) {
    store.local(
        () -> {
          claiming = false;
          admission.discardNewcomers(cause);
        });
    store.commit(
        () -> {
          ledger.stopRetries(cause);
          ledger.waiting().forEach(row -> ledger.abandon(row, cause));
        });
  }

  @Override
  public void dismissClaimants() {
    store.local(
        () -> {
          claiming = false;
          claimants.dismissAll();
        });
  }

  @Override
  public void pause(boolean pause) {
    store.local(() -> paused = pause);
  }

  @Override
  public void resize(int concurrency, int capacity) {
    store.local(
        () -> {
          ledger.resize(concurrency, capacity);
          claimants.resize(concurrency);
        });
  }

  // ---- what is known ----

  @Override
  public Optional<Outcome> outcome(String jobId) {
    return store.local(() -> ledger.remembered(jobId));
  }

  @Override
  public boolean isIdle() {
    return store.local(this::hasEnded);
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
    return store.local(() -> ledger.tally(admission.waitingProducers(), admission.waitingBytes()));
  }

  @Override
  public Load load() {
    Tally tally = tally();
    return new Load(tally.unfinished(), tally.ended(), -1, false);
  }

  @Override
  public List<String> abandoned() {
    return store.local(() -> ledger.abandoned(claimants.areDismissed()));
  }
}
