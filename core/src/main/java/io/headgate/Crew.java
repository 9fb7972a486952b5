package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.time.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The slots of a worker, and what they all need. Thread-safe. */
final class Crew<T> {

  static final long NO_TIMEOUT = -1;

  private final Setup<T> setup;
  private final Backlog<T> backlog;
  private final Timekeeper timekeeper;
  private final Observers observers;
  private final ErrorCapture errors;

  private final CopyOnWriteArrayList<Slot<T>> slots = new CopyOnWriteArrayList<>();
  private final AtomicInteger liveThreads = new AtomicInteger();
  private volatile boolean closed;
  private int target;

  /** What a worker was built with, as far as its slots need it. */
  record Setup<T>(
      String name,
      Handler<T> handler,
      ThreadFactory threads,
      boolean threadPerJob,
      long timeoutNanos,
      int idleSpins,
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
  }

  /** Sets how many slots there should be. Slots too many leave when they have nothing to do. */
  synchronized void resize(int concurrency) {
    target = concurrency;
    replenish();
  }

  /** A slot was dismissed by the backlog. */
  void forget(Slot<T> slot) {
    slots.remove(slot);
    if (!closed) {
      synchronized (this) {
        replenish();
      }
    }
  }

  private void replenish() {
    for (int missing = target - slots.size(); missing > 0 && !closed; missing--) {
      Slot<T> slot = new Slot<>(this);
      slots.add(slot);
      backlog.enrol(slot.claimant());
    }
  }

  /** Lets every slot end once it has nothing to do. */
  void close() {
    closed = true;
    backlog.dismissClaimants();
  }

  void cancelAll() {
    slots.forEach(slot -> slot.cancel(CancelCause.STOP));
  }

  /** Cancels the attempts beyond their timeout; returns the nanoseconds until the next will be. */
  long expire(long now) {
    if (setup.timeoutNanos() == NO_TIMEOUT) {
      return Timekeeper.NOTHING;
    }
    long next = Timekeeper.NOTHING;
    for (Slot<T> slot : slots) {
      next = Math.min(next, slot.expire(now, Timekeeper.NOTHING));
    }
    return next;
  }

  List<StuckJob> stuck(long now) {
    return slots.stream().map(slot -> slot.stuck(now)).flatMap(Optional::stream).toList();
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

  long timeoutNanos() {
    return setup.timeoutNanos();
  }

  int idleSpins() {
    return setup.idleSpins();
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

  ErrorCapture errors() {
    return errors;
  }
}
