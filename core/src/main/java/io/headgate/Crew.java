package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Suspension;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The slots of a worker, and what they all need. Thread-safe. */
final class Crew<T> {

  static final long NO_TIMEOUT = -1;

  private final Setup<T> setup;
  private final Backlog<T> backlog;
  private final Timekeeper timekeeper;
  private final Observers observers;
  private final ErrorCapture errors;

  /**
   * Copied on each change, under the monitor of this crew; read without it and without an iterator.
   */
  private volatile Slot<T>[] slots = copy(List.of());

  private final ExternalWaits externalWaits = new ExternalWaits();
  private final AtomicInteger liveThreads = new AtomicInteger();
  private final BriefWait beforeParking;
  private final boolean limitsAttempts;
  private volatile boolean closed;

  /** Whether jobs may have a delay. */
  private volatile boolean delays;

  private int target;

  /** What a worker was built with, as far as its slots need it. */
  record Setup<T>(
      String name,
      Handler<T> handler,
      ThreadFactory threads,
      boolean threadPerJob,
      long timeoutNanos,
      @Nullable Retries retries,
      boolean limitsStarts,
      @Nullable AttemptSamples samples,
      Ticker ticker) {}

  Crew(
      Setup<T> setup,
      Backlog<T> backlog,
      Timekeeper timekeeper,
      Observers observers,
      ErrorCapture errors) {
    this.setup = setup;
    this.backlog = backlog;
    this.timekeeper = timekeeper;
    this.observers = observers;
    this.errors = errors;
    this.beforeParking = new BriefWait(setup.ticker());
    Retries retries = setup.retries();
    this.limitsAttempts =
        setup.timeoutNanos() != NO_TIMEOUT || (retries != null && retries.hasDeadline());
    this.delays = backlog.keepsJobs();
  }

  /**
   * Sets the limits of the backlog and how many slots there should be. Slots too many leave when
   * they have nothing to do. Called by one thread at a time.
   */
  void resize(int concurrency, int capacity) {
    synchronized (this) {
      // Those that leave because of it must not be replaced.
      target = Math.min(target, concurrency);
    }
    backlog.resize(concurrency, capacity);
    synchronized (this) {
      target = concurrency;
    }
    replenish();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> Slot<T>[] copy(List<Slot<T>> slots) {
    return slots.toArray(new Slot[0]);
  }

  /** A slot was dismissed by the backlog. */
  void forget(Slot<T> slot) {
    synchronized (this) {
      List<Slot<T>> others = new ArrayList<>(Arrays.asList(slots));
      others.remove(slot);
      slots = copy(others);
    }
    replenish();
  }

  private void replenish() {
    List<Slot<T>> fresh = new ArrayList<>();
    synchronized (this) {
      for (int missing = target - slots.length; missing > 0 && !closed; missing--) {
        fresh.add(new Slot<>(this));
      }
      if (!fresh.isEmpty()) {
        List<Slot<T>> all = new ArrayList<>(Arrays.asList(slots));
        all.addAll(fresh);
        slots = copy(all);
      }
    }
    // Outside the monitor, for it may wake the slot, and that calls the thread factory.
    fresh.forEach(slot -> backlog.enrol(slot.claimant()));
  }

  /** Lets every slot end once it has nothing to do. */
  void close() {
    closed = true;
    backlog.dismissClaimants();
  }

  void cancelAll() {
    for (Slot<T> slot : slots) {
      slot.cancel(CancelCause.STOP);
    }
  }

  /**
   * Lets no attempt be followed by another, and ends the jobs that wait for one, unless the backlog
   * keeps them for the next start.
   */
  void stopRetries(Outcome.Unstarted.Cause cause) {
    Retries retries = setup.retries();
    if (retries != null && !backlog.keepsJobs()) {
      retries.stop();
    }
    backlog.stopRetries(cause);
  }

  /**
   * Wakes suspended jobs that are due, and claims that waited for a start; returns the nanoseconds
   * until the next will be.
   */
  long wakeDue(long now) {
    return setup.retries() == null && !setup.limitsStarts() && !delays
        ? Timekeeper.NOTHING
        : backlog.wakeDue(now);
  }

  /** A job with a delay is about to be submitted. */
  void expectDelays() {
    if (!delays) {
      delays = true;
    }
  }

  /** Cancels the attempts beyond their timeout; returns the nanoseconds until the next will be. */
  long expire(long now) {
    if (!limitsAttempts) {
      return Timekeeper.NOTHING;
    }
    long next = Timekeeper.NOTHING;
    for (Slot<T> slot : slots) {
      next = Math.min(next, slot.expire(now, Timekeeper.NOTHING));
    }
    return next;
  }

  List<StuckJob> stuck(long now) {
    return Arrays.stream(slots).map(slot -> slot.stuck(now)).flatMap(Optional::stream).toList();
  }

  /** How many handlers are entered and wait for nothing. Looks at each thread. */
  int runnableHandlers() {
    int runnable = 0;
    for (Slot<T> slot : slots) {
      runnable += slot.isRunnable() ? 1 : 0;
    }
    return runnable;
  }

  /** Whether the calling thread runs a handler of this worker. */
  boolean isHandlerThread() {
    Thread self = Thread.currentThread();
    for (Slot<T> slot : slots) {
      if (slot.isMine(self)) {
        return true;
      }
    }
    return false;
  }

  void threadStarts() {
    liveThreads.incrementAndGet();
  }

  void threadEnded() {
    liveThreads.decrementAndGet();
    if (closed) {
      timekeeper.wake();
    }
  }

  int liveThreads() {
    return liveThreads.get();
  }

  /** Which of the slots wait for a downstream. */
  ExternalWaits externalWaits() {
    return externalWaits;
  }

  String name() {
    return setup.name();
  }

  Handler<T> handler() {
    return setup.handler();
  }

  ThreadFactory threads() {
    return setup.threads();
  }

  boolean threadPerJob() {
    return setup.threadPerJob();
  }

  /** Where attempts are reported to; null where the concurrency follows nothing. */
  @Nullable AttemptSamples samples() {
    return setup.samples();
  }

  /** Whether attempts have a timeout, or a deadline over all of them. */
  boolean limitsAttempts() {
    return limitsAttempts;
  }

  /** When an attempt that started at {@code startedAt} must have ended; where that is limited. */
  long attemptEnd(long startedAt, @Nullable Suspension before) {
    long timeout = setup.timeoutNanos();
    long end = Durations.deadline(startedAt, timeout == NO_TIMEOUT ? Long.MAX_VALUE : timeout);
    Retries retries = setup.retries();
    if (retries == null) {
      return end;
    }
    return Durations.earlier(end, retries.deadline(startedAt, before));
  }

  @Nullable Retries retries() {
    return setup.retries();
  }

  Ticker ticker() {
    return setup.ticker();
  }

  Backlog<T> backlog() {
    return backlog;
  }

  Timekeeper timekeeper() {
    return timekeeper;
  }

  Observers observers() {
    return observers;
  }

  BriefWait beforeParking() {
    return beforeParking;
  }

  ErrorCapture errors() {
    return errors;
  }
}
