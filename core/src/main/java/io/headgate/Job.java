package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: an id, a payload, a {@link Criticality}, an optional time to live and an optional
 * delay. Immutable; the payload is the caller's and is shared, not copied.
 *
 * <p>The id is examined once, here: {@link #of} never throws for a bad id, a worker refuses it with
 * {@link Reason#INVALID_ID} or {@link Reason#ID_TOO_LONG}. Ids are compared code unit by code unit,
 * without normalisation.
 *
 * @param <T> the payload
 */
public class Job<T> {

  static final int ILL_FORMED = -1;
  private static final long NO_TIME_TO_LIVE = -1;

  private final String id;
  private final T payload;
  private final Criticality criticality;
  private final long timeToLiveNanos;
  private final long delayNanos;
  private final int idBytes;

  /** Who else may retry this job; null where that is not known yet, or nobody. */
  private final @Nullable Lineage lineage;

  Job(Job<T> job) {
    this(job, job.criticality, job.timeToLiveNanos, job.delayNanos, job.lineage);
  }

  private Job(
      Job<T> job,
      Criticality criticality,
      long timeToLiveNanos,
      long delayNanos,
      @Nullable Lineage lineage) {
    this(job.id, job.payload, criticality, timeToLiveNanos, delayNanos, job.idBytes, lineage);
  }

  private Job(
      String id,
      T payload,
      Criticality criticality,
      long timeToLiveNanos,
      long delayNanos,
      int idBytes,
      @Nullable Lineage lineage) {
    this.id = id;
    this.payload = payload;
    this.criticality = criticality;
    this.timeToLiveNanos = timeToLiveNanos;
    this.delayNanos = delayNanos;
    this.idBytes = idBytes;
    this.lineage = lineage;
  }

  /** Returns a {@link Criticality#CRITICAL} job without a time to live. */
  public static <T> Job<T> of(String id, T payload) {
    requireNonNull(id, "id");
    requireNonNull(payload, "payload");
    return new Job<>(
        id, payload, Criticality.CRITICAL, NO_TIME_TO_LIVE, 0, JobIds.utf8Bytes(id), null);
  }

  /** Returns this job with another criticality. */
  public Job<T> criticality(Criticality criticality) {
    requireNonNull(criticality, "criticality");
    return new Job<>(this, criticality, timeToLiveNanos, delayNanos, lineage);
  }

  /**
   * Returns this job with a limit on how long it may wait to be started, counted from the call that
   * submits it. It limits the start, not the run. Zero is over at once, so the job is refused
   * {@link Reason#EXPIRED}.
   *
   * @throws IllegalArgumentException if {@code timeToLive} is negative
   */
  public Job<T> timeToLive(Duration timeToLive) {
    long nanos = Durations.nanos("timeToLive", timeToLive);
    return new Job<>(this, criticality, nanos, delayNanos, lineage);
  }

  /**
   * Returns this job as one that is not started before {@code delay} is over, counted from the call
   * that submits it. Accepted, it is suspended until then: it holds its place and its bytes, and
   * shedding does not reach it; then it waits like any other. A stop ends it as unstarted unless
   * the backlog keeps jobs. Where its time to live is over first the job is refused {@link
   * Reason#EXPIRED}. Zero is no delay.
   *
   * @throws IllegalArgumentException if {@code delay} is negative
   */
  public Job<T> delay(Duration delay) {
    long nanos = Durations.nanos("delay", delay);
    return new Job<>(this, criticality, timeToLiveNanos, nanos, lineage);
  }

  /**
   * Returns this job as one that is retried by whoever submits it, so that the worker makes one
   * attempt only. For jobs that arrive from elsewhere with word of it; a handler of this process
   * that is retried itself is recognised without.
   */
  public Job<T> retriedByCaller() {
    return in(Lineage.CALLER);
  }

  /**
   * Returns this job as one that nobody but its worker retries. For a handler that submits it, does
   * not wait for it, and would not submit it again if it were retried itself.
   */
  public Job<T> retriedByWorkerAlone() {
    return in(Lineage.NOBODY);
  }

  final Job<T> in(Lineage submitter) {
    return new Job<>(this, criticality, timeToLiveNanos, delayNanos, submitter);
  }

  /** That of the attempt which submitted this job, or null. */
  final @Nullable Lineage lineage() {
    return lineage;
  }

  /** The id, unique among the jobs that wait, run or are remembered. */
  public String id() {
    return id;
  }

  /** The caller's payload. */
  public T payload() {
    return payload;
  }

  /** How much it matters that this job is done. */
  public Criticality criticality() {
    return criticality;
  }

  /** How long the job may wait to be started, if that is limited. */
  public Optional<Duration> timeToLive() {
    return hasTimeToLive() ? Optional.of(Duration.ofNanos(timeToLiveNanos)) : Optional.empty();
  }

  final boolean hasTimeToLive() {
    return timeToLiveNanos != NO_TIME_TO_LIVE;
  }

  /** The time to live in nanoseconds; meaningful only where there is one. */
  final long timeToLiveNanos() {
    return timeToLiveNanos;
  }

  /** How long after the submit call the job may be started at the earliest; zero is at once. */
  public Duration delay() {
    return Duration.ofNanos(delayNanos);
  }

  final boolean hasDelay() {
    return delayNanos > 0;
  }

  final long delayNanos() {
    return delayNanos;
  }

  /** Whether it may no more be started when its delay is over. */
  final boolean expiresBeforeItsDelay() {
    return hasTimeToLive() && timeToLiveNanos <= delayNanos && hasDelay();
  }

  /** The length of the id in UTF-8 bytes, or {@link #ILL_FORMED}. */
  final int idBytes() {
    return idBytes;
  }

  @Override
  public String toString() {
    return "Job[" + id + ", " + criticality + "]";
  }
}
