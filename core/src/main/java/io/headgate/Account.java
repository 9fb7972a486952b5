package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.backlog.Tally;
import io.headgate.limit.RateLimit;
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
 *                        |              ^      |
 *                        |           claim   suspend
 *                        |              |      v
 *                        |             DUE <-- SUSPENDED  (wakeDue)
 *                        |              |      |
 *                        |              +------+--stop, cancel; deadline when due--> failed
 *                        +--shed, expire, cancel, discard--> unstarted
 *
 * Held after every transition:
 *   accepted = completed + failed + interrupted + unstarted + unfinished
 *   unfinished = waiting + between attempts (suspended or due) + running,  running <= concurrency unless that was lowered meanwhile
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
 *   A claimant that finds work but no free start rests, and none is woken until wakeDue() finds that the
 *   time of the next start has come. Of a limit that is shared somebody else may take it: then again.
 */
final class Account<T> {

  private final Effects<T> effects = new Effects<>();
  private final IdTable ids = new IdTable();
  private final WaitingJobs<T> waiting = new WaitingJobs<>();
  private final BetweenAttempts<T> retries = new BetweenAttempts<>();
  private final History history;
  private final ProducerLine producers;
  private final long capacityBytes;

  private int concurrency;

  /** Concurrency plus capacity: jobs that may be unfinished. */
  private long limit;

  private boolean admitting = true;
  private boolean claiming = true;
  private boolean retrying = true;
  private boolean paused;

  /** Whether a job with a time to live was ever accepted, so that transitions need the time. */
  private boolean timed;

  private long accepted;
  private long completed;
  private long failed;
  private long interrupted;
  private long unstarted;
  private int running;
  private long runningBytes;

  /** Jobs between two attempts, suspended or due, and their bytes. */
  private int between;

  private long betweenBytes;

  /** Whether a job was ever suspended, so that claims need the time. */
  private boolean everSuspended;

  /** What bounds the starts; null where nothing does. Its lock is taken within the account's. */
  private final @Nullable RateLimit startRate;

  /** Whether no start was free when one was last asked for, and when one is expected to be. */
  private boolean startsBlocked;

  private long nextStartAt;

  private @Nullable Entry<T> pool;
  private final Claimants claimants;
  private final AbandonedJobs abandoned = new AbandonedJobs();

  /** Whether a job ended in this critical section. */
  private boolean somethingEnded;

  Account(Backlog.Settings settings) {
    this.concurrency = settings.concurrency();
    this.claimants = new Claimants(effects, concurrency);
    this.limit = (long) settings.concurrency() + settings.capacity();
    this.capacityBytes = settings.capacityBytes();
    this.startRate = settings.startRate();
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
    if (claimants.canWake() && hasReady() && mayClaim()) {
      claimants.wakeOne();
    }
    return effects;
  }

  // ---- admission: the one decision ----

  /**
   * Accepts {@code job} or says why not. The answers are tried in their fixed order: what is wrong
   * with the job, closed, duplicate, no room.
   */
  Admission admit(Job<T> job, long bytes, long submitted, long now, WhenFull.Kind whenFull) {
    if (startsBlocked) {
      unblockStarts(now);
    }
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
    entry.cancelled = false;
    entry.bytes = bytes;
    entry.sequence = accepted++;
    if (job.hasTimeToLive()) {
      entry.dueAt = expiry(job, submitted);
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
    while (first != null && first.dueAt - now <= 0 && !fits(bytes)) {
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
    claimants.enrol(claimant);
  }

  /**
   * A claimant that was woken cannot come. It is the last to be woken again, and nobody is woken
   * here: that would be it again where it is the only one.
   */
  Effects<T> decline(Claimant claimant) {
    claimants.decline(claimant);
    return effects;
  }

  /** A claimant that holds nothing asks for a job; without one it is idle, or dismissed. */
  @Nullable Entry<T> claim(Claimant claimant, long now) {
    if (startsBlocked) {
      unblockStarts(now);
    }
    if (claimants.arrives(claimant) && mayClaim()) {
      Entry<T> entry = retries.due() == 0 ? null : firstDue(now);
      if (entry == null) {
        entry = firstWaiting(now);
      }
      if (entry != null && (startRate == null || takesStart(startRate, now))) {
        start(entry, claimant);
        return entry;
      }
    }
    claimants.rest(claimant);
    return null;
  }

  /** Finds the first due job; those before it that are too late have failed. */
  private @Nullable Entry<T> firstDue(long now) {
    Entry<T> entry = retries.firstDue();
    while (entry != null && requireNonNull(entry.suspension).deadlineNanos() - now <= 0) {
      endBetween(entry, RetryCut.DEADLINE);
      entry = retries.firstDue();
    }
    return entry;
  }

  /** Finds the oldest waiting job; those before it that are over have expired. */
  private @Nullable Entry<T> firstWaiting(long now) {
    Entry<T> entry = waiting.oldest();
    while (entry != null && entry.heapIndex != Entry.NOT_TIMED && entry.dueAt - now <= 0) {
      endUnstarted(entry, Outcome.Unstarted.Cause.EXPIRED);
      entry = waiting.oldest();
    }
    return entry;
  }

  /** Takes a start for a job that is there, or notes when the next one will be free. */
  private boolean takesStart(RateLimit limit, long now) {
    long wait = limit.tryStart(now);
    if (wait == 0) {
      return true;
    }
    startsBlocked = true;
    nextStartAt = Durations.deadline(now, wait);
    effects.nextStart(nextStartAt);
    return false;
  }

  private void unblockStarts(long now) {
    startsBlocked = nextStartAt - now > 0;
  }

  private boolean hasReady() {
    return waiting.count() > 0 || retries.due() > 0;
  }

  private boolean mayClaim() {
    return claiming && !paused && !startsBlocked && running < concurrency;
  }

  private void start(Entry<T> entry, Claimant claimant) {
    if (entry.place == Entry.Place.DUE) {
      leaveBetween(entry);
    } else {
      waiting.remove(entry);
    }
    entry.place = Entry.Place.RUNNING;
    entry.attempt++;
    entry.claimant = claimant;
    running++;
    runningBytes += entry.bytes;
  }

  /**
   * Ends a running job: the outcome is recorded, then its place is free.
   *
   * @param kept what the history keeps of the outcome
   */
  void settle(Entry<T> entry, Settlement settlement, Object kept) {
    entry.requireRunning();
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

  // ---- between attempts ----

  /** Suspends a running job, or says why it must be settled instead. */
  RetryCut suspend(Entry<T> entry, Suspension suspension) {
    entry.requireRunning();
    if (!retrying) {
      return RetryCut.STOP;
    }
    if (entry.cancelled) {
      return RetryCut.CANCEL;
    }
    entry.dueAt = suspension.untilNanos();
    // First, for it alone can fail, by a lack of memory.
    retries.suspend(entry);
    entry.suspension = suspension;
    entry.claimant = null;
    everSuspended = true;
    running--;
    runningBytes -= entry.bytes;
    between++;
    betweenBytes += entry.bytes;
    return RetryCut.NONE;
  }

  /** Lets those go on whose time has come; returns the nanoseconds until the next may. */
  long wakeDue(long now) {
    retries.wakeDue(now);
    long next = retries.suspended() == 0 ? Long.MAX_VALUE : retries.firstWakeUp(now) - now;
    if (startsBlocked) {
      unblockStarts(now);
      // What is gone meanwhile, or never claimed again, must not keep the timekeeper alive.
      startsBlocked &= claiming && hasReady();
    }
    return startsBlocked ? Math.min(next, nextStartAt - now) : next;
  }

  /** Ends all that is between attempts; nothing comes there any more. */
  void stopRetries() {
    retrying = false;
    Entry<T> entry = retries.any();
    while (entry != null) {
      endBetween(entry, RetryCut.STOP);
      entry = retries.any();
    }
  }

  private void endBetween(Entry<T> entry, RetryCut cut) {
    Job<T> job = entry.job();
    JobError lastError = requireNonNull(entry.suspension).lastError();
    Outcome.Failed outcome = new Outcome.Failed(job.id(), entry.attempt, lastError, cut);
    leaveBetween(entry);
    failed++;
    end(entry, outcome);
    effects.ended(job, outcome);
  }

  private void leaveBetween(Entry<T> entry) {
    retries.remove(entry);
    between--;
    betweenBytes -= entry.bytes;
  }

  // ---- ends ----

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
    if (entry.suspension != null) {
      entry.suspension = null;
    }
    entry.next = pool;
    pool = entry;
    somethingEnded = true;
  }

  /** Ends a job that nobody holds by its id, or returns what else is known of the id. */
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
    return switch (entry.place) {
      case WAITING -> {
        endUnstarted(entry, Outcome.Unstarted.Cause.CANCELLED);
        yield CancelResult.UNSTARTED;
      }
      case RUNNING -> {
        // Its handler may have ended by itself already, and be about to be suspended.
        entry.cancelled = true;
        yield CancelResult.SIGNALLED;
      }
      case SUSPENDED, DUE -> {
        endBetween(entry, RetryCut.CANCEL);
        yield CancelResult.ENDED;
      }
      case FREE -> throw new IllegalStateException("the table holds an entry without a job");
    };
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
    stopRetries();
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
    claimants.dismissAll();
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
    claimants.resize(newConcurrency);
  }

  // ---- what is known ----

  boolean needsTime() {
    return timed || everSuspended || startRate != null;
  }

  boolean admitting() {
    return admitting;
  }

  int unfinished() {
    return waiting.count() + running + between;
  }

  private long byteRoom() {
    return capacityBytes - waiting.bytes() - runningBytes - betweenBytes;
  }

  /** When the first waiting job expires, or {@code otherwise} if none can. */
  long firstExpiry(long otherwise) {
    Entry<T> first = waiting.firstToExpire();
    return first == null ? otherwise : first.dueAt;
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
        waiting.count() + retries.due(),
        retries.suspended(),
        0,
        running,
        waiting.bytes() + betweenBytes,
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
    if (claimants.areDismissed()) {
      ids.forEachEntry(running::add);
    }
    return abandoned.idsWith(running);
  }
}
