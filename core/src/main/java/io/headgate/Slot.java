package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.downstream.Downstream;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of the places where jobs run: a thread, started when it is first needed, that claims a job,
 * runs the handler, settles, claims the next, and sleeps when there is none.
 */
/*
 * signal, the conversation between this slot and who wakes it:
 *   NO_THREAD  idle, and a wake-up starts a thread
 *   BUSY       a thread is at work, or about to look for a wake-up
 *   ASLEEP     the thread is parked, and a wake-up unparks it
 *   WOKEN      the thread must ask the backlog once
 * The backlog wakes a slot exactly once for each time it became idle, so no wake-up is counted twice,
 * and one that comes before the thread has gone to sleep is found in its place.
 */
final class Slot<T> implements Runnable, BriefWait.Awaited {

  private static final int NO_THREAD = 0;
  private static final int BUSY = 1;
  private static final int ASLEEP = 2;
  private static final int WOKEN = 3;

  private static final long QUICK_NANOS = 2_000;
  private static final int MAX_UNREAD_STARTS = 32;

  private static final long OUT_OF_MEMORY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final System.Logger LOGGER = System.getLogger(Slot.class.getName());
  private static final VarHandle SIGNAL;

  static {
    try {
      SIGNAL = MethodHandles.lookup().findVarHandle(Slot.class, "signal", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Crew<T> crew;

  // What the crew has, at hand: each job looks at all of it.
  private final Backlog<T> backlog;
  private final Observers observers;
  private final BriefWait beforeParking;
  private final Ticker ticker;
  private final @Nullable Retries retries;
  private final @Nullable AttemptSamples samples;
  private final boolean limitsAttempts;
  private final boolean threadPerJob;

  private volatile int signal = NO_THREAD;
  private volatile boolean dismissed;
  private volatile @Nullable Thread thread;

  /**
   * The attempt under way, or the one that will be; published by the backlog's lock at its claim.
   */
  private Attempt<T> attempt = new Attempt<>(this);

  /** Starts of the claimed job of which the end is unknown; the handler may ask from any thread. */
  private volatile int uncertainStarts;

  /** A job claimed by a thread that made way for a fresh one. */
  private @Nullable Claim<T> handedOver;

  /** When the attempt under way was entered, or one of the quick ones just before it. */
  private long startedAt;

  /** Attempts entered since, that one included. */
  private int starts;

  /** Attempts that may still be entered without reading the clock. */
  private int unreadStarts;

  /** When the attempt under way must have ended; meaningful only where there is a timeout. */
  private volatile long deadline;

  private volatile @Nullable Attempt<T> timed;

  private final Repeats<T> repeats;
  private final ExternalWaits.OfSlot waits = new ExternalWaits.OfSlot();

  Slot(Crew<T> crew) {
    this.crew = crew;
    this.backlog = crew.backlog();
    this.observers = crew.observers();
    this.beforeParking = crew.beforeParking();
    this.ticker = crew.ticker();
    this.retries = crew.retries();
    this.samples = crew.samples();
    this.limitsAttempts = crew.limitsAttempts();
    this.threadPerJob = crew.threadPerJob();
    this.repeats = new Repeats<>(crew);
  }

  // ---- being woken ----

  void wake() {
    int before = (int) SIGNAL.getAndSet(this, WOKEN);
    if (before == ASLEEP) {
      LockSupport.unpark(thread);
    } else if (before == NO_THREAD && !startThread()) {
      signal = NO_THREAD;
      backlog.decline(attempt);
    }
  }

  void dismiss() {
    dismissed = true;
    int before = (int) SIGNAL.getAndSet(this, WOKEN);
    if (before == ASLEEP) {
      LockSupport.unpark(thread);
    }
    crew.forget(this);
  }

  private boolean startThread() {
    Thread previous = thread;
    try {
      Thread fresh =
          requireNonNull(crew.threads().newThread(this), "thread factory gave no thread");
      crew.threadStarts();
      thread = fresh;
      try {
        fresh.start();
        return true;
      } catch (Throwable t) {
        thread = previous;
        crew.threadEnded();
        throw t;
      }
    } catch (Throwable t) {
      LOGGER.log(
          Level.ERROR,
          "worker " + crew.name() + " could not start a thread; it goes on without",
          t);
      return false;
    }
  }

  // ---- the loop ----

  @Override
  public void run() {
    try {
      thread = Thread.currentThread();
      if (Lineage.isUsed()) {
        // Whoever had this thread started may be a handler; that is nothing to the jobs run here.
        Lineage.leave();
      }
      Claim<T> claim = handedOver;
      handedOver = null;
      while (true) {
        if (claim == null) {
          if (signal != WOKEN && !sleep()) {
            return;
          }
          if (dismissed) {
            return;
          }
          signal = BUSY;
          starts = 0;
          unreadStarts = 0;
          claim = backlog.claim(attempt);
        }
        while (claim != null) {
          claim = work(claim);
          if (claim != null && threadPerJob) {
            handedOver = claim;
            if (startThread()) {
              return;
            }
            handedOver = null;
          }
        }
        if (dismissed) {
          return;
        }
      }
    } finally {
      forgetThread();
      crew.threadEnded();
    }
  }

  /**
   * An ended thread must not be kept alive by a stopped worker; a fresh one may have taken over.
   */
  @SuppressWarnings("ReferenceEquality") // a thread is itself
  private void forgetThread() {
    if (thread == Thread.currentThread()) {
      thread = null;
    }
  }

  @Override
  public boolean hasCome() {
    return signal == WOKEN;
  }

  /** Waits for a wake-up; whether this thread is the one to follow it. */
  private boolean sleep() {
    if (threadPerJob) {
      // Without the wake-up this thread ends; with it a fresh one starts, or failing that, this
      // goes.
      return !SIGNAL.compareAndSet(this, BUSY, NO_THREAD) && !startThread();
    }
    if (!beforeParking.hasComeSoon(this) && SIGNAL.compareAndSet(this, BUSY, ASLEEP)) {
      while (signal == ASLEEP) {
        LockSupport.park(this);
        // A stop that tells everybody to end interrupts idle threads too; it wakes them for good
        // later.
        Thread.interrupted();
      }
    }
    return true;
  }

  /** Runs one job and settles it; returns the next one, if there is one. */
  private @Nullable Claim<T> work(Claim<T> claim) {
    Attempt<T> current = attempt;
    Job<T> job = claim.job();
    int number = claim.attempt();
    Suspension before = retries == null ? null : claim.suspension();
    int uncertain = claim.uncertainStarts();
    if (uncertainStarts != uncertain) {
      uncertainStarts = uncertain; // a volatile write only where there is something to say
    }
    current.begin(job, number);
    if (samples != null) {
      samples.began();
    }
    Throwable thrown = execute(job, current, before);
    CancelCause cause = current.end();
    if (samples != null) {
      samples.ended(ticker.nanoTime() - startedAt, thrown, cause);
    }
    Settlement settlement = settlement(thrown, cause);
    Suspension suspension = null;
    if (retries != null && thrown != null && settlement instanceof Settlement.Failed failed) {
      Retries.Decision decision = repeats.decide(claim, current, thrown, cause, failed, startedAt);
      suspension = decision.suspension();
      settlement = Repeats.cutShort(failed, decision.cut());
    }
    repeats.leave(suspension != null || (number > 1 && thrown != null));
    clearInterrupt();
    Attempt<T> next = new Attempt<>(this);
    attempt = next;
    if (suspension != null) {
      RetryCut cut = repeats.suspend(claim, suspension);
      if (cut == RetryCut.NONE) {
        repeats.expect(job, number, suspension);
      } else {
        settlement = Repeats.cutShort(settlement, cut);
        suspension = null;
      }
    }
    Claim<T> following;
    if (suspension != null) {
      following = backlog.claim(next);
    } else if (job instanceof TrackedJob<T> || observers.watchEnds()) {
      settle(claim, settlement, null);
      observers.ended(job, settlement.outcome(job.id(), number));
      following = backlog.claim(next);
    } else {
      following = settle(claim, settlement, next);
    }
    if (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError)) {
      tellUncaughtHandler(thrown);
    }
    return following;
  }

  private @Nullable Throwable execute(Job<T> job, Attempt<T> current, @Nullable Suspension before) {
    noteStart(limitsAttempts || samples != null);
    try {
      if (retries != null || job.lineage() != null) {
        repeats.enter(job, before);
      }
      if (limitsAttempts) {
        deadline = crew.attemptEnd(startedAt, before);
        timed = current;
        crew.timekeeper().expect(deadline);
      }
      observers.started(job, current.attempt());
      // A flag left behind by foreign code after the last job is not this one's; a cancel's is.
      clearInterrupt();
      if (current.isCancelled()) {
        Thread.currentThread().interrupt();
      }
      crew.handler().handle(job, current);
      return null;
    } catch (Throwable t) {
      return t;
    } finally {
      if (limitsAttempts) {
        timed = null;
      }
    }
  }

  /**
   * Reads the clock for the start of an attempt. A reading costs about as much as all the rest of
   * running a job that does nothing, and without a timeout only the age of a stuck job needs it: so
   * while a thread finds one quick job after the other, it reads for some of them only.
   */
  private void noteStart(boolean timed) {
    if (unreadStarts > 0 && !timed) {
      unreadStarts--;
    } else {
      long now = ticker.nanoTime();
      boolean quick = starts > 0 && now - startedAt < starts * QUICK_NANOS;
      unreadStarts = quick ? Math.min(2 * starts, MAX_UNREAD_STARTS) : 0;
      startedAt = now;
      starts = 0;
    }
    starts++;
  }

  private static void clearInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      Thread.interrupted();
    }
  }

  private Settlement settlement(@Nullable Throwable thrown, @Nullable CancelCause cause) {
    if (thrown == null) {
      return Settlement.completed();
    }
    if (cause == CancelCause.TIMEOUT) {
      return new Settlement.Failed(
          crew.errors()
              .timedOut(
                  "told to stop after "
                      + Duration.ofNanos(deadline - startedAt)
                      + ", ended by "
                      + thrown.getClass().getName()));
    }
    if (cause != null && ErrorCapture.isInterruption(thrown)) {
      return new Settlement.Interrupted(cause == CancelCause.STOP);
    }
    return new Settlement.Failed(crew.errors().capture(thrown));
  }

  /** Settles, however little memory there is: an outcome must not be lost to a full heap. */
  private @Nullable Claim<T> settle(
      Claim<T> claim, Settlement settlement, @Nullable Attempt<T> next) {
    while (true) {
      try {
        if (next != null) {
          return backlog.settleAndClaim(claim, settlement, next);
        }
        backlog.settle(claim, settlement);
        return null;
      } catch (OutOfMemoryError e) {
        LockSupport.parkNanos(this, OUT_OF_MEMORY_PAUSE_NANOS);
      }
    }
  }

  private void tellUncaughtHandler(Throwable thrown) {
    Thread self = Thread.currentThread();
    try {
      self.getUncaughtExceptionHandler().uncaughtException(self, thrown);
    } catch (Throwable t) {
      LOGGER.log(Level.WARNING, "the uncaught exception handler threw", t);
    }
  }

  // ---- asked by others ----

  Repeats<T> repeats() {
    return repeats;
  }

  String workerName() {
    return crew.name();
  }

  Claimant claimant() {
    return attempt;
  }

  @SuppressWarnings("ReferenceEquality") // a thread is itself
  boolean isMine(Thread candidate) {
    return thread == candidate;
  }

  /** Whether a handler runs here, and its thread does not wait for anything. */
  boolean isRunnable() {
    Thread running = thread;
    return running != null
        && attempt.job() != null
        && !attempt.hasEnded()
        && running.getState() == Thread.State.RUNNABLE;
  }

  void interrupt() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  /** Tells what runs here to stop, or what will be claimed before claims end. */
  void cancel(CancelCause cause) {
    attempt.cancel(cause);
  }

  void runAside(Runnable action) {
    observers.runAside(action);
  }

  /** Cancels an attempt beyond its timeout; returns the nanoseconds until one here will be. */
  @SuppressWarnings("ReferenceEquality") // the same attempt, still
  long expire(long now, long otherwise) {
    Attempt<T> running = timed;
    if (running == null || running.isCancelled()) {
      return otherwise;
    }
    long left = deadline - now;
    if (left > 0) {
      return left;
    }
    if (running == timed) {
      running.cancel(CancelCause.TIMEOUT);
    }
    return otherwise;
  }

  @SuppressWarnings("ReferenceEquality") // an attempt asks about itself
  Optional<Duration> remaining(Attempt<T> asking) {
    return timed == asking
        ? Optional.of(Duration.ofNanos(Math.max(0, deadline - ticker.nanoTime())))
        : Optional.empty();
  }

  /** Of the job that runs here, asked while its handler does. */
  int uncertainStarts() {
    return uncertainStarts;
  }

  /** Calls a downstream for the handler that runs here. */
  <R extends @Nullable Object> R call(
      Downstream downstream,
      Callable<? extends R> action,
      Duration patience,
      Criticality criticality)
      throws Exception {
    return crew.externalWaits().call(waits, downstream, action, patience, criticality);
  }

  /** Describes the job that runs here and was told to stop, if there is one. */
  Optional<StuckJob> stuck(long now) {
    Job<T> job = attempt.job();
    Thread running = thread;
    if (job == null || running == null || attempt.hasEnded()) {
      return Optional.empty();
    }
    StackTraceElement[] frames = running.getStackTrace();
    return Optional.of(
        new StuckJob(
            job.id(),
            Duration.ofNanos(now - startedAt),
            running.getName(),
            Arrays.asList(frames).subList(0, Math.min(frames.length, StuckJob.MAX_FRAMES))));
  }
}
