package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * A unit of work: an id, a payload, a {@link Criticality} and an optional time to live. Immutable;
 * the payload is the caller's and is shared, not copied.
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
  private final int idBytes;

  Job(Job<T> job) {
    this(job.id, job.payload, job.criticality, job.timeToLiveNanos, job.idBytes);
  }

  private Job(String id, T payload, Criticality criticality, long timeToLiveNanos, int idBytes) {
    this.id = id;
    this.payload = payload;
    this.criticality = criticality;
    this.timeToLiveNanos = timeToLiveNanos;
    this.idBytes = idBytes;
  }

  /** Returns a {@link Criticality#CRITICAL} job without a time to live. */
  public static <T> Job<T> of(String id, T payload) {
    requireNonNull(id, "id");
    requireNonNull(payload, "payload");
    return new Job<>(id, payload, Criticality.CRITICAL, NO_TIME_TO_LIVE, JobIds.utf8Bytes(id));
  }

  /** Returns this job with another criticality. */
  public Job<T> criticality(Criticality criticality) {
    requireNonNull(criticality, "criticality");
    return new Job<>(id, payload, criticality, timeToLiveNanos, idBytes);
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
    return new Job<>(id, payload, criticality, nanos, idBytes);
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

  /** The length of the id in UTF-8 bytes, or {@link #ILL_FORMED}. */
  final int idBytes() {
    return idBytes;
  }

  @Override
  public String toString() {
    return "Job[" + id + ", " + criticality + "]";
  }
}
