package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Tally;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The backlog in memory: the {@link Account} under one lock, and the threads that wait for it.
 *
 * <p>Thread-safe. Only {@link #admitWaiting} and {@link #awaitIdle} block beyond the lock, which is
 * held for a bounded number of steps and never while foreign code, a log, a future or another
 * thread is called.
 */
/*
 * Every critical section is enter() ... exit(). exit() lets the account conclude who is to be woken,
 * takes the effects into locals, unlocks, and only then unparks, wakes and tells.
 *
 * A waiting producer parks on its own thread's permit. A permit spent elsewhere (the lock parks, too)
 * loses nothing: being woken is a mark in the line, set under the lock, and the producer looks at the
 * account under the lock before each park. The order in which it looks: interrupt, time to live,
 * room, patience. Room before patience, so that a wake-up and a timeout at once do not waste a place.
 *
 * version is odd while a section may be writing. A reader that sees the same even version before and
 * after has seen one consistent state (as in StampedLock's optimistic mode). It serves exactly one
 * purpose: a full worker refuses without taking the lock, so that refusals neither slow the jobs that
 * were accepted nor one another.
 */
final class MemoryBacklog<T> implements Backlog<T> {

  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 64 : 0;
  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(MemoryBacklog.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BacklogListener<T> listener;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock; the account is also read optimistically.
  private final Account<T> account;
  private final List<Thread> idleWatchers = new ArrayList<>(0);
  private long idleMoments;

  @SuppressWarnings("unused") // read and written through VERSION
  private long version;

  MemoryBacklog(Settings settings, BacklogListener<T> listener) {
    this.account = new Account<>(settings);
    this.listener = listener;
    this.ticker = settings.ticker();
  }

  @Override
  public Admission admit(Job<T> job, long bytes, long submittedNanos, WhenFull.Kind whenFull) {
    if (whenFull == WhenFull.Kind.REFUSE || whenFull == WhenFull.Kind.WAIT) {
      Admission refusal = refuseWithoutLock(job, bytes);
      if (refusal != null) {
        return refusal;
      }
    }
    long now = enterKnowingTime(job.hasTimeToLive());
    try {
      return account.admit(job, bytes, submittedNanos, now, whenFull);
    } finally {
      exit();
    }
  }

  private @Nullable Admission refuseWithoutLock(Job<T> job, long bytes) {
    long before = (long) VERSION.getAcquire(this);
    if ((before & 1) != 0 || job.hasTimeToLive()) {
      return null;
    }
    Admission refusal = account.refuseRacily(job, bytes);
    if (refusal == null) {
      return null;
    }
    VarHandle.acquireFence();
    return (long) VERSION.getOpaque(this) == before ? refusal : null;
  }

  @Override
  public Admission admitWaiting(Job<T> job, long bytes, long submittedNanos, long patienceNanos)
      throws InterruptedException {
    long patienceEnd = Durations.deadline(submittedNanos, patienceNanos);
    long end = patienceEnd;
    if (job.hasTimeToLive()) {
      long expiry = Durations.deadline(submittedNanos, job.timeToLiveNanos());
      end = expiry - patienceEnd < 0 ? expiry : patienceEnd;
    }
    ProducerLine.Waiter waiter = null;
    while (true) {
      if (waiter != null && Thread.interrupted()) {
        leave(waiter);
        throw new InterruptedException();
      }
      long now = ticker.nanoTime();
      long wait;
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
          long firstExpiry = account.firstExpiry(end);
          wait = Math.min(end - now, firstExpiry - now);
        } else {
          if (waiter != null) {
            account.leave(waiter);
          }
          return isFull(admission) ? Admission.refused(Reason.TIMED_OUT) : admission;
        }
      } finally {
        exit();
      }
      ticker.parkNanos(this, Math.max(1, wait));
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
    try {
      account.decline(claimant);
    } finally {
      leaveSection();
    }
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
    String id = entry.job().id();
    return settlement instanceof Settlement.Completed && entry.attempt() == 1
        ? id
        : History.kept(settlement.outcome(id, entry.attempt()));
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
    enter();
    try {
      return account.outcome(jobId);
    } finally {
      exit();
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
    enter();
    try {
      account.pause(paused);
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
    enter();
    try {
      return account.unfinished() == 0;
    } finally {
      exit();
    }
  }

  @Override
  public boolean awaitIdle(long nanos) throws InterruptedException {
    long end = Durations.deadline(ticker.nanoTime(), nanos);
    Thread self = Thread.currentThread();
    long moments;
    enter();
    try {
      if (account.unfinished() == 0) {
        return true;
      }
      moments = idleMoments;
      idleWatchers.add(self);
    } finally {
      exit();
    }
    try {
      while (true) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long remaining = end - ticker.nanoTime();
        if (wasIdleSince(moments)) {
          return true;
        }
        if (remaining <= 0) {
          return false;
        }
        ticker.parkNanos(this, remaining);
      }
    } finally {
      enter();
      idleWatchers.remove(self);
      exit();
    }
  }

  private boolean wasIdleSince(long moments) {
    enter();
    try {
      return idleMoments != moments;
    } finally {
      exit();
    }
  }

  @Override
  public Tally tally() {
    Object[] kept;
    Tally tally;
    enter();
    try {
      kept = account.kept();
      tally = account.tally(List.of());
    } finally {
      exit();
    }
    return tally.withOutcomes(Arrays.stream(kept).map(History::outcomeOf).toList());
  }

  @Override
  public List<String> abandoned() {
    enter();
    try {
      return account.abandoned();
    } finally {
      exit();
    }
  }

  // ---- the critical section ----

  private void enter() {
    if (!lock.tryLock()) {
      enterContended();
    }
    VERSION.setOpaque(this, version + 1);
    VarHandle.storeStoreFence();
  }

  /** Sections are a few dozen instructions, so a short spin beats the queue of the lock. */
  private void enterContended() {
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
      if (lock.tryLock()) {
        return;
      }
    }
    lock.lock();
  }

  /**
   * Enters with a reading of the clock taken before the lock, where one is needed. That is known
   * for sure only inside: the first job with a time to live may come in between.
   */
  private long enterKnowingTime(boolean needed) {
    boolean read = needed || account.timed();
    while (true) {
      long now = read ? ticker.nanoTime() : 0;
      enter();
      if (read || !account.timed()) {
        return now;
      }
      leaveSection();
      read = true;
    }
  }

  private void exit() {
    Effects<T> effects = account.conclude();
    if (effects.pending()) {
      leaveSectionAndAct(effects);
    } else {
      leaveSection();
    }
  }

  private void leaveSection() {
    VERSION.setRelease(this, version + 1);
    lock.unlock();
  }

  private void leaveSectionAndAct(Effects<T> effects) {
    Thread producer = effects.producer();
    Claimant claimant = effects.claimant();
    List<Effects.Ended<T>> ended = effects.ended();
    List<Claimant> dismissed = effects.dismissed();
    boolean idle = effects.idle();
    boolean stopping = !account.admitting();
    Thread[] watchers = null;
    if (idle) {
      idleMoments++;
      if (!idleWatchers.isEmpty()) {
        watchers = idleWatchers.toArray(Thread[]::new);
      }
    }
    effects.clear();
    leaveSection();

    if (claimant != null) {
      claimant.wake();
    }
    if (producer != null) {
      LockSupport.unpark(producer);
    }
    if (ended != null) {
      ended.forEach(end -> listener.unstarted(end.job(), end.outcome()));
    }
    if (dismissed != null) {
      dismissed.forEach(Claimant::dismiss);
    }
    if (watchers != null) {
      for (Thread watcher : watchers) {
        LockSupport.unpark(watcher);
      }
    }
    if (idle && stopping) {
      listener.idle();
    }
  }
}
