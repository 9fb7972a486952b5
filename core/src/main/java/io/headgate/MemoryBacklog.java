package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Discipline;
import io.headgate.backlog.Load;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.backlog.Tally;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The backlog in memory: the {@link Account} under one lock, and the threads that wait for it.
 *
 * <p>Thread-safe. Only {@link #admitWaiting} and {@link #awaitIdle} block beyond the lock, which is
 * held for a bounded number of steps and never while foreign code, a log, a future or another
 * thread is called.
 */
/*
 * Every section that may change the account is enter() ... exit(); those that only look take the plain
 * lock. exit() lets the account conclude who is to be woken,
 * takes the effects into locals, unlocks, and only then unparks, wakes and tells.
 *
 * A waiting producer parks on its own thread's permit. A permit spent elsewhere (by the lock, or by
 * foreign code that was told of a victim on the way out) loses nothing: being woken is a mark in the
 * line, set before the unpark, and it is looked at last before each park, with nothing in between that
 * could park. The order in which a producer looks: interrupt, time to live, room, patience. Room before
 * patience, so that a wake-up and a timeout at once do not waste a place.
 *
 * One answer is given without the lock, by SequencedLock's optimistic reading: a full worker refuses so,
 * in order that refusals neither slow the jobs that were accepted nor one another.
 */
final class MemoryBacklog<T> implements Backlog<T> {

  private final Aftermath<T> aftermath;
  private final Ticker ticker;
  private final SequencedLock lock = new SequencedLock();

  // Guarded by lock; the account is also read optimistically.
  private final Account<T> account;
  private final IdleWatch idleWatch;
  private final BriefWait beforeParking;

  // Written under the lock when they change, which is seldom, and read without it as hints: who
  // comes to the lock then does not pull the account's cache lines from under who holds it.

  /** Whether the last admission was refused, so that the next may be, too. */
  private boolean crowded;

  /** Whether claims and admissions need the time. */
  private boolean timed;

  MemoryBacklog(Settings settings, BacklogListener<T> listener) {
    this.account = new Account<>(settings);
    this.aftermath = new Aftermath<>(listener);
    this.ticker = settings.ticker();
    this.idleWatch = new IdleWatch(lock, ticker);
    this.beforeParking = new BriefWait(ticker);
    this.timed = account.needsTime();
  }

  /** What opens backlogs in memory. */
  static <T> Factory<T> factory() {
    return new Factory<>() {
      @Override
      public Backlog<T> open(Settings settings, BacklogListener<T> listener) {
        return new MemoryBacklog<>(settings, listener);
      }

      @Override
      public boolean follows(Discipline discipline) {
        return true;
      }
    };
  }

  @Override
  public Admission admit(Job<T> job, long bytes, long submittedNanos, WhenFull.Kind whenFull) {
    if (crowded && (whenFull == WhenFull.Kind.REFUSE || whenFull == WhenFull.Kind.WAIT)) {
      Admission refusal = refuseWithoutLock(job, bytes);
      if (refusal != null) {
        return refusal;
      }
    }
    long now = enterKnowingTime(job.hasTimeToLive() || job.hasDelay());
    try {
      Admission admission = account.admit(job, bytes, submittedNanos, now, whenFull);
      if (crowded == admission.isAccepted()) {
        crowded = !crowded;
      }
      return admission;
    } finally {
      exit();
    }
  }

  private @Nullable Admission refuseWithoutLock(Job<T> job, long bytes) {
    long stamp = lock.stamp();
    if (!SequencedLock.isUseful(stamp) || job.hasTimeToLive()) {
      return null;
    }
    Admission refusal = account.refuseRacily(job, bytes);
    return refusal != null && lock.isUnchangedSince(stamp) ? refusal : null;
  }

  @Override
  public Admission refusal(Job<T> job, long submittedNanos, Reason reason) {
    long now = job.hasTimeToLive() ? ticker.nanoTime() : 0;
    lock.enterReading();
    try {
      return account.refusal(job, submittedNanos, now, reason);
    } finally {
      lock.leaveReading();
    }
  }

  @Override
  public Admission admitWaiting(Job<T> job, long bytes, long submittedNanos, long patienceNanos)
      throws InterruptedException {
    long patienceEnd = Durations.deadline(submittedNanos, patienceNanos);
    long end = patienceEnd;
    if (job.hasTimeToLive()) {
      end = Durations.earlier(end, Durations.deadline(submittedNanos, job.timeToLiveNanos()));
    }
    ProducerLine.Waiter waiter = null;
    while (true) {
      if (waiter != null && Thread.interrupted()) {
        leave(waiter);
        throw new InterruptedException();
      }
      long now = ticker.nanoTime();
      long wakeUp;
      enter();
      try {
        Admission admission = account.admit(job, bytes, submittedNanos, now, WhenFull.Kind.WAIT);
        if (isFull(admission) && patienceEnd - now > 0) {
          if (waiter != null) {
            account.sleepAgain(waiter);
          } else {
            waiter = account.join(Thread.currentThread(), bytes);
            if (waiter == null) {
              return Admission.refused(Reason.TOO_MANY_WAITERS);
            }
          }
          // A waiting job that expires makes room, and nobody else may be there to notice it.
          wakeUp = Durations.earlier(end, account.firstExpiry(end));
        } else {
          if (waiter != null) {
            account.leave(waiter);
          }
          return isFull(admission) ? Admission.refused(Reason.TIMED_OUT) : admission;
        }
      } finally {
        exit();
      }
      if (!beforeParking.hasComeSoon(waiter)) {
        ticker.parkNanos(this, wakeUp - ticker.nanoTime());
      }
    }
  }

  private static boolean isFull(Admission admission) {
    return admission instanceof Admission.Refused refused
        && (refused.reason() == Reason.FULL || refused.reason() == Reason.FULL_BYTES);
  }

  private void leave(ProducerLine.Waiter waiter) {
    enter();
    try {
      account.leave(waiter);
    } finally {
      exit();
    }
  }

  @Override
  public void enrol(Claimant claimant) {
    enter();
    try {
      account.enrol(claimant);
    } finally {
      exit();
    }
  }

  @Override
  public void decline(Claimant claimant) {
    enter();
    act(account.decline(claimant));
  }

  @Override
  public @Nullable Claim<T> claim(Claimant claimant) {
    long now = enterKnowingTime(false);
    try {
      return account.claim(claimant, now);
    } finally {
      exit();
    }
  }

  @Override
  public @Nullable Claim<T> settleAndClaim(
      Claim<T> finished, Settlement settlement, Claimant claimant) {
    Entry<T> entry = (Entry<T>) finished;
    Object kept = kept(entry, settlement);
    long now = enterKnowingTime(false);
    try {
      account.settle(entry, settlement, kept);
      return account.claim(claimant, now);
    } finally {
      exit();
    }
  }

  @Override
  public void settle(Claim<T> finished, Settlement settlement) {
    Entry<T> entry = (Entry<T>) finished;
    Object kept = kept(entry, settlement);
    enter();
    try {
      account.settle(entry, settlement, kept);
    } finally {
      exit();
    }
  }

  private Object kept(Entry<T> entry, Settlement settlement) {
    entry.requireRunning();
    String id = entry.job().id();
    return settlement instanceof Settlement.Completed && entry.attempt() == 1
        ? id
        : Ledger.kept(settlement.outcome(id, entry.attempt()));
  }

  @Override
  public RetryCut suspend(Claim<T> finished, Suspension suspension) {
    enter();
    try {
      return account.suspend((Entry<T>) finished, suspension);
    } finally {
      exit();
    }
  }

  @Override
  public long wakeDue(long nowNanos) {
    enter();
    try {
      return account.wakeDue(nowNanos);
    } finally {
      exit();
    }
  }

  @Override
  public void stopRetries(Outcome.Unstarted.Cause cause) {
    enter();
    try {
      account.stopRetries(cause);
    } finally {
      exit();
    }
  }

  @Override
  public CancelResult cancel(String jobId) {
    CancelResult result;
    Claimant holder;
    enter();
    try {
      result = account.cancel(jobId);
      holder = account.claimantOf(jobId);
    } finally {
      exit();
    }
    if (holder != null) {
      holder.cancelClaimed();
    }
    return result;
  }

  @Override
  public Optional<Outcome> outcome(String jobId) {
    lock.enterReading();
    try {
      return account.outcome(jobId);
    } finally {
      lock.leaveReading();
    }
  }

  @Override
  public void stopAdmission() {
    List<Thread> woken;
    enter();
    try {
      woken = account.stopAdmission();
    } finally {
      exit();
    }
    woken.forEach(LockSupport::unpark);
  }

  @Override
  public void discardWaiting(Outcome.Unstarted.Cause cause) {
    enter();
    try {
      account.discardWaiting(cause);
    } finally {
      exit();
    }
  }

  @Override
  public void dismissClaimants() {
    enter();
    try {
      account.dismissClaimants();
    } finally {
      exit();
    }
  }

  @Override
  public void pause(boolean paused) {
    long now = enterKnowingTime(false);
    try {
      account.pause(paused, now);
    } finally {
      exit();
    }
  }

  @Override
  public void resize(int concurrency, int capacity) {
    enter();
    try {
      account.resize(concurrency, capacity);
    } finally {
      exit();
    }
  }

  @Override
  public boolean isIdle() {
    lock.enterReading();
    try {
      return account.unfinished() == 0;
    } finally {
      lock.leaveReading();
    }
  }

  @Override
  public boolean awaitIdle(long nanos) throws InterruptedException {
    return idleWatch.await(() -> account.unfinished() == 0, nanos);
  }

  @Override
  public Tally tally() {
    Object[] kept;
    Tally tally;
    lock.enterReading();
    try {
      kept = account.kept();
      tally = account.tally(List.of());
    } finally {
      lock.leaveReading();
    }
    return tally.withOutcomes(Arrays.stream(kept).map(Ledger::outcomeOf).toList());
  }

  @Override
  public Load load() {
    long now = ticker.nanoTime();
    lock.enterReading();
    try {
      return account.load(now);
    } finally {
      lock.leaveReading();
    }
  }

  @Override
  public List<String> abandoned() {
    lock.enterReading();
    try {
      return account.abandoned();
    } finally {
      lock.leaveReading();
    }
  }

  // ---- the critical section ----

  private void enter() {
    lock.enter();
  }

  /**
   * Enters with a reading of the clock taken before the lock, where one is needed. That is known
   * for sure only inside: the first job that has something to do with time may come in between.
   */
  private long enterKnowingTime(boolean needed) {
    boolean read = needed || timed;
    while (true) {
      long now = read ? ticker.nanoTime() : 0;
      enter();
      if (read || !account.needsTime()) {
        return now;
      }
      timed = true;
      lock.leave();
      read = true;
    }
  }

  private void exit() {
    act(account.conclude());
  }

  private void act(Effects<T> effects) {
    if (effects.pending()) {
      leaveSectionAndAct(effects);
    } else {
      lock.leave();
    }
  }

  private void leaveSectionAndAct(Effects<T> effects) {
    Thread producer = effects.producer();
    List<Thread> producers = effects.producers();
    Claimant claimant = effects.claimant();
    List<Effects.Ended<T>> ended = effects.ended();
    List<Claimant> dismissed = effects.dismissed();
    boolean idle = effects.idle();
    boolean startAwaited = effects.startAwaited();
    long nextStartAt = effects.nextStartAt();
    boolean stopping = !account.admitting();
    Thread[] watchers = idle ? idleWatch.idle() : null;
    effects.clear();
    lock.leave();

    if (producer != null) {
      LockSupport.unpark(producer);
    }
    producers.forEach(LockSupport::unpark);
    if (watchers != null) {
      for (Thread watcher : watchers) {
        LockSupport.unpark(watcher);
      }
    }
    aftermath.carryOut(claimant, ended, dismissed);
    if (startAwaited) {
      aftermath.tellStart(nextStartAt);
    }
    if (idle && stopping) {
      aftermath.tellIdle();
    }
  }
}
