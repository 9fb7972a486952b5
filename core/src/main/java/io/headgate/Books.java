package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.Outcome.Unstarted.Cause;
import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Tally;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The books of an {@link Account}: where each unfinished job is, what fits beside it in items and
 * bytes, the ids, and the ledger. Each change is made in all of them at once; what is to be decided
 * is the account's. Guarded by the account's lock.
 */
/*
 * Places of a job, and what moves it:
 *
 *   (none) --admit--> WAITING --claim--> RUNNING --settle--> completed | failed | interrupted
 *      |                 ^ |            ^      |
 *   admit, with       wakeDue           |      |
 *   a delay              | |         claim   suspend
 *      |                 | |            |      v
 *      +--> SUSPENDED ---+ |           DUE <-- SUSPENDED  (wakeDue)
 *               |          |            |      |
 *               |          |            +------+--stop, cancel; deadline when due--> failed
 *               |          +--shed, expire, cancel, discard--> unstarted
 *               +--stop, cancel--> unstarted
 *
 * Held after every transition:
 *   accepted = completed + failed + interrupted + unstarted + unfinished
 *   unfinished = waiting + suspended + due + running
 *   running <= concurrency, unless that was lowered meanwhile
 *   a job enters only if unfinished < concurrency + capacity and its bytes fit
 *   ids = entries of unfinished jobs + what the history keeps
 */
final class Books<T> {

  final WaitingJobs<T> waiting = new WaitingJobs<>();
  final SuspendedJobs<T> suspended = new SuspendedJobs<>();
  final IdTable ids = new IdTable();
  final Ledger ledger;

  private final Effects<T> effects;
  private final AbandonedJobs abandoned = new AbandonedJobs();
  private final long capacityBytes;

  private @Nullable Entry<T> pool;

  /** Whether a job ended in this critical section. */
  private boolean somethingEnded;

  private int concurrency;

  /** Concurrency plus capacity: jobs that may be unfinished. */
  private long limit;

  private int running;
  private long runningBytes;

  /** Jobs that are suspended or due, and their bytes. */
  private int between;

  private long betweenBytes;

  Books(Backlog.Settings settings, Effects<T> effects) {
    this.effects = effects;
    this.ledger = new Ledger(settings.history());
    this.capacityBytes = settings.capacityBytes();
    resize(settings.concurrency(), settings.capacity());
  }

  void resize(int newConcurrency, int newCapacity) {
    concurrency = newConcurrency;
    limit = (long) newConcurrency + newCapacity;
  }

  // ---- what fits ----

  int unfinished() {
    return waiting.count() + running + between;
  }

  /** How many more jobs may be accepted; below zero after the limits were lowered. */
  long room() {
    return limit - unfinished();
  }

  long byteRoom() {
    return capacityBytes - waiting.bytes() - runningBytes - betweenBytes;
  }

  boolean fits(long bytes) {
    return unfinished() < limit && bytes <= byteRoom();
  }

  /** Why something does not fit. */
  Reason lacking() {
    return unfinished() >= limit ? Reason.FULL : Reason.FULL_BYTES;
  }

  boolean hasFreeSlot() {
    return running < concurrency;
  }

  /** Whether a job may be claimed, as far as it is up to the jobs. */
  boolean hasReady() {
    return waiting.count() > 0 || suspended.due() > 0;
  }

  // ---- what moves ----

  /** Takes in one more job, which is nowhere yet. */
  Entry<T> open(Job<T> job, long bytes) {
    makeRoomFor(job);
    Entry<T> entry = pool;
    if (entry == null) {
      entry = new Entry<>();
    } else {
      pool = entry.next;
      entry.next = null;
    }
    entry.job = job;
    entry.attempt = 0;
    entry.cancelled = false;
    entry.bytes = bytes;
    entry.sequence = ledger.countAccepted();
    entry.number = ids.add(job.id(), entry);
    return entry;
  }

  /**
   * Grows what the job will need until it has ended. What fails by a lack of memory fails here,
   * where nothing has changed yet: an accepted job is not lost to a full heap.
   */
  private void makeRoomFor(Job<T> job) {
    ids.makeRoom();
    ledger.makeRoom(1L + unfinished());
    if (job.hasTimeToLive()) {
      waiting.makeRoomForTimed(1 + suspended.count());
    }
    if (job.hasDelay()) {
      suspended.makeRoom();
    }
  }

  /** Puts a job that nobody holds into the queue. */
  void enqueue(Entry<T> entry, long now) {
    entry.place = Entry.Place.WAITING;
    entry.waitsSince = now;
    waiting.add(entry);
  }

  /** Puts a job that nobody holds, or that runs, among those that wait for {@link Entry#dueAt}. */
  void suspend(Entry<T> entry) {
    boolean ran = entry.place == Entry.Place.RUNNING;
    // First, for it alone can fail, by a lack of memory.
    suspended.suspend(entry);
    if (ran) {
      running--;
      runningBytes -= entry.bytes;
      entry.claimant = null;
    }
    between++;
    betweenBytes += entry.bytes;
  }

  /** Takes out a suspended job whose time has come, or returns null. */
  @Nullable Entry<T> pollAwake(long now) {
    Entry<T> entry = suspended.pollAwake(now);
    if (entry != null && entry.suspension == null) {
      between--;
      betweenBytes -= entry.bytes;
    }
    return entry;
  }

  void start(Entry<T> entry, Claimant claimant) {
    leave(entry);
    entry.place = Entry.Place.RUNNING;
    entry.attempt++;
    entry.claimant = claimant;
    running++;
    runningBytes += entry.bytes;
  }

  /** Takes a job out of wherever it is. */
  private void leave(Entry<T> entry) {
    // Not a switch: of five places one is where all but few jobs end.
    if (entry.place == Entry.Place.RUNNING) {
      running--;
      runningBytes -= entry.bytes;
    } else if (entry.place == Entry.Place.WAITING) {
      waiting.remove(entry);
    } else if (entry.place == Entry.Place.FREE) {
      throw new IllegalStateException("a free entry is nowhere");
    } else {
      suspended.remove(entry);
      between--;
      betweenBytes -= entry.bytes;
    }
  }

  // ---- ends: the outcome is recorded, then the place is free ----

  /** Ends a running job; {@code kept} is what the history keeps of the outcome. */
  void settle(Entry<T> entry, Settlement settlement, Object kept) {
    ledger.count(settlement);
    if (settlement instanceof Settlement.Interrupted end && end.byStop()) {
      abandoned.add(entry);
    }
    end(entry, kept);
  }

  /** Ends a job that is between two attempts. */
  void endBetween(Entry<T> entry, RetryCut cut) {
    Job<T> job = entry.job();
    JobError lastError = requireNonNull(entry.suspension).lastError();
    Outcome.Failed outcome = new Outcome.Failed(job.id(), entry.attempt, lastError, cut);
    ledger.countFailed();
    end(entry, outcome);
    effects.ended(job, outcome);
  }

  /** Ends a job that was never started. */
  void endUnstarted(Entry<T> entry, Cause cause) {
    Job<T> job = entry.job();
    Outcome.Unstarted outcome = new Outcome.Unstarted(job.id(), cause);
    ledger.countUnstarted();
    end(entry, outcome);
    effects.ended(job, outcome);
  }

  /** Ends waiting jobs whose time to live is over, earliest first, until {@code bytes} fit. */
  void expireOverdue(long bytes, long now) {
    Entry<T> first = waiting.firstToExpire();
    while (first != null && first.dueAt - now <= 0 && !fits(bytes)) {
      endUnstarted(first, Cause.EXPIRED);
      first = waiting.firstToExpire();
    }
  }

  /** Makes room by ending waiting jobs, all that are needed or none; whether there is room now. */
  boolean shed(int level, long bytes, WhenFull.Kind whenFull) {
    boolean oldestFirst = whenFull == WhenFull.Kind.SHED_OLDEST;
    int highest = oldestFirst ? level : level + 1;
    long slotsShort = 1 - room();
    long bytesShort = bytes - byteRoom();
    if (waiting.countFrom(highest) < Math.max(1, slotsShort)
        || waiting.bytesFrom(highest) < bytesShort) {
      return false;
    }
    while (!fits(bytes)) {
      Entry<T> victim = oldestFirst ? waiting.oldestFrom(level) : waiting.leastCriticalBelow(level);
      if (victim == null) {
        throw new IllegalStateException("the waiting jobs do not add up to their sums");
      }
      endUnstarted(victim, Cause.SHED);
    }
    return true;
  }

  /** Ends a job that was never started, because of a stop. */
  void abandon(Entry<T> entry, Cause cause) {
    abandoned.add(entry);
    endUnstarted(entry, cause);
  }

  private void end(Entry<T> entry, Object kept) {
    leave(entry);
    if (ledger.keepsNothing()) {
      ids.forget(entry.number);
    } else {
      ids.replace(entry.number, kept);
      int evicted = ledger.record(entry.number);
      if (evicted != Ledger.NONE) {
        ids.forget(evicted);
      }
    }
    entry.free();
    entry.next = pool;
    pool = entry;
    somethingEnded = true;
  }

  /** Whether a job ended since this was last asked, and none is unfinished. */
  boolean hasBecomeIdle() {
    if (!somethingEnded) {
      return false;
    }
    somethingEnded = false;
    return unfinished() == 0;
  }

  // ---- what is ----

  /** What the history keeps, oldest first. */
  Object[] kept() {
    int[] numbers = ledger.copy();
    Object[] kept = new Object[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      kept[i] = ids.carrier(numbers[i]);
    }
    return kept;
  }

  /** All figures, with those of the producers that wait as they are given. */
  Tally tally(List<Outcome> outcomes, long waitingProducers, long waitingProducerBytes) {
    return new Tally(
        ledger.accepted(),
        ledger.completed(),
        ledger.failed(),
        ledger.interrupted(),
        ledger.unstarted(),
        waiting.count() + suspended.due(),
        suspended.count(),
        0,
        running,
        waiting.bytes() + betweenBytes,
        runningBytes,
        waitingProducers,
        waitingProducerBytes,
        outcomes);
  }

  /** The ids that a stop gave up, and if asked for all that are unfinished. */
  List<String> abandoned(boolean alsoUnfinished) {
    List<Entry<?>> unfinished = new ArrayList<>();
    if (alsoUnfinished) {
      ids.forEachEntry(unfinished::add);
    }
    return abandoned.idsWith(unfinished);
  }
}
