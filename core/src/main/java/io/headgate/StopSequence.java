package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one stop of a worker: asked for by any number of callers, carried out step by step by the
 * timekeeper, and waited for by whoever wants its report.
 */
/*
 * The order, and why:
 *  1. The request fixes its deadline on the clock before anything else, so that no wait adds to it.
 *  2. Admission closes in the calling thread; when the request returns nothing is accepted any more,
 *     and every waiting producer has been woken with CLOSED.
 *     Jobs between two attempts end there too, failed with their last error, and nothing that fails
 *     from then on is tried again.
 *  3. An abort discards what waits. Only then does a pause end, for jobs that are never claimed cannot
 *     drain: a paused worker that is aborted starts nothing more.
 *  4. Until the deadline claims go on, unless the backlog keeps what waits for the next start, and
 *     running jobs are left alone.
 *  5. At the deadline: first what waits is discarded and claims end, so that what runs is all that is
 *     left; then every slot is told to stop. A job claimed just before is entered already cancelled.
 *  6. Handlers are awaited until cleanup is over; who is left then is stuck, and named.
 *  7. Claimants are dismissed and idle threads leave.
 *  8. The report is made, the state is STOPPED, and those who wait get the report.
 * Steps 4 to 8 run on the timekeeper only. Requests only tighten: the earliest deadline and the
 * strongest mode win, whoever comes when.
 */
final class StopSequence<T> {

  private static final System.Logger LOGGER = System.getLogger(StopSequence.class.getName());

  /** Idle threads leave in microseconds, unless something keeps them from running at all. */
  private static final long LEAVE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Makes the report of the ended stop. */
  interface Reporter {
    Report report(Stopped stopped);
  }

  /** What only the stop knows. */
  record Stopped(
      Ending ending,
      List<StuckJob> stuck,
      List<String> abandoned,
      Duration drain,
      Duration cleanup) {}

  private final Ticker ticker;
  private final Backlog<T> backlog;
  private final Crew<T> crew;
  private final Timekeeper timekeeper;
  private final Observers observers;
  private final Reporter reporter;
  private final long cleanupNanos;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile WorkerState state = WorkerState.OPEN;
  private volatile @Nullable Report finalReport;
  private volatile @Nullable Stopped stopped;

  private final AtomicBoolean logged = new AtomicBoolean();

  // Guarded by lock.
  private final List<Thread> waiters = new ArrayList<>(0);
  private boolean requested;
  private boolean aborted;
  private long requestedAt;
  private long deadline;

  // Only the timekeeper touches these.
  private long cancelledAt;
  private boolean leaving;
  private long leaveUntil;
  private List<StuckJob> stuck = List.of();

  StopSequence(
      Ticker ticker,
      Backlog<T> backlog,
      Crew<T> crew,
      Timekeeper timekeeper,
      Observers observers,
      Reporter reporter,
      long cleanupNanos) {
    this.ticker = ticker;
    this.backlog = backlog;
    this.crew = crew;
    this.timekeeper = timekeeper;
    this.observers = observers;
    this.reporter = reporter;
    this.cleanupNanos = cleanupNanos;
  }

  WorkerState state() {
    return state;
  }

  /** What is known of the stop once it has ended. */
  @Nullable Stopped stopped() {
    return stopped;
  }

  /** Closes admission without asking for the rest. */
  void stopAdmission() {
    advance(WorkerState.DRAINING);
    backlog.stopAdmission();
  }

  /** Asks for a stop, or tightens the one under way. Does not wait for it. */
  void request(boolean abort, long graceNanos) {
    long now = ticker.nanoTime();
    long asked = Durations.deadline(now, graceNanos);
    // Before the request can be seen: a timekeeper that is awake already may take the next step at
    // once.
    stopAdmission();
    crew.stopRetries(abort ? Outcome.Unstarted.Cause.ABORTED : Outcome.Unstarted.Cause.DRAINED);
    backlog.stopClaims();
    lock.lock();
    try {
      if (!requested) {
        requested = true;
        requestedAt = now;
        deadline = asked;
      } else if (asked - deadline < 0) {
        deadline = asked;
      }
      aborted |= abort;
    } finally {
      lock.unlock();
    }
    if (finalReport != null) {
      return;
    }
    if (abort) {
      backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    }
    backlog.pause(false);
    timekeeper.wake();
  }

  /** Waits for the stop that was asked for. An interrupt ends the wait, not the stop. */
  Report await() throws InterruptedException {
    Thread self = Thread.currentThread();
    lock.lock();
    try {
      waiters.add(self);
    } finally {
      lock.unlock();
    }
    try {
      while (true) {
        Report report = finalReport;
        if (report != null) {
          timekeeper.awaitRetired();
          if (!logged.getAndSet(true)) {
            log(report);
          }
          return report;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        LockSupport.park(this);
      }
    } finally {
      lock.lock();
      try {
        waiters.remove(self);
      } finally {
        lock.unlock();
      }
    }
  }

  /** As {@link #await}, through interrupts, which are restored. */
  Report awaitUninterruptibly() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Does what is due; returns the nanoseconds until more is. Called by the timekeeper only. */
  long step(long now) {
    boolean abort;
    long end;
    lock.lock();
    try {
      if (!requested || state == WorkerState.STOPPED) {
        return Timekeeper.NOTHING;
      }
      abort = aborted;
      end = deadline;
    } finally {
      lock.unlock();
    }
    if (leaving) {
      return leave(now, abort);
    }
    if (backlog.isIdle()) {
      return beginLeaving(now, abort);
    }
    if (state == WorkerState.DRAINING) {
      if (end - now > 0) {
        return end - now;
      }
      advance(WorkerState.CANCELLING);
      cancelledAt = end;
      backlog.discardWaiting(
          abort ? Outcome.Unstarted.Cause.ABORTED : Outcome.Unstarted.Cause.DRAINED);
      crew.cancelAll();
      if (backlog.isIdle()) {
        return beginLeaving(now, abort);
      }
    }
    long cleanupEnd = Durations.deadline(cancelledAt, cleanupNanos);
    if (cleanupEnd - now > 0) {
      return cleanupEnd - now;
    }
    stuck = crew.stuck(now);
    return beginLeaving(now, abort);
  }

  private long beginLeaving(long now, boolean abort) {
    leaving = true;
    leaveUntil = now + LEAVE_NANOS;
    crew.close();
    return leave(now, abort);
  }

  private long leave(long now, boolean abort) {
    if (crew.liveThreads() > stuck.size() && leaveUntil - now > 0) {
      return leaveUntil - now;
    }
    finish(now, abort);
    return Timekeeper.NOTHING;
  }

  private void finish(long now, boolean abort) {
    boolean cancelled = state == WorkerState.CANCELLING;
    boolean overdue = !stuck.isEmpty();
    long drainEnd = cancelled ? cancelledAt : now;
    Duration drain = Duration.ofNanos(Math.max(0, drainEnd - requestedAt));
    Duration cleanup = Duration.ofNanos(cancelled ? Math.max(0, now - cancelledAt) : 0);
    Stopped result;
    Report report;
    do {
      List<StuckJob> still = overdue ? crew.stuck(now) : List.of();
      result =
          new Stopped(ending(still, abort, cancelled), still, backlog.abandoned(), drain, cleanup);
      report = reporter.report(result);
      // A handler that ended between the two looks is not stuck in a report that counts its
      // outcome.
    } while (report.unfinished() < result.stuck().size());
    stopped = result;
    advance(WorkerState.STOPPED);
    timekeeper.retire();
    observers.close();
    List<Thread> woken;
    lock.lock();
    try {
      finalReport = report;
      woken = List.copyOf(waiters);
    } finally {
      lock.unlock();
    }
    woken.forEach(LockSupport::unpark);
  }

  private static Ending ending(List<StuckJob> stuck, boolean abort, boolean cancelled) {
    if (!stuck.isEmpty()) {
      return Ending.STUCK;
    }
    if (abort) {
      return Ending.ABORTED;
    }
    return cancelled ? Ending.DEADLINE : Ending.DRAINED;
  }

  /** By whoever gets the report first, so that a slow log holds up nobody else. */
  private void log(Report report) {
    if (report.isClean()) {
      LOGGER.log(Level.DEBUG, "worker {0} stopped clean: {1}", crew.name(), report);
    } else {
      LOGGER.log(
          Level.WARNING,
          "worker {0} stopped and abandoned {1} jobs, {2} of them stuck: {3}",
          crew.name(),
          report.abandoned().size(),
          report.stuck().size(),
          report);
    }
  }

  private void advance(WorkerState next) {
    lock.lock();
    try {
      if (state.compareTo(next) >= 0) {
        return;
      }
      state = next;
    } finally {
      lock.unlock();
    }
    observers.stateChanged(next);
  }
}
