package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Tally;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A bounded job worker. It admits only what it has room for, runs it at bounded concurrency, drains
 * within a deadline when it is told to stop, and accounts for every accepted job with exactly one
 * outcome.
 *
 * <p>Thread-safe. At most {@code concurrency + capacity} jobs are unfinished and at most {@code
 * concurrency} run; waiting jobs are started in the order in which they were accepted. A producer
 * that waits may be overtaken by one that comes when there is room: freedom from starvation is not
 * claimed.
 *
 * @param <T> the payload
 */
public final class Worker<T> implements AutoCloseable {

  /** For the limits that may be lifted: keep everything. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  private static final System.Logger LOGGER = System.getLogger(Worker.class.getName());
  private static final AtomicBoolean SAID_NO_BYTE_BUDGET = new AtomicBoolean();

  private final WorkerBuilder<T> settings;
  private final Ticker ticker;
  private final Backlog<T> backlog;
  private final Observers observers;
  private final Timekeeper timekeeper;
  private final Crew<T> crew;
  private final StopSequence<T> stop;
  private final GuardedLoad guarded;
  private final Gate<T> gate;
  private final WhenFull whenFull;
  private final Object resizing = new Object();
  private volatile int concurrency;
  private volatile int capacity;
  private volatile boolean paused;

  Worker(WorkerBuilder<T> settings, Handler<T> handler) {
    this.settings = settings;
    this.ticker = settings.ticker;
    this.whenFull = settings.whenFull;
    this.concurrency = settings.firstConcurrency();
    this.capacity = settings.capacity();
    this.observers = new Observers(settings.name, settings.maxJobIdBytes, settings.listeners);
    this.timekeeper = new Timekeeper(settings.name, ticker, this::performDuties);
    this.backlog =
        settings.backlog.open(settings.backlogSettings(), new BacklogNews<>(observers, timekeeper));
    ErrorCapture errors = new ErrorCapture(settings.maxErrorMessageChars, settings.redactor);
    this.crew = new Crew<>(settings.crewSetup(handler), backlog, timekeeper, observers, errors);
    this.gate = new Gate<>(settings, backlog, crew, timekeeper, observers);
    this.guarded = new GuardedLoad(settings.overload, crew, backlog);
    this.stop =
        new StopSequence<>(
            ticker, backlog, crew, timekeeper, observers, this::finalReport, settings.cleanupNanos);
    crew.resize(concurrency, capacity);
    if (settings.adaptive != null) {
      settings.adaptive.onChange(this::follow);
    }
    CalledDownstreams.warnWhereTooMany(settings.name, settings.concurrency, settings.downstreams);
    if (settings.backlog.isShared()) {
      CalledDownstreams.tellOfOtherProcesses(settings);
    }
    if (settings.weigher == null && !SAID_NO_BYTE_BUDGET.getAndSet(true)) {
      LOGGER.log(
          Level.INFO,
          "worker {0} has no byte budget: capacityBytes bounds what payloads take (said once)",
          settings.name);
    }
    // Last, for a worker that could not be started must not be watched.
    guarded.begin();
  }

  /** Starts to describe a worker; {@code name} is for threads, logs and reports. */
  public static <T> WorkerBuilder<T> builder(String name) {
    return new WorkerBuilder<>(name);
  }

  // ---- submitting ----

  /**
   * Submits {@code job}, and does without room what {@link WorkerBuilder#whenFull} says. Called by
   * a handler of this worker it never waits, for it would hold the place that it waits for.
   *
   * @return accepted, or refused with the reason; a value, never null
   * @throws InterruptedException if interrupted while waiting; the job is not accepted then. A call
   *     that need not wait ignores the interrupt and leaves the flag set
   */
  public Admission submit(Job<T> job) throws InterruptedException {
    return gate.admit(job, whenFull.kind(), whenFull.patienceNanos());
  }

  /** Submits {@code job} without ever waiting for room, whatever {@code whenFull} says. */
  public Admission offer(Job<T> job) {
    return gate.admitNow(job, WhenFull.Kind.REFUSE);
  }

  /**
   * Submits {@code job} and waits at most {@code patience} for room, whatever {@code whenFull}
   * says.
   *
   * @param patience zero does not wait, {@code Duration.ofSeconds(Long.MAX_VALUE)} waits for ever
   * @throws InterruptedException if interrupted while waiting; the job is not accepted then
   * @throws IllegalArgumentException if {@code patience} is negative
   */
  public Admission offer(Job<T> job, Duration patience) throws InterruptedException {
    return gate.admit(job, WhenFull.Kind.WAIT, Durations.nanos("patience", patience));
  }

  /**
   * As {@link #submit}, but a refusal is thrown. Costs an exception for each refusal, at the very
   * time when there are many.
   *
   * @throws RefusedException if the job is refused
   * @throws InterruptedException if interrupted while waiting; the job is not accepted then
   */
  public void submitOrThrow(Job<T> job) throws InterruptedException {
    long began = ticker.nanoTime();
    if (submit(job) instanceof Admission.Refused refused) {
      throw refusal(job, refused.reason(), ticker.nanoTime() - began);
    }
  }

  /**
   * As {@link #submit}, with a future of the outcome. It costs an allocation, and its dependent
   * actions run on a thread of the worker unless they are asynchronous.
   *
   * @throws InterruptedException if interrupted while waiting; the job is not accepted then
   */
  public Submission submitTracked(Job<T> job) throws InterruptedException {
    TrackedJob<T> tracked = new TrackedJob<>(gate.inLineage(job));
    long began = ticker.nanoTime();
    Admission admission = submit(tracked);
    if (admission instanceof Admission.Refused refused) {
      tracked
          .outcome()
          .completeExceptionally(refusal(job, refused.reason(), ticker.nanoTime() - began));
    }
    return new Submission(admission, tracked.outcome());
  }

  private RefusedException refusal(Job<T> job, Reason reason, long waitedNanos) {
    return new RefusedException(
        settings.name,
        ErrorCapture.prefix(job.id(), settings.maxJobIdBytes),
        reason,
        Duration.ofNanos(waitedNanos),
        (long) concurrency + capacity,
        backlog.load().unfinished());
  }

  // ---- looking ----

  /** Returns the outcome of {@code jobId} if the history still keeps it. */
  public Optional<Outcome> outcome(String jobId) {
    return backlog.outcome(requireNonNull(jobId, "jobId"));
  }

  /** Returns a consistent picture of the ledger, at one instant. Costs a copy of the history. */
  public Report report() {
    return report(stop.stopped());
  }

  /** The last thing that a stop does. */
  private Report finalReport(StopSequence.Stopped stopped) {
    guarded.end();
    gate.close();
    return report(stopped);
  }

  private Report report(StopSequence.@Nullable Stopped stopped) {
    Tally tally = backlog.tally();
    // A moment after the ledger, and apart from it: it may know of jobs that the ledger does not.
    long external = Math.min(crew.externalWaits().jobs(), tally.running());
    Overload overload = guarded.overload(gate.nanosSinceLastRefusal());
    return new Report(settings.name, tally, external, gate.refused(), overload, stopped);
  }

  /** Where the worker is in its life. */
  public WorkerState state() {
    return stop.state();
  }

  /** The name that the worker was built with. */
  public String name() {
    return settings.name;
  }

  /** Events that found no place because listeners were slower than 1,024 events. */
  public long eventsDropped() {
    return observers.eventsDropped();
  }

  /**
   * Whether the worker's control thread makes progress. True while there is none, because nothing
   * is timed; full, overloaded, stuck or stopping workers are live.
   */
  public boolean isLive() {
    return timekeeper.isLive();
  }

  /** How many bytes this worker itself retains at most between operations. */
  public MemoryBound memoryBound() {
    // An adaptive concurrency may come back to what was given.
    int most = settings.adaptive == null ? concurrency : settings.concurrency;
    return MemoryModel.bound(settings, most, capacity);
  }

  /**
   * Waits until every accepted job has an outcome. It proves accounting, not success.
   *
   * @return whether that came within {@code patience}
   * @throws InterruptedException if interrupted while waiting
   * @throws IllegalStateException if called by a handler of this worker, which would wait for
   *     itself
   */
  public boolean awaitIdle(Duration patience) throws InterruptedException {
    long nanos = Durations.nanos("patience", patience);
    forbidHandlers("awaitIdle");
    return backlog.awaitIdle(nanos);
  }

  // ---- steering ----

  /**
   * Cancels one job: a waiting one ends as unstarted(cancelled), one between two attempts as failed
   * with its last error, a running one is told to stop and gets no other attempt. Does not wait for
   * the handler. The id of a waiting producer is {@link CancelResult#UNKNOWN}.
   */
  public CancelResult cancel(String jobId) {
    return backlog.cancel(requireNonNull(jobId, "jobId"));
  }

  /**
   * Stops starting jobs; admission goes on until there is no room. Ended by resume, or by a stop.
   */
  public void pause() {
    synchronized (resizing) {
      if (state() != WorkerState.OPEN) {
        return;
      }
      backlog.pause(true);
      paused = true;
    }
  }

  /** Goes on starting jobs. */
  public void resume() {
    synchronized (resizing) {
      backlog.pause(false);
      paused = false;
    }
  }

  /**
   * Whether the place where jobs are kept can be written. False while a store is away: jobs are
   * refused {@link Reason#UNAVAILABLE} then, and all goes on by itself when it is back.
   */
  public boolean isAvailable() {
    return backlog.isAvailable();
  }

  /** Whether the worker is paused. False once it is not open any more. Never blocks. */
  public boolean isPaused() {
    return paused && state() == WorkerState.OPEN;
  }

  /**
   * Sets how many jobs run at once. Takes effect on admission at once and on running jobs as they
   * end; never waits.
   *
   * @throws IllegalArgumentException outside 1 to {@link WorkerBuilder#MAX_CONCURRENCY}
   * @throws IllegalStateException if the concurrency follows an adaptive limit
   */
  public void setConcurrency(int concurrency) {
    WorkerBuilder.checkConcurrency(concurrency);
    if (settings.adaptive != null) {
      throw new IllegalStateException(
          "worker " + settings.name + " follows " + settings.adaptive + ", so it cannot be set");
    }
    resize(concurrency);
  }

  /** The adaptive limit has changed: called by the thread of the sample, outside any lock. */
  private void follow(int limit) {
    resize(Math.min(settings.concurrency, limit));
  }

  private void resize(int concurrency) {
    synchronized (resizing) {
      this.concurrency = concurrency;
      crew.resize(concurrency, capacity);
    }
  }

  /**
   * Sets how many jobs may be unfinished beyond the concurrency. Takes effect at once; never waits,
   * and ends no accepted job.
   *
   * @throws IllegalArgumentException if negative
   */
  public void setCapacity(int capacity) {
    WorkerBuilder.checkCapacity(capacity);
    synchronized (resizing) {
      this.capacity = capacity;
      crew.resize(concurrency, capacity);
    }
  }

  // ---- stopping ----

  /**
   * Closes admission. When it returns nothing is accepted any more and every waiting producer has
   * been woken with {@link Reason#CLOSED}. Works at once on a full worker, waits for nothing, may
   * be called by anybody and again; accepted jobs go on.
   */
  public void stopAdmission() {
    stop.stopAdmission();
  }

  /**
   * Stops: closes admission, lets accepted jobs run until {@code grace} from now is over, then
   * gives up what waits, tells what runs to stop, awaits it for the time of cleanup, and reports.
   * Ends a pause. Concurrent stops are one: all callers get the same report, and the earliest
   * deadline wins.
   *
   * @return the final report, which says whether anything was abandoned
   * @throws InterruptedException if interrupted while waiting; the worker goes on stopping, and a
   *     second call joins it
   * @throws IllegalStateException if called by a handler of this worker, which would wait for
   *     itself
   * @throws IllegalArgumentException if {@code grace} is negative
   */
  public Report drain(Duration grace) throws InterruptedException {
    long nanos = Durations.nanos("grace", grace);
    forbidHandlers("drain");
    stop.request(false, nanos);
    return stop.await();
  }

  /** As {@link #abort(Duration)} with no grace. */
  public Report abort() throws InterruptedException {
    return abort(Duration.ZERO);
  }

  /**
   * Gives up: closes admission, ends what waits as unstarted(aborted), lets what runs go on until
   * {@code grace} is over, tells it to stop, awaits it for the time of cleanup, and reports. During
   * a drain it turns that into an abort. A policy, not a successful drain.
   *
   * @return the final report
   * @throws InterruptedException if interrupted while waiting; the worker goes on stopping
   * @throws IllegalStateException if called by a handler of this worker, which would wait for
   *     itself
   * @throws IllegalArgumentException if {@code grace} is negative
   */
  public Report abort(Duration grace) throws InterruptedException {
    long nanos = Durations.nanos("grace", grace);
    forbidHandlers("abort");
    stop.request(true, nanos);
    return stop.await();
  }

  /**
   * Drains with the grace and cleanup that the worker was built with, and waits through interrupts,
   * which are restored. Look at {@link #report()} afterwards to see whether anything was abandoned;
   * it is also logged.
   *
   * @throws IllegalStateException if called by a handler of this worker, which would wait for
   *     itself
   */
  @Override
  public void close() {
    forbidHandlers("close");
    stop.request(false, settings.graceNanos);
    stop.awaitUninterruptibly();
  }

  private void forbidHandlers(String method) {
    if (crew.isHandlerThread()) {
      throw new IllegalStateException(
          method
              + " was called by a handler of worker "
              + settings.name
              + ", which would wait for itself; call stopAdmission or cancel, or use another"
              + " thread");
    }
  }

  private long performDuties(long now) {
    long nextStep = stop.step(now);
    long nextJob = Math.min(crew.expire(now), crew.wakeDue(now));
    return Math.min(Math.min(nextStep, nextJob), gate.perform(now));
  }

  @Override
  public String toString() {
    return "Worker[" + settings.name + ", " + state() + "]";
  }
}
