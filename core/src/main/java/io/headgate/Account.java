package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Tally;
import io.headgate.time.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The account: every accepted job, where it is, and how it ended. A pure machine, without threads,
 * a lock or a clock: each method is one transition {@code (state, event, now) → effects}.
 *
 * <p>Whoever drives it serializes the calls ({@link MemoryBacklog} by its lock, tests by being one
 * thread) and carries the {@link Effects} out afterwards. Nothing is allocated by an accepting
 * admission, a claim or a completion once the pools have grown to the limits.
 */
/*
 * Over 500 lines with its comments: what keeps one invariant true stands in one place.
 *
 * Places of a job, and what moves it:
 *
 *   (none) --admit--> WAITING --claim--> RUNNING --settle--> completed | failed | interrupted
 *                        |
 *                        +--shed, expire, cancel, discard--> unstarted
 *
 * Held after every transition:
 *   accepted = completed + failed + interrupted + unstarted + unfinished
 *   unfinished = waiting + running,  running <= concurrency unless that was lowered meanwhile
 *   a job enters only if unfinished < concurrency + capacity and its bytes fit
 *   ids = entries of unfinished jobs + what the history keeps
 *
 * Who wakes whom is decided in one place, conclude(), at the end of every critical section:
 *   While there is room and a sleeping producer fits into it, the first such is woken, unless as many
 *   are woken already as there are places. A woken producer decides again; however that ends, it
 *   concludes again. So while a sleeper fits, somebody is awake who will look after it.
 *   Sleepers also wake by themselves at the first expiry of a waiting job, for that makes room without
 *   anybody's doing; a job accepted with an earlier expiry wakes them all to look again.
 *   While there is work, an idle claimant and a free slot, one idle claimant is woken, unless one is
 *   on its way already; when it arrives it concludes again. So such work never lies unseen.
 */
final class Account<T> {

  private final Effects<T> effects = new Effects<>();
  private final IdTable ids = new IdTable();
  private final WaitingJobs<T> waiting = new WaitingJobs<>();
  private final History history;
  private final ProducerLine producers;
  private final long capacityBytes;

  private int concurrency;

  /** Concurrency plus capacity: jobs that may be unfinished. */
  private long limit;

  private boolean admitting = true;
  private boolean claiming = true;
  private boolean paused;
  private boolean closed;

  /** Whether a job with a time to live was ever accepted, so that transitions need the time. */
  private boolean timed;

  private long accepted;
  private long completed;
  private long failed;
  private long interrupted;
  private long unstarted;
  private int running;
  private long runningBytes;

  private @Nullable Entry<T> pool;
  private final IdleClaimants idle = new IdleClaimants();

  /** Claimants enrolled and not dismissed. */
  private int claimants;

  /** The claimant that was woken and has not asked yet; one at a time. */
  private @Nullable Claimant waking;

  private final AbandonedJobs abandoned = new AbandonedJobs();

  /** Whether a job ended in this critical section. */
  private boolean somethingEnded;

  Account(Backlog.Settings settings) {
    this.concurrency = settings.concurrency();
    this.limit = (long) settings.concurrency() + settings.capacity();
    this.capacityBytes = settings.capacityBytes();
    this.history = new History(settings.history());
    this.producers = new ProducerLine(settings.maxWaitingProducers(), settings.maxWaitingBytes());
  }

  /**
   * Ends a critical section: decides who is woken, and returns all that is to be done outside it.
   * The caller takes what it needs from the effects and clears them before the next section begins.
   */
  Effects<T> conclude() {
    if (somethingEnded) {
      somethingEnded = false;
      // Only now, for what made room by ending may have been followed at once by who takes it.
      if (unfinished() == 0) {
        effects.becameIdle();
      }
    }
    if (producers.asleep() > 0 && admitting && producers.woken() < limit - unfinished()) {
      ProducerLine.Waiter waiter = producers.wakeFirstFitting(byteRoom());
      if (waiter != null) {
        effects.wakeProducer(waiter.thread);
      }
    }
    if (!idle.isEmpty() && waking == null && waiting.count() > 0 && mayClaim()) {
      waking = idle.pop();
      effects.wakeClaimant(waking);
    }
    return effects;
  }

  // ---- admission: the one decision ----

  /**
   * Accepts {@code job} or says why not. The answers are tried in their fixed order: what is wrong
   * with the job, closed, duplicate, no room.
   */
  Admission admit(Job<T> job, long bytes, long submitted, long now, WhenFull.Kind whenFull) {
    if (job.hasTimeToLive() && now - expiry(job, submitted) >= 0) {
      return Admission.refused(Reason.EXPIRED);
    }
    if (!admitting) {
      return Admission.refused(Reason.CLOSED);
    }
    if (ids.find(job.id()) != null) {
      return Admission.refused(Reason.DUPLICATE);
    }
    if (!fits(bytes)) {
      expireOverdue(bytes, now);
      if (!fits(bytes)) {
        Reason lacking = unfinished() >= limit ? Reason.FULL : Reason.FULL_BYTES;
        switch (whenFull) {
          case REFUSE, WAIT -> {
            return Admission.refused(lacking);
          }
          case SHED_OLDEST, SHED_LEAST_CRITICAL -> {
            if (!shed(job.criticality().level, bytes, whenFull)) {
              return Admission.refused(Reason.SHED);
            }
          }
        }
      }
    }
    accept(job, bytes, submitted);
    return Admission.accepted();
  }

  private boolean fits(long bytes) {
    return unfinished() < limit && bytes <= byteRoom();
  }

  @SuppressWarnings("ReferenceEquality") // the entry itself
  private void accept(Job<T> job, long bytes, long submitted) {
    Entry<T> entry = pool;
    if (entry == null) {
      entry = new Entry<>();
    } else {
      pool = entry.next;
      entry.next = null;
    }
    entry.place = Entry.Place.WAITING;
    entry.job = job;
    entry.attempt = 0;
    entry.bytes = bytes;
    entry.sequence = accepted++;
    if (job.hasTimeToLive()) {
      entry.expiresAt = expiry(job, submitted);
      timed = true;
    }
    ids.add(entry);
    waiting.add(entry);
    if (waiting.firstToExpire() == entry && producers.asleep() > 0) {
      // Sleepers know the first expiry of the time when they fell asleep; this one comes before it.
      effects.wakeProducers(wakeAllProducers());
    }
  }

  private static long expiry(Job<?> job, long submitted) {
    return Durations.deadline(submitted, job.timeToLiveNanos());
  }

  /** Ends waiting jobs whose time to live is over, earliest first, until {@code bytes} fit. */
  private void expireOverdue(long bytes, long now) {
    Entry<T> first = waiting.firstToExpire();
    while (first != null && first.expiresAt - now <= 0 && !fits(bytes)) {
      endUnstarted(first, Outcome.Unstarted.Cause.EXPIRED);
      first = waiting.firstToExpire();
    }
  }

  /** Makes room by ending waiting jobs, all that are needed or none; whether there is room now. */
  private boolean shed(int level, long bytes, WhenFull.Kind whenFull) {
    boolean oldestFirst = whenFull == WhenFull.Kind.SHED_OLDEST;
    int highest = oldestFirst ? level : level + 1;
    long slotsShort = unfinished() + 1 - limit;
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
      endUnstarted(victim, Outcome.Unstarted.Cause.SHED);
    }
    return true;
  }

  // ---- producers that wait ----

  /** Puts the calling producer to sleep in the line, or returns null if the line is full. */
  ProducerLine.@Nullable Waiter join(Thread thread, long bytes) {
    return producers.join(thread, bytes);
  }

  /** A woken producer decided that it must go on waiting. */
  void sleepAgain(ProducerLine.Waiter waiter) {
    producers.sleepAgain(waiter);
  }

  /** A producer stops waiting, however that came. */
  void leave(ProducerLine.Waiter waiter) {
    producers.leave(waiter);
  }

  // ---- claims and ends ----

  /** Adds an idle claimant. */
  void enrol(Claimant claimant) {
    claimants++;
    rest(claimant);
  }

  /**
   * A claimant that was woken cannot come. It is the last to be woken again, and nobody is woken
   * here: that would be it again where it is the only one.
   */
  Effects<T> decline(Claimant claimant) {
    waking = null;
    if (!dismissesTooMany(claimant)) {
      idle.pushLast(claimant);
    }
    return effects;
  }

  /** A claimant that holds nothing asks for a job; without one it is idle, or dismissed. */
  @SuppressWarnings("ReferenceEquality") // a claimant is itself and nobody else
  @Nullable Entry<T> claim(Claimant claimant, long now) {
    if (waking == claimant) {
      waking = null;
    }
    if (claimants <= concurrency && mayClaim()) {
      Entry<T> entry = waiting.oldest();
      while (entry != null) {
        if (entry.heapIndex == Entry.NOT_TIMED || entry.expiresAt - now > 0) {
          start(entry, claimant);
          return entry;
        }
        endUnstarted(entry, Outcome.Unstarted.Cause.EXPIRED);
        entry = waiting.oldest();
      }
    }
    rest(claimant);
    return null;
  }

  private boolean mayClaim() {
    return claiming && !paused && running < concurrency;
  }

  private void start(Entry<T> entry, Claimant claimant) {
    waiting.remove(entry);
    entry.place = Entry.Place.RUNNING;
    entry.attempt++;
    entry.claimant = claimant;
    running++;
    runningBytes += entry.bytes;
  }

  private void rest(Claimant claimant) {
    if (!dismissesTooMany(claimant)) {
      idle.push(claimant);
    }
  }

  private boolean dismissesTooMany(Claimant claimant) {
    if (!closed && claimants <= concurrency) {
      return false;
    }
    claimants--;
    effects.dismiss(claimant);
    return true;
  }

  /**
   * Ends a running job: the outcome is recorded, then its place is free.
   *
   * @param kept what the history keeps of the outcome
   */
  void settle(Entry<T> entry, Settlement settlement, Object kept) {
    if (entry.place != Entry.Place.RUNNING) {
      throw new IllegalStateException("a job can be settled once only, this claim was already");
    }
    // Not a switch over the sealed type: completing is the hot path, and one test is all it needs.
    if (settlement instanceof Settlement.Completed) {
      completed++;
    } else if (settlement instanceof Settlement.Failed) {
      failed++;
    } else if (settlement instanceof Settlement.Interrupted end) {
      interrupted++;
      if (end.byStop()) {
        abandoned.add(entry);
      }
    }
    running--;
    runningBytes -= entry.bytes;
    end(entry, kept);
  }

  private void endUnstarted(Entry<T> entry, Outcome.Unstarted.Cause cause) {
    Job<T> job = entry.job();
    Outcome.Unstarted outcome = new Outcome.Unstarted(job.id(), cause);
    waiting.remove(entry);
    unstarted++;
    end(entry, outcome);
    effects.ended(job, outcome);
  }

  private void end(Entry<T> entry, Object kept) {
    if (history.keepsNothing()) {
      ids.remove(entry);
    } else {
      ids.replace(entry, kept);
      Object evicted = history.record(kept);
      if (evicted != null) {
        ids.remove(evicted);
      }
    }
    entry.place = Entry.Place.FREE;
    entry.job = null;
    entry.claimant = null;
    entry.next = pool;
    pool = entry;
    somethingEnded = true;
  }

  /** Ends a waiting job by its id, or returns what else is known of the id. */
  CancelResult cancel(String jobId) {
    Object carrier = ids.find(jobId);
    if (carrier == null) {
      return CancelResult.UNKNOWN;
    }
    if (!(carrier instanceof Entry<?>)) {
      return CancelResult.ENDED;
    }
    @SuppressWarnings("unchecked") // the table holds this account's entries only
    Entry<T> entry = (Entry<T>) carrier;
    if (entry.place == Entry.Place.RUNNING) {
      return CancelResult.SIGNALLED;
    }
    endUnstarted(entry, Outcome.Unstarted.Cause.CANCELLED);
    return CancelResult.UNSTARTED;
  }

  /** Returns who holds {@code jobId}, or null if it is not running. */
  @Nullable Claimant claimantOf(String jobId) {
    return ids.find(jobId) instanceof Entry<?> entry ? entry.claimant : null;
  }

  // ---- stop, pause, limits ----

  /** Closes admission and wakes every waiting producer; returns them, for there may be many. */
  List<Thread> stopAdmission() {
    admitting = false;
    return wakeAllProducers();
  }

  private List<Thread> wakeAllProducers() {
    List<Thread> woken = new ArrayList<>(producers.asleep());
    ProducerLine.Waiter waiter = producers.wakeFirstFitting(Long.MAX_VALUE);
    while (waiter != null) {
      if (waiter.thread != null) {
        woken.add(waiter.thread);
      }
      waiter = producers.wakeFirstFitting(Long.MAX_VALUE);
    }
    return woken;
  }

  /** Ends all that waits; nothing is claimed any more. */
  void discardWaiting(Outcome.Unstarted.Cause cause) {
    claiming = false;
    Entry<T> entry = waiting.oldest();
    while (entry != null) {
      abandoned.add(entry);
      endUnstarted(entry, cause);
      entry = waiting.oldest();
    }
  }

  /** Dismisses the idle claimants now and the others when they next ask. */
  void dismissClaimants() {
    claiming = false;
    closed = true;
    dismissIdle(0);
  }

  private void dismissIdle(int remaining) {
    while (!idle.isEmpty() && claimants > remaining) {
      claimants--;
      effects.dismiss(idle.pop());
    }
  }

  /**
   * Pauses or goes on. Once admission has stopped nothing is paused any more: it could not drain.
   */
  void pause(boolean pause) {
    paused = pause && admitting;
  }

  void resize(int newConcurrency, int newCapacity) {
    concurrency = newConcurrency;
    limit = (long) newConcurrency + newCapacity;
    dismissIdle(newConcurrency);
  }

  // ---- what is known ----

  boolean timed() {
    return timed;
  }

  boolean admitting() {
    return admitting;
  }

  int unfinished() {
    return waiting.count() + running;
  }

  private long byteRoom() {
    return capacityBytes - waiting.bytes() - runningBytes;
  }

  /** When the first waiting job expires, or {@code otherwise} if none can. */
  long firstExpiry(long otherwise) {
    Entry<T> first = waiting.firstToExpire();
    return first == null ? otherwise : first.expiresAt;
  }

  /**
   * The answer to a job for which there is no room, read without the lock; null where the lock is
   * needed to tell. It means something only if the caller finds afterwards that nobody wrote.
   */
  @Nullable Admission refuseRacily(Job<T> job, long bytes) {
    if (!admitting || timed || fits(bytes)) {
      return null;
    }
    if (ids.findRacily(job.id())) {
      return Admission.refused(Reason.DUPLICATE);
    }
    return Admission.refused(unfinished() >= limit ? Reason.FULL : Reason.FULL_BYTES);
  }

  Optional<Outcome> outcome(String jobId) {
    Object carrier = ids.find(jobId);
    return carrier == null || carrier instanceof Entry<?>
        ? Optional.empty()
        : Optional.of(History.outcomeOf(carrier));
  }

  /** What the history keeps, for {@link #tally}. */
  Object[] kept() {
    return history.copy();
  }

  Tally tally(List<Outcome> outcomes) {
    return new Tally(
        accepted,
        completed,
        failed,
        interrupted,
        unstarted,
        waiting.count(),
        0,
        0,
        running,
        waiting.bytes(),
        runningBytes,
        // Once admission has stopped all of them are told so; who has not run yet waits for
        // nothing.
        admitting ? producers.count() : 0,
        admitting ? producers.bytes() : 0,
        outcomes);
  }

  /** The ids that a stop gave up, and once claimants are dismissed those that still run. */
  List<String> abandoned() {
    List<Entry<?>> running = new ArrayList<>();
    if (closed) {
      ids.forEachEntry(running::add);
    }
    return abandoned.idsWith(running);
  }
}
