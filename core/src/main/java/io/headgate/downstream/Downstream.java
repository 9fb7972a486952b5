package io.headgate.downstream;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.Criticality;
import io.headgate.limit.AdaptiveConcurrency;
import io.headgate.limit.ClientThrottle;
import io.headgate.limit.ClientThrottle.Passed;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import io.headgate.waiting.Turn;
import io.headgate.waiting.WaitingLine;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The budget of one dependency over everything in this process that calls it: how many calls at
 * once, how many starts in a time, how many callers may wait, and a throttle for when it refuses
 * too many.
 *
 * <p>Callers get their permits in order of arrival; nobody overtakes those who wait. A wait ends
 * with the patience of the caller or its interruption, and has then taken nothing. A caller whose
 * start is known to come too late is refused at once.
 *
 * <p>Thread-safe. {@link #call} and {@link #acquire} block, at most for the patience. The budget
 * does not end a call that takes too long: give the call a timeout of its own.
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public final class Downstream {

  /** A chain of causes may be a circle. */
  private static final int DEEPEST_CAUSE = 16;

  private final String name;
  private final int maxWaiting;
  private final Ticker ticker;
  private final @Nullable ClientThrottle throttle;
  private final @Nullable AdaptiveConcurrency adaptive;
  private final Predicate<? super Exception> isOverload;
  private final Map<Entry.Cause, LongAdder> refused = new EnumMap<>(Entry.Cause.class);
  private final LongAdder interrupted = new LongAdder();

  // Lock order: this one, then that of the rate limit. Throttle and adaptive limit outside of both.
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitingLine line;

  @GuardedBy("lock")
  private final Permits permits;

  Downstream(DownstreamBuilder settings) {
    this.name = settings.name;
    this.maxWaiting = settings.maxWaiting;
    this.ticker = settings.ticker;
    this.throttle = settings.throttle;
    this.adaptive = settings.adaptive;
    this.isOverload = settings.isOverload;
    for (Entry.Cause cause : Entry.Cause.values()) {
      refused.put(cause, new LongAdder());
    }
    this.permits = new Permits(Math.max(1, settings.concurrency), settings.rate);
    this.line = new WaitingLine(lock, ticker, permits, maxWaiting);
    if (adaptive != null) {
      adaptive.onChange(this::resize);
    }
  }

  /** Begins the budget of the dependency called {@code name}. */
  public static DownstreamBuilder builder(String name) {
    return new DownstreamBuilder(name);
  }

  /** What the dependency is called, for people. */
  public String name() {
    return name;
  }

  /**
   * Calls the dependency within the budget, as {@link Criticality#CRITICAL}.
   *
   * @param patience how long to wait for a permit at most, such as what is left until a deadline
   * @return what {@code action} returned
   * @throws DownstreamRefusedException if there was no permit in time; the action did not run
   * @throws InterruptedException if interrupted while waiting; the action did not run. Or thrown by
   *     it
   * @throws Exception what {@code action} threw
   */
  public <T extends @Nullable Object> T call(Callable<? extends T> action, Duration patience)
      throws Exception {
    return call(action, patience, Criticality.CRITICAL);
  }

  /** {@link #call(Callable, Duration)} with a criticality for the throttle. */
  public <T extends @Nullable Object> T call(
      Callable<? extends T> action, Duration patience, Criticality criticality) throws Exception {
    requireNonNull(action, "action");
    switch (acquire(patience, criticality)) {
      case Entry.Refused refusal -> throw new DownstreamRefusedException(tell(refusal), refusal);
      case Permit permit -> {
        try (permit) {
          return within(permit, action);
        }
      }
    }
  }

  /** {@link #acquire(Duration, Criticality)} as {@link Criticality#CRITICAL}. */
  public Entry acquire(Duration patience) throws InterruptedException {
    return acquire(patience, Criticality.CRITICAL);
  }

  /**
   * Gets a permit for one call, for callers that {@link #call} does not suit.
   *
   * @param patience how long to wait at most; zero does not wait
   * @return a permit, to be closed when the call has ended; or refused
   * @throws InterruptedException if interrupted before there was a permit; nothing is taken then
   * @throws IllegalArgumentException if {@code patience} is negative
   */
  public Entry acquire(Duration patience, Criticality criticality) throws InterruptedException {
    long nanos = Durations.nanos("patience", patience);
    Passed attempt = null;
    if (throttle != null) {
      switch (throttle.attempt(criticality)) {
        case ClientThrottle.Throttled no -> {
          return refuse(Entry.Cause.THROTTLED, Turn.UNKNOWN);
        }
        case Passed passed -> attempt = passed;
      }
    }
    // Made before anything is taken: an error of allocation then costs no permit.
    Permit permit = new Permit(this, attempt);
    Entry entry = null;
    try {
      long wait = line.enter(nanos);
      if (wait == 0) {
        permit.begin();
        permit.beganAt(ticker.nanoTime());
        entry = permit;
      } else {
        entry = refuse(cause(wait), wait);
      }
      return entry;
    } catch (InterruptedException e) {
      interrupted.increment();
      throw e;
    } finally {
      if (entry != permit) {
        permit.abandon();
      }
    }
  }

  /**
   * Changes how many calls may be made at once. Lowering it ends none and waits for none; raising
   * it lets in as many as now fit.
   *
   * @throws IllegalArgumentException if it is below 1
   * @throws IllegalStateException if the number follows an adaptive limit
   */
  public void setConcurrency(int calls) {
    if (calls < 1) {
      throw new IllegalArgumentException("concurrency is " + calls + ", but it must be at least 1");
    }
    if (adaptive != null) {
      throw new IllegalStateException(name + " follows an adaptive limit, so it cannot be set");
    }
    resize(calls);
  }

  /** How many callers may wait for a permit at once. */
  public int maxWaiting() {
    return maxWaiting;
  }

  /** A picture of the budget now. */
  public DownstreamReport report() {
    Map<Entry.Cause, Long> causes = new EnumMap<>(Entry.Cause.class);
    refused.forEach(
        (cause, count) -> {
          if (count.sum() > 0) {
            causes.put(cause, count.sum());
          }
        });
    lock.lock();
    try {
      return new DownstreamReport(
          name,
          permits.concurrency(),
          permits.inUse(),
          line.size(),
          permits.granted(),
          causes,
          interrupted.sum(),
          permits.returnedTwice());
    } finally {
      lock.unlock();
    }
  }

  void release(Permit permit) {
    lock.lock();
    try {
      permits.giveBack(permit);
    } finally {
      lock.unlock();
    }
    line.wakeFirst();
  }

  void sample(Permit permit, boolean dropped) {
    if (adaptive == null) {
      return;
    }
    long now = ticker.nanoTime();
    int inflight;
    lock.lock();
    try {
      if (!permit.answer()) {
        return;
      }
      inflight = permits.inUse();
    } finally {
      lock.unlock();
    }
    adaptive.onSample(now - permit.beganNanos(), inflight, dropped);
  }

  private void resize(int calls) {
    lock.lock();
    try {
      permits.concurrency(calls);
    } finally {
      lock.unlock();
    }
    line.wakeFirst();
  }

  private <T extends @Nullable Object> T within(Permit permit, Callable<? extends T> action)
      throws Exception {
    T result;
    try {
      result = action.call();
    } catch (Exception e) {
      // What was given up on this side is no word of the dependency.
      if (!isGivenUp(e)) {
        if (isOverload(e)) {
          permit.rejected();
        } else {
          permit.accepted();
        }
      }
      throw e;
    }
    permit.accepted();
    return result;
  }

  /**
   * A predicate that throws must not hide the failure of the dependency, and says nothing of it.
   */
  private boolean isOverload(Exception failure) {
    try {
      return isOverload.test(failure);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private static boolean isGivenUp(Exception failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
      if (cause instanceof InterruptedException
          || cause instanceof CancellationException
          || cause instanceof ClosedByInterruptException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private Entry.Refused refuse(Entry.Cause cause, long wait) {
    requireNonNull(refused.get(cause)).increment();
    boolean isKnown = wait > 0 && wait != Turn.UNKNOWN;
    return isKnown
        ? new Entry.Refused(cause, Optional.of(Duration.ofNanos(wait)))
        : Entry.Refused.withoutTime(cause);
  }

  private static Entry.Cause cause(long wait) {
    if (wait == WaitingLine.TOO_MANY) {
      return Entry.Cause.TOO_MANY_WAITING;
    }
    return wait == Turn.UNKNOWN ? Entry.Cause.BUSY : Entry.Cause.RATE_LIMITED;
  }

  private String tell(Entry.Refused refusal) {
    DownstreamReport report = report();
    return "%s refused a call: %s; %d of %d calls are made now and %d of %d callers wait"
        .formatted(
            name,
            refusal.cause(),
            report.inUse(),
            report.concurrency(),
            report.waiting(),
            maxWaiting);
  }
}
