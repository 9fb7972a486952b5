package io.headgate.jdbc;

import static java.util.Objects.requireNonNull;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.WhenFull;
import io.headgate.backlog.Backlog;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How a job comes into a durable backlog: the producer's side of it. Encoding, the wait for the
 * commit and the wait for room are the producer's; the decision is the {@link Ledger}'s.
 */
final class DurableAdmission<T> {

  private final StoreSettings settings;
  private final Codec<T> codec;
  private final Desk desk;
  private final Effects<T> effects;
  private final Ticker ticker;

  /**
   * Accepted jobs that are more than their id and payload, by id, until they end: such as one that
   * completes a future of this process. The writer puts them here, for it alone knows which of two
   * submissions of an id was accepted, and whether one was that had no answer.
   */
  private final Map<String, Job<T>> special = new ConcurrentHashMap<>();

  DurableAdmission(
      Backlog.Settings limits,
      StoreSettings settings,
      Codec<T> codec,
      Desk desk,
      Effects<T> effects) {
    this.settings = settings;
    this.codec = codec;
    this.desk = desk;
    this.effects = effects;
    this.ticker = limits.ticker();
  }

  /** Decides at once; one that does not wait always gets an answer. */
  Admission admit(Job<T> job, long bytes, long submitted, WhenFull.Kind kind) {
    return requireNonNull(decide(newJob(job, bytes, submitted), job, kind, null, 0));
  }

  Admission admitWaiting(Job<T> job, long bytes, long submitted, long patienceNanos)
      throws InterruptedException {
    long patienceEnd = Durations.deadline(submitted, patienceNanos);
    long end = patienceEnd;
    if (job.timeToLive().isPresent()) {
      long expiry = Durations.deadline(submitted, job.timeToLive().get().toNanos());
      end = Durations.earlier(expiry, patienceEnd);
    }
    NewJob newJob = newJob(job, bytes, submitted);
    WaitingLine.Waiter waiter = new WaitingLine.Waiter(bytes);
    while (true) {
      Admission answer = decide(newJob, job, WhenFull.Kind.WAIT, waiter, patienceEnd);
      if (answer != null) {
        return answer;
      }
      // Nothing that may park stands between the look at the mark and the park: it would eat the
      // permit.
      long wait = untilLook(end);
      while (!waiter.woken && wait > 0 && !Thread.currentThread().isInterrupted()) {
        ticker.parkNanos(this, wait);
        wait = untilLook(end);
      }
      if (Thread.interrupted()) {
        desk.local(todo -> desk.line.leave(waiter));
        throw new InterruptedException();
      }
    }
  }

  /** Nanoseconds until a sleeper must look by itself: its own end, or a job that expires. */
  private long untilLook(long end) {
    long expiry = desk.firstExpiry();
    long wait = end - ticker.nanoTime();
    return expiry == JobRow.NEVER ? wait : Math.min(wait, expiry - settings.clock().getAsLong());
  }

  /** Returns null where the producer is to sleep in the line. */
  private @Nullable Admission decide(
      @Nullable NewJob newJob,
      Job<T> job,
      WhenFull.Kind kind,
      WaitingLine.@Nullable Waiter waiter,
      long patienceEnd) {
    if (newJob == null) {
      return Admission.refused(Reason.TOO_LARGE);
    }
    @Nullable Runnable onAccepted =
        job.getClass() == Job.class ? null : () -> special.put(job.id(), job);
    AdmissionRequest request =
        new AdmissionRequest(newJob, kind, waiter, patienceEnd, ticker, onAccepted);
    request.patience(Durations.deadline(ticker.nanoTime(), settings.storeTimeoutNanos()));
    desk.lock.lock();
    try {
      Reason told = toldAtOnce(newJob);
      if (told != null) {
        if (waiter != null) {
          desk.line.leave(waiter);
        }
        return Admission.refused(told);
      }
      if (!desk.submit(request)) {
        return Admission.refused(Reason.CLOSED);
      }
    } finally {
      desk.lock.unlock();
    }
    if (!request.await()) {
      desk.local(todo -> request.left(desk));
      return Admission.refused(Reason.UNAVAILABLE);
    }
    effects.tell(request.ended());
    request.rethrow();
    return request.admission();
  }

  /** What is told of a job without a look at the store; null if nothing is. */
  @Nullable Reason toldAtOnce(Job<T> job, long submitted) {
    boolean isOver =
        job.timeToLive().isPresent()
            && Durations.deadline(submitted, job.timeToLive().get().toNanos()) - ticker.nanoTime()
                <= 0;
    if (isOver) {
      return Reason.EXPIRED;
    }
    desk.lock.lock();
    try {
      return desk.admitting ? desk.away() == null ? null : Reason.UNAVAILABLE : Reason.CLOSED;
    } finally {
      desk.lock.unlock();
    }
  }

  /** What needs no look at the store. Called under the lock of the desk. */
  private @Nullable Reason toldAtOnce(NewJob job) {
    if (!desk.admitting) {
      boolean isOver =
          job.expiresAt() != JobRow.NEVER && job.expiresAt() <= settings.clock().getAsLong();
      return isOver ? Reason.EXPIRED : Reason.CLOSED;
    }
    return desk.away() == null ? null : Reason.UNAVAILABLE;
  }

  /** Null if its payload is larger than the store takes. */
  private @Nullable NewJob newJob(Job<T> job, long bytes, long submitted) {
    byte[] payload = codec.encode(job.payload());
    if (payload.length > settings.maxPayloadBytes()) {
      return null;
    }
    long startsAt = JobRow.NEVER;
    if (!job.delay().isZero()) {
      long left = Durations.nanos("delay", job.delay()) - (ticker.nanoTime() - submitted);
      startsAt = left > 0 ? Times.after(settings.clock().getAsLong(), left) : JobRow.NEVER;
    }
    long expiresAt = JobRow.NEVER;
    if (job.timeToLive().isPresent()) {
      long lived = ticker.nanoTime() - submitted;
      long left = job.timeToLive().get().toNanos() - lived;
      expiresAt = Times.after(settings.clock().getAsLong(), left);
    }
    return new NewJob(
        job.id(), JobRow.level(job.criticality()), bytes, expiresAt, startsAt, payload);
  }

  // ---- what comes back out of the store ----

  /** The job of a row, as it was submitted here, or as its bytes say. */
  Job<T> job(JobRow row) {
    Job<T> submitted = special.get(row.id());
    return submitted != null
        ? submitted
        : Job.of(row.id(), codec.decode(row.payload())).criticality(row.criticality());
  }

  /** The job has an outcome, or is not this process's any more. */
  void forget(String id) {
    if (!special.isEmpty()) {
      special.remove(id);
    }
  }
}
