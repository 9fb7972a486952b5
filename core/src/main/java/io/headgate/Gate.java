package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.limit.OverloadGuard;
import io.headgate.time.Ticker;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The way of a job from its caller to the backlog, which makes the decision: what is wrong with the
 * job itself is told here, and so is that the process is overloaded. Counts and tells the answers.
 * Thread-safe.
 */
final class Gate<T> {

  private final Backlog<T> backlog;
  private final Crew<T> crew;
  private final Observers observers;
  private final Ticker ticker;
  private final Refusals refusals = new Refusals();
  private final RefusalWatch watch;
  private final @Nullable ToLongFunction<? super T> weigher;
  private final @Nullable OverloadGuard guard;
  private final long capacityBytes;
  private final int maxJobIdBytes;

  Gate(
      WorkerBuilder<T> settings,
      Backlog<T> backlog,
      Crew<T> crew,
      Timekeeper timekeeper,
      Observers observers) {
    this.backlog = backlog;
    this.crew = crew;
    this.observers = observers;
    this.ticker = settings.ticker;
    this.watch = new RefusalWatch(refusals, backlog, timekeeper, ticker);
    this.weigher = settings.weigher;
    this.guard = settings.overload;
    this.capacityBytes = settings.capacityBytes;
    this.maxJobIdBytes = settings.maxJobIdBytes;
  }

  /** Decides at once. */
  Admission admitNow(Job<T> submitted, WhenFull.Kind kind) {
    Job<T> job = inLineage(submitted);
    long began = isTimedFromTheCall(job) ? ticker.nanoTime() : 0;
    return answer(job, decide(job, weigh(job), began, kind));
  }

  /** Decides, and waits for room if there is none; a handler of this worker never waits. */
  Admission admit(Job<T> submitted, WhenFull.Kind kind, long patienceNanos)
      throws InterruptedException {
    if (patienceNanos == 0) {
      return admitNow(submitted, kind);
    }
    Job<T> job = inLineage(submitted);
    boolean timed = isTimedFromTheCall(job);
    long began = timed ? ticker.nanoTime() : 0;
    long bytes = weigh(job);
    Admission admission = decide(job, bytes, began, kind);
    if (admission instanceof Admission.Refused refused
        && isForLackOfRoom(refused.reason())
        && !crew.isHandlerThread()) {
      long from = timed ? began : ticker.nanoTime();
      admission = backlog.admitWaiting(job, bytes, from, patienceNanos);
    }
    return answer(job, admission);
  }

  private Admission decide(Job<T> job, long bytes, long began, WhenFull.Kind kind) {
    Reason unfit = unfit(job, bytes);
    if (unfit != null) {
      return Admission.refused(unfit);
    }
    if (guard != null && guard.isOverloaded()) {
      Admission overloaded = overloaded(guard, job, began);
      if (overloaded != null) {
        return overloaded;
      }
    }
    if (job.hasDelay()) {
      crew.expectDelays();
    }
    return backlog.admit(job, bytes, began, kind);
  }

  /** What is told of a job while the process is overloaded; null if it is let in all the same. */
  private @Nullable Admission overloaded(OverloadGuard asked, Job<T> job, long began) {
    // First what comes before overload, so that the guard counts only what it is the cause of.
    Admission told = backlog.refusal(job, began, Reason.OVERLOADED);
    if (!(told instanceof Admission.Refused refused) || refused.reason() != Reason.OVERLOADED) {
      return told;
    }
    if (asked.admits(job.criticality())) {
      return null;
    }
    double nanos = (double) asked.nanosUntilLetIn(job.criticality());
    return watch.after(nanos, Reason.OVERLOADED, job);
  }

  /** A job submitted by a handler that may be retried remembers it. */
  Job<T> inLineage(Job<T> job) {
    if (!Lineage.isUsed() || job.lineage() != null) {
      return job;
    }
    Lineage submitter = Lineage.current();
    return submitter == null ? job : job.in(submitter);
  }

  /**
   * Whether the clock must be read before anything else: for what counts from the call, and where
   * weighing could take a while. Otherwise reading it costs as much as the rest of an admission and
   * is put off.
   */
  private boolean isTimedFromTheCall(Job<T> job) {
    return job.hasTimeToLive() || job.hasDelay() || weigher != null;
  }

  private static boolean isForLackOfRoom(Reason reason) {
    return reason == Reason.FULL || reason == Reason.FULL_BYTES;
  }

  /** Asks the weigher, once for each submit. Negative means that it gave no valid answer. */
  private long weigh(Job<T> job) {
    if (weigher == null) {
      return 0;
    }
    try {
      return weigher.applyAsLong(job.payload());
    } catch (Error e) {
      throw e;
    } catch (Throwable t) { // also a checked exception, thrown by stealth
      return -1;
    }
  }

  /** What is wrong with the job itself, whatever the state of the worker. */
  private @Nullable Reason unfit(Job<T> job, long bytes) {
    int idBytes = job.idBytes();
    if (idBytes < 0) {
      return Reason.INVALID_ID;
    }
    if (idBytes > maxJobIdBytes) {
      return Reason.ID_TOO_LONG;
    }
    if (bytes < 0) {
      return Reason.INVALID_SIZE;
    }
    if (bytes > capacityBytes) {
      return Reason.TOO_LARGE;
    }
    return job.expiresBeforeItsDelay() ? Reason.EXPIRED : null;
  }

  private Admission answer(Job<T> job, Admission admission) {
    if (admission instanceof Admission.Refused refused) {
      refusals.count(refused.reason());
      observers.refused(job, refused.reason());
      return watch.advise(refused, job);
    }
    observers.accepted(job);
    return admission;
  }

  // ---- looking ----

  /** How many jobs were refused, by reason. */
  Map<Reason, Long> refused() {
    return refusals.snapshot();
  }

  /** How long ago the last was that a later try could have helped against. */
  OptionalLong nanosSinceLastRefusal() {
    return watch.nanosSinceLast();
  }

  /** Looks after the refusals; returns the nanoseconds until more is to be done. */
  long perform(long now) {
    return watch.perform(now);
  }

  /** The worker has stopped: only its end is told from now on. */
  void close() {
    watch.close();
  }
}
