package io.headgate.backlog;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.WhenFull;
import io.headgate.time.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * How a job comes into a {@link GroupCommitBacklog}: the decision, which is made once the commit is
 * over, and the line of producers that wait for room.
 */
final class GroupCommitAdmission<T> {

  /** Decides under the lock; {@code open} is what the lifecycle was when the group was closed. */
  private interface Decision {
    Admission make(boolean open);
  }

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    final long bytes;
    volatile boolean woken;

    Waiter(long bytes) {
      this.bytes = bytes;
    }
  }

  private final Backlog.Settings settings;
  private final GroupCommit store;
  private final CommittedLedger<T> ledger;

  // All guarded by the lock of the store.
  private final List<Waiter> line = new ArrayList<>();
  private boolean admitting = true;
  private boolean groupWasOpen;
  private int underWay;
  private Outcome.Unstarted.Cause discarded;

  GroupCommitAdmission(Backlog.Settings settings, GroupCommit store, CommittedLedger<T> ledger) {
    this.settings = settings;
    this.store = store;
    this.ledger = ledger;
  }

  // ---- asked by producers, without the lock ----

  Admission admit(Job<T> job, long bytes, long submitted, WhenFull.Kind kind) {
    return admission(open -> decide(job, bytes, submitted, kind, open));
  }

  Admission admitWaiting(Job<T> job, long bytes, long submitted, long patienceNanos)
      throws InterruptedException {
    long patienceEnd = Durations.deadline(submitted, patienceNanos);
    Waiter waiter = new Waiter(bytes);
    Decision decision = open -> decideWaiting(job, waiter, submitted, patienceEnd, open);
    while (true) {
      Admission answer = admission(decision);
      if (answer != null) {
        return answer;
      }
      long expiry = job.timeToLive().isPresent() ? expiry(job, submitted) : patienceEnd;
      long end = Durations.earlier(expiry, patienceEnd);
      // Nothing that may park stands between the look at the mark and the park: it would eat the
      // permit.
      long wait = untilExpiry(end) - settings.ticker().nanoTime();
      while (!waiter.woken && wait > 0 && !Thread.currentThread().isInterrupted()) {
        settings.ticker().parkNanos(this, wait);
        wait = untilExpiry(end) - settings.ticker().nanoTime();
      }
      if (Thread.interrupted()) {
        store.local(() -> line.remove(waiter));
        throw new InterruptedException();
      }
    }
  }

  private long untilExpiry(long end) {
    return store.local(() -> ledger.firstExpiry(end));
  }

  /** Closed is told without a commit, so that nothing new is under way after a stop. */
  private Admission admission(Decision decision) {
    Admission told =
        store.local(
            () -> {
              if (!admitting) {
                return decision.make(false);
              }
              underWay++;
              return null;
            });
    return told != null
        ? told
        : store.commit(
            () -> {
              underWay--;
              return decision.make(groupWasOpen);
            });
  }

  // ---- decisions ----

  /** Returns null where the producer is to sleep in the line. */
  private Admission decideWaiting(
      Job<T> job, Waiter waiter, long submitted, long patienceEnd, boolean open) {
    Admission answer = decide(job, waiter.bytes, submitted, WhenFull.Kind.WAIT, open);
    boolean full =
        answer.equals(Admission.refused(Reason.FULL))
            || answer.equals(Admission.refused(Reason.FULL_BYTES));
    if (!full || !admitting || patienceEnd - settings.ticker().nanoTime() <= 0) {
      line.remove(waiter);
      return full ? Admission.refused(admitting ? Reason.TIMED_OUT : Reason.CLOSED) : answer;
    }
    waiter.woken = false;
    if (!line.contains(waiter)) {
      if (line.size() >= settings.maxWaitingProducers()
          || waiter.bytes > settings.maxWaitingBytes() - waitingBytes()) {
        return Admission.refused(Reason.TOO_MANY_WAITERS);
      }
      line.add(waiter);
    }
    return null;
  }

  private Admission decide(
      Job<T> job, long bytes, long submitted, WhenFull.Kind kind, boolean open) {
    Admission told = told(job, submitted, open);
    if (told != null) {
      return told;
    }
    long now = settings.ticker().nanoTime();
    boolean timed = job.timeToLive().isPresent();
    ledger.expireOverdue(bytes, now);
    if (!ledger.fits(bytes)) {
      if (kind == WhenFull.Kind.REFUSE || kind == WhenFull.Kind.WAIT) {
        return Admission.refused(ledger.lacking());
      }
      if (!ledger.shed(job, bytes, kind)) {
        return Admission.refused(Reason.SHED);
      }
    }
    long startsAt = Durations.deadline(submitted, Durations.nanos("delay", job.delay()));
    CommittedLedger.Row<T> row =
        ledger.accept(job, bytes, timed ? expiry(job, submitted) : 0, startsAt);
    if (discarded != null) {
      ledger.abandon(row, discarded);
    }
    return Admission.accepted();
  }

  /** What is told before anything for want of room; null if nothing is. */
  private Admission told(Job<T> job, long submitted, boolean open) {
    long now = settings.ticker().nanoTime();
    if (job.timeToLive().isPresent() && expiry(job, submitted) - now <= 0) {
      return Admission.refused(Reason.EXPIRED);
    }
    if (!open) {
      return Admission.refused(Reason.CLOSED);
    }
    boolean isKnown =
        ledger.unfinished(job.id()) != null || ledger.remembered(job.id()).isPresent();
    return isKnown ? Admission.refused(Reason.DUPLICATE) : null;
  }

  Admission refusal(Job<T> job, long submitted, Reason reason) {
    Admission told = store.local(() -> told(job, submitted, admitting));
    return told == null ? Admission.refused(reason) : told;
  }

  private static long expiry(Job<?> job, long submitted) {
    return Durations.deadline(submitted, job.timeToLive().orElseThrow().toNanos());
  }

  // ---- asked by the backlog, under the lock ----

  /** The group that is committed now keeps the lifecycle that it finds. */
  void closeGroup() {
    groupWasOpen = admitting;
  }

  boolean isOpen() {
    return admitting;
  }

  /** Whether a commit may still accept somebody. */
  boolean isUnderWay() {
    return underWay > 0;
  }

  void stop() {
    admitting = false;
    line.forEach(this::wake);
  }

  /** From now on whoever is still accepted ends at once, for {@code cause}. */
  void discardNewcomers(Outcome.Unstarted.Cause cause) {
    discarded = cause;
  }

  /** Wakes the first sleeper that fits, unless as many are awake as there are places. */
  void wakeFirstFitting() {
    long awake = line.stream().filter(waiter -> waiter.woken).count();
    if (admitting && awake < ledger.freePlaces()) {
      line.stream()
          .filter(waiter -> !waiter.woken && waiter.bytes <= ledger.byteRoom())
          .findFirst()
          .ifPresent(this::wake);
    }
  }

  private void wake(Waiter waiter) {
    waiter.woken = true;
    store.afterwards(() -> LockSupport.unpark(waiter.thread));
  }

  int waitingProducers() {
    return line.size();
  }

  long waitingBytes() {
    return line.stream().mapToLong(waiter -> waiter.bytes).sum();
  }
}
