package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Discipline;
import io.headgate.downstream.Downstream;
import io.headgate.limit.AdaptiveConcurrency;
import io.headgate.limit.OverloadGuard;
import io.headgate.limit.QueueDelay;
import io.headgate.limit.RateLimit;
import io.headgate.retry.RetryPolicy;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Worker}. Only {@link #concurrency} is required. Each setter refuses a
 * bad argument at once and may be called once; {@link #start} refuses contradictions and names all
 * of them. Not thread-safe; of no effect on the worker once it has started.
 *
 * @param <T> the payload
 */
public final class WorkerBuilder<T> {

  /** The largest concurrency. Every place is made in advance. */
  public static final int MAX_CONCURRENCY = 100_000;

  private static final int UNSET = -1;
  private static final int DEFAULT_WAITING_PRODUCERS = 64;
  private static final int DEFAULT_HISTORY = 100;
  private static final int DEFAULT_ID_BYTES = 128;
  private static final int DEFAULT_ERROR_CHARS = 256;

  private enum Option {
    CONCURRENCY,
    CAPACITY,
    CAPACITY_BYTES,
    WHEN_FULL,
    MAX_WAITING_PRODUCERS,
    MAX_WAITING_BYTES,
    THREAD_PER_JOB,
    THREADS,
    HISTORY,
    MAX_JOB_ID_BYTES,
    MAX_ERROR_MESSAGE_CHARS,
    REDACT_ERRORS,
    TIMEOUT,
    RETRY,
    START_RATE,
    ADAPTIVE_CONCURRENCY,
    QUEUE_DELAY,
    OVERLOAD,
    GRACE,
    CLEANUP,
    TICKER,
    BACKLOG
  }

  final String name;
  int concurrency = UNSET;
  long capacityBytes = Long.MAX_VALUE;
  @Nullable ToLongFunction<? super T> weigher;
  WhenFull whenFull = WhenFull.refuse();
  int maxWaitingProducers = DEFAULT_WAITING_PRODUCERS;
  int history = DEFAULT_HISTORY;
  int maxJobIdBytes = DEFAULT_ID_BYTES;
  int maxErrorMessageChars = DEFAULT_ERROR_CHARS;
  @Nullable UnaryOperator<String> redactor;
  @Nullable RetryPolicy retry;
  @Nullable RateLimit startRate;
  @Nullable AdaptiveConcurrency adaptive;
  @Nullable QueueDelay queueDelay;
  @Nullable OverloadGuard overload;
  long graceNanos = Duration.ofSeconds(25).toNanos();
  long cleanupNanos = Duration.ofSeconds(3).toNanos();
  Ticker ticker = Ticker.system();
  Backlog.Factory<T> backlog = MemoryBacklog.factory();
  final List<WorkerListener> listeners = new ArrayList<>();
  final List<Downstream> downstreams = new ArrayList<>();

  private int capacity = UNSET;
  private long maxWaitingBytes = UNSET;
  private long timeoutNanos = Crew.NO_TIMEOUT;
  private boolean threadPerJob;
  private @Nullable ThreadFactory threads;
  private final Set<Option> given = EnumSet.noneOf(Option.class);

  WorkerBuilder(String name) {
    this.name = requireNonNull(name, "name");
    if (name.isBlank() || name.length() > DEFAULT_ID_BYTES) {
      throw new IllegalArgumentException(
          "the name of a worker must have 1 to %d characters, but is '%s'"
              .formatted(DEFAULT_ID_BYTES, ErrorCapture.prefix(name, DEFAULT_ID_BYTES)));
    }
  }

  /** Jobs that run at once, 1 to {@link #MAX_CONCURRENCY}. Required. */
  public WorkerBuilder<T> concurrency(int jobs) {
    once(Option.CONCURRENCY);
    checkConcurrency(jobs);
    concurrency = jobs;
    return this;
  }

  /**
   * Jobs that may wait: a job is accepted iff fewer than concurrency + capacity are unfinished.
   * Zero leaves no waiting room: a job is accepted iff fewer than concurrency are unfinished.
   * Default: the concurrency. An accepted job waits at most about (capacity / concurrency + 1) ×
   * the time that a handler takes.
   */
  public WorkerBuilder<T> capacity(int jobs) {
    once(Option.CAPACITY);
    checkCapacity(jobs);
    capacity = jobs;
    return this;
  }

  /**
   * Bytes that all unfinished jobs may weigh together. A job that weighs more than all of it is
   * refused {@link Reason#TOO_LARGE} at once. Default: no byte budget.
   *
   * @param bytes 1 or more
   * @param weigher tells the bytes of a payload, zero or more; called once for each submit, in the
   *     submitting thread and outside any lock. If it throws or is negative the job is refused
   *     {@link Reason#INVALID_SIZE}; an Error propagates
   */
  public WorkerBuilder<T> capacityBytes(long bytes, ToLongFunction<? super T> weigher) {
    once(Option.CAPACITY_BYTES);
    require(bytes > 0, "capacityBytes", bytes, "at least 1; leave it out for no byte budget");
    capacityBytes = bytes;
    this.weigher = requireNonNull(weigher, "weigher");
    return this;
  }

  /** What {@link Worker#submit} does without room. Default: refuse. */
  public WorkerBuilder<T> whenFull(WhenFull answer) {
    once(Option.WHEN_FULL);
    whenFull = requireNonNull(answer, "whenFull");
    return this;
  }

  /**
   * Producers that may wait for room at once; the next is refused {@link Reason#TOO_MANY_WAITERS}.
   * Zero lets none wait. Default: 64.
   */
  public WorkerBuilder<T> maxWaitingProducers(int producers) {
    once(Option.MAX_WAITING_PRODUCERS);
    require(producers >= 0, "maxWaitingProducers", producers, "zero or more");
    maxWaitingProducers = producers;
    return this;
  }

  /**
   * Bytes that the payloads of waiting producers may weigh together. Needs a byte budget. Default:
   * the byte budget itself.
   */
  public WorkerBuilder<T> maxWaitingBytes(long bytes) {
    once(Option.MAX_WAITING_BYTES);
    require(bytes >= 0, "maxWaitingBytes", bytes, "zero or more");
    maxWaitingBytes = bytes;
    return this;
  }

  /**
   * Runs each job on a fresh thread instead of reusing at most {@code concurrency} threads, for
   * handlers that leave thread locals behind. Costs a thread for each job.
   */
  public WorkerBuilder<T> threadPerJob() {
    once(Option.THREAD_PER_JOB);
    threadPerJob = true;
    return this;
  }

  /**
   * Makes the threads that run handlers. Default: virtual threads named after the worker; {@code
   * Thread.ofPlatform().factory()} suits handlers that compute.
   */
  public WorkerBuilder<T> threads(ThreadFactory factory) {
    once(Option.THREADS);
    threads = requireNonNull(factory, "factory");
    return this;
  }

  /**
   * Outcomes kept, of all four kinds together; while an outcome is kept its id is a duplicate. Zero
   * keeps none, {@link Worker#UNBOUNDED} keeps all at growing cost. Default: 100.
   */
  public WorkerBuilder<T> history(int outcomes) {
    once(Option.HISTORY);
    require(outcomes >= 0, "history", outcomes, "zero or more");
    history = outcomes;
    return this;
  }

  /** Bytes that an id may take in UTF-8; a longer one is refused, not shortened. Default: 128. */
  public WorkerBuilder<T> maxJobIdBytes(int bytes) {
    once(Option.MAX_JOB_ID_BYTES);
    require(bytes > 0, "maxJobIdBytes", bytes, "at least 1");
    maxJobIdBytes = bytes;
    return this;
  }

  /**
   * Unicode code points kept of an error message, as a prefix. Zero keeps none, {@link
   * Worker#UNBOUNDED} keeps all, and then {@link Worker#memoryBound()} is infinite. It bounds what
   * is kept, not what a handler builds, and it is no redaction. Default: 256.
   */
  public WorkerBuilder<T> maxErrorMessageChars(int codePoints) {
    once(Option.MAX_ERROR_MESSAGE_CHARS);
    require(codePoints >= 0, "maxErrorMessageChars", codePoints, "zero or more");
    maxErrorMessageChars = codePoints;
    return this;
  }

  /**
   * Changes each error message before it is cut and kept, to take secrets out. If it throws,
   * nothing of the message is kept. Default: none.
   */
  public WorkerBuilder<T> redactErrors(UnaryOperator<String> redactor) {
    once(Option.REDACT_ERRORS);
    this.redactor = requireNonNull(redactor, "redactor");
    return this;
  }

  /**
   * How long one attempt may run before it is told to stop. Its slot stays taken until it ends;
   * then it is failed (AttemptTimeout), or completed if it returned normally. Default: no limit.
   */
  public WorkerBuilder<T> timeout(Duration perAttempt) {
    once(Option.TIMEOUT);
    long nanos = Durations.nanos("timeout", perAttempt);
    if (nanos == 0) {
      throw new IllegalArgumentException(
          "timeout is zero, so no attempt could run; leave it out for no limit");
    }
    timeoutNanos = nanos;
    return this;
  }

  /**
   * How often, when and after which failures a job is tried again. Between two attempts a job is
   * suspended: it keeps its place and its bytes, and holds no thread. Default: no retries.
   */
  public WorkerBuilder<T> retry(RetryPolicy policy) {
    once(Option.RETRY);
    retry = requireNonNull(policy, "policy");
    return this;
  }

  /**
   * How many attempts start in a time, the later ones of a retried job included. A job that may not
   * start yet goes on waiting in the backlog, in its order: it holds no thread, its timeout has not
   * begun, and stop, cancel, pause and its time to live reach it as any waiting job. It bounds no
   * admission and not how many run at once. May be shared by workers: each takes the next free
   * start as it comes, in no order among them. Must be on the worker's ticker. Default: no limit.
   */
  public WorkerBuilder<T> startRate(RateLimit limit) {
    once(Option.START_RATE);
    startRate = requireNonNull(limit, "limit");
    return this;
  }

  /**
   * Lets the number of jobs that run at once follow {@code limit}, up to the concurrency given,
   * which must be at least what the limit begins with. Every attempt is a sample: the time that it
   * took, waits included; and as a drop each one that exceeded its timeout, that failed by an
   * {@link io.headgate.retry.OverloadedException} or that a downstream's budget refused. An attempt
   * that was cancelled or stopped is none. Admission follows too: a job is accepted iff fewer than
   * what may run now, and capacity, are unfinished. The limit is for this worker alone, and keeps
   * it. Default: the concurrency is fixed.
   */
  public WorkerBuilder<T> adaptiveConcurrency(AdaptiveConcurrency limit) {
    once(Option.ADAPTIVE_CONCURRENCY);
    adaptive = requireNonNull(limit, "limit");
    return this;
  }

  /**
   * Looks after the time that jobs wait. When the queue stands, that is when the oldest has waited
   * longer than the target for a whole interval, jobs that have waited longer than the target end
   * as unstarted(shed), and the most critical is started first and of those the newest, until the
   * delay has fallen. A stop ends it: what was accepted is then started in its order. Default: off.
   */
  public WorkerBuilder<T> queueDelay(QueueDelay settings) {
    once(Option.QUEUE_DELAY);
    queueDelay = requireNonNull(settings, "settings");
    return this;
  }

  /**
   * Refuses jobs {@link Reason#OVERLOADED} while {@code guard} says so, the least critical first,
   * also those that would wait for room. The worker has the guard sampled while it lives, and tells
   * it how many handlers are runnable and how long the oldest job has waited. May be shared by
   * workers. Default: none.
   */
  public WorkerBuilder<T> overload(OverloadGuard guard) {
    once(Option.OVERLOAD);
    overload = requireNonNull(guard, "guard");
    return this;
  }

  /**
   * How long {@link Worker#close()} lets accepted jobs run. Zero cancels at once. Default: 25 s.
   */
  public WorkerBuilder<T> grace(Duration grace) {
    once(Option.GRACE);
    graceNanos = Durations.nanos("grace", grace);
    return this;
  }

  /**
   * How long a stop awaits cancelled handlers before it reports them as stuck. Zero does not wait.
   * Default: 3 s, which with the default grace fits the 30 s that platforms usually allow.
   */
  public WorkerBuilder<T> cleanup(Duration cleanup) {
    once(Option.CLEANUP);
    cleanupNanos = Durations.nanos("cleanup", cleanup);
    return this;
  }

  /**
   * Says what the handlers call, by {@link JobContext#call}; any number may be added. It bounds
   * nothing by itself: the start logs a warning for each one that has not calls and waiting places
   * enough for all the jobs that may run at once.
   */
  public WorkerBuilder<T> downstream(Downstream... called) {
    for (Downstream one : called) {
      downstreams.add(requireNonNull(one, "downstream"));
    }
    return this;
  }

  /** Adds a listener; any number may be added. */
  public WorkerBuilder<T> listener(WorkerListener listener) {
    listeners.add(requireNonNull(listener, "listener"));
    return this;
  }

  /** The source of time. Default: the machine's; tests take one they move by hand. */
  public WorkerBuilder<T> ticker(Ticker ticker) {
    once(Option.TICKER);
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /** Where accepted jobs are kept. Default: in memory. */
  public WorkerBuilder<T> backlog(Backlog.Factory<T> factory) {
    once(Option.BACKLOG);
    backlog = requireNonNull(factory, "factory");
    return this;
  }

  /**
   * Starts the worker. No thread is started before the first job.
   *
   * @throws IllegalStateException if settings are missing or contradict each other; all are named
   */
  public Worker<T> start(Handler<T> handler) {
    requireNonNull(handler, "handler");
    List<String> faults = new ArrayList<>();
    if (concurrency == UNSET) {
      faults.add("concurrency is missing; give the number of jobs that may run at once");
    }
    if (maxWaitingBytes != UNSET && weigher == null) {
      faults.add(
          "maxWaitingBytes is " + maxWaitingBytes + ", but there is no capacityBytes to weigh by");
    }
    if (redactor != null && maxErrorMessageChars == 0) {
      faults.add(
          "redactErrors is given, but maxErrorMessageChars is 0, so there is nothing to redact");
    }
    boolean waits = whenFull.kind() == WhenFull.Kind.WAIT && whenFull.patienceNanos() > 0;
    if (waits && maxWaitingProducers == 0) {
      faults.add("whenFull is " + whenFull + ", but maxWaitingProducers is 0, so none may wait");
    }
    Duration policyTimeout = retry == null ? null : retry.timeout().orElse(null);
    if (policyTimeout != null && timeoutNanos != Crew.NO_TIMEOUT) {
      faults.add(
          "timeout is "
              + Duration.ofNanos(timeoutNanos)
              + ", and that of the retry policy is "
              + policyTimeout
              + "; give one of them");
    }
    if (adaptive != null && concurrency != UNSET && adaptive.limit() > concurrency) {
      faults.add(
          "adaptiveConcurrency begins with "
              + adaptive.limit()
              + ", but concurrency, the most that may run, is "
              + concurrency);
    }
    if (startRate != null && !startRate.isOn(ticker)) {
      faults.add("startRate is " + startRate + ", on another ticker than the worker's " + ticker);
    }
    if (adaptive != null && !adaptive.isOn(ticker)) {
      faults.add(
          "adaptiveConcurrency is " + adaptive + ", on another ticker than the worker's " + ticker);
    }
    Discipline discipline = discipline();
    if (!backlog.follows(discipline)) {
      faults.add(
          askedOfTheBacklog()
              + ", but the backlog given starts jobs first in, first out, and knows no ages");
    }
    if (!faults.isEmpty()) {
      throw new IllegalStateException("worker " + name + ": " + String.join("; ", faults));
    }
    return new Worker<>(this, handler);
  }

  // ---- what the worker reads ----

  int capacity() {
    return capacity == UNSET ? concurrency : capacity;
  }

  /** How many jobs may run at the start. */
  int firstConcurrency() {
    return adaptive == null ? concurrency : Math.min(concurrency, adaptive.limit());
  }

  private String askedOfTheBacklog() {
    if (startRate != null) {
      return "startRate is " + startRate;
    }
    return queueDelay == null
        ? "overload has a signal for how long jobs wait"
        : "queueDelay is " + queueDelay;
  }

  private Discipline discipline() {
    return new Discipline(startRate, queueDelay, overload != null && overload.asksForAges());
  }

  Backlog.Settings backlogSettings() {
    return new Backlog.Settings(
        concurrency,
        capacity(),
        capacityBytes,
        maxWaitingProducers,
        maxWaitingBytes == UNSET ? capacityBytes : maxWaitingBytes,
        history,
        discipline(),
        ticker);
  }

  Crew.Setup<T> crewSetup(Handler<T> handler) {
    ThreadFactory factory =
        threads == null ? Thread.ofVirtual().name("headgate-" + name + "-", 0).factory() : threads;
    Retries retries = retry == null ? null : new Retries(name, retry, ticker);
    long timeout =
        retry == null
            ? timeoutNanos
            : retry.timeout().map(d -> Durations.nanos("timeout", d)).orElse(timeoutNanos);
    AttemptSamples samples = adaptive == null ? null : new AttemptSamples(adaptive);
    return new Crew.Setup<>(
        name, handler, factory, threadPerJob, timeout, retries, startRate != null, samples, ticker);
  }

  static void checkConcurrency(int jobs) {
    require(
        jobs >= 1 && jobs <= MAX_CONCURRENCY, "concurrency", jobs, "from 1 to " + MAX_CONCURRENCY);
  }

  static void checkCapacity(int jobs) {
    require(jobs >= 0, "capacity", jobs, "zero (no waiting room) or more");
  }

  private void once(Option option) {
    if (!given.add(option)) {
      throw new IllegalStateException(
          "worker " + name + ": " + option + " was set already; an option may be set once");
    }
  }

  private static void require(boolean holds, String what, long value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(what + " is " + value + ", but must be " + rule);
    }
  }
}
