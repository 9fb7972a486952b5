package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.Outcome.Unstarted.Cause;
import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Discipline;
import io.headgate.backlog.Load;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
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
 * Who wakes whom is decided in one place, conclude(), at the end of every critical section:
 *   While there is room and a sleeping producer fits into it, the first such is woken, unless as many are
 *   woken already as there are places. A woken producer decides again; however that ends, it concludes
 *   again. So while a sleeper fits, somebody is awake who will look after it. Sleepers also wake by
 *   themselves at the first expiry of a waiting job, which makes room without anybody's doing; a job that
 *   comes with an earlier expiry wakes them all to look again.
 *   While there is work, an idle claimant and a free slot, one idle claimant is woken, unless one is on its
 *   way already; when it arrives it concludes again. So such work never lies unseen. A claimant that finds
 *   work but no free start rests, and none is woken until wakeDue() finds that the time of the next start
 *   has come. Of a limit that is shared somebody else may take it: then again.
 */
final class Account<T> {

  private final Effects<T> effects = new Effects<>();
  private final Books<T> books;
  private final ProducerLine producers;

  private boolean admitting = true;
  private boolean claiming = true;
  private boolean retrying = true;
  private boolean paused;

  /** Whether something here has to do with time, so that transitions need to know it. */
  private boolean timed;

  /** Whether every job knows since when it waits. */
  private final boolean tellsAge;

  /** What bounds the starts in time; null where nothing does. */
  private final @Nullable StartGate gate;

  /** What looks after the delay of the queue; null where nothing does, or no more. */
  private @Nullable DelayDiscipline<T> discipline;

  private final Claimants claimants;

  Account(Backlog.Settings settings) {
    this.books = new Books<>(settings, effects);
    this.claimants = new Claimants(effects, settings.concurrency());
    this.producers = new ProducerLine(settings.maxWaitingProducers(), settings.maxWaitingBytes());
    Discipline rules = settings.discipline();
    this.gate = rules.startRate() == null ? null : new StartGate(rules.startRate());
    this.discipline =
        rules.queueDelay() == null
            ? null
            : new DelayDiscipline<>(rules.queueDelay(), books.waiting);
    this.tellsAge = rules.tellsAge() || discipline != null;
    this.timed = tellsAge || gate != null;
  }

  /**
   * Ends a critical section: decides who is woken, and returns all that is to be done outside it.
   * The caller takes what it needs from the effects and clears them before the next section begins.
   */
  Effects<T> conclude() {
    // Only now, for what made room by ending may have been followed at once by who takes it.
    if (books.hasBecomeIdle()) {
      effects.becameIdle();
    }
    if (producers.asleep() > 0 && admitting && producers.woken() < books.room()) {
      ProducerLine.Waiter waiter = producers.wakeFirstFitting(books.byteRoom());
      if (waiter != null) {
        effects.wakeProducer(waiter.thread);
      }
    }
    if (claimants.canWake() && books.hasReady() && mayClaim()) {
      claimants.wakeOne();
    }
    return effects;
  }

  // ---- admission: the one decision ----

  /**
   * Accepts {@code job} or says why not. The answers are tried in their fixed order: what is wrong
   * with the job, closed, duplicate, no start in time, no room.
   */
  Admission admit(Job<T> job, long bytes, long submitted, long now, WhenFull.Kind whenFull) {
    if (gate != null) {
      gate.look(now);
    }
    Admission told = told(job, submitted, now);
    if (told != null) {
      return told;
    }
    if (gate != null && job.hasTimeToLive()) {
      long late = startsTooLate(gate, job, submitted, now);
      if (late >= 0) {
        return RetryAfter.refusal(Reason.RATE_LIMITED, RetryAfter.stepFor((double) late));
      }
    }
    if (!books.fits(bytes)) {
      books.expireOverdue(bytes, now);
      if (!books.fits(bytes)) {
        switch (whenFull) {
          case REFUSE, WAIT -> {
            return Admission.refused(books.lacking());
          }
          case SHED_OLDEST, SHED_LEAST_CRITICAL -> {
            if (!books.shed(job.criticality().level, bytes, whenFull)) {
              return Admission.refused(Reason.SHED);
            }
          }
        }
      }
    }
    accept(job, bytes, submitted, now);
    return Admission.accepted();
  }

  /** What is told of a job that is to be refused for {@code reason}, unless one comes before it. */
  Admission refusal(Job<T> job, long submitted, long now, Reason reason) {
    Admission told = told(job, submitted, now);
    return told == null ? Admission.refused(reason) : told;
  }

  /** The refusals that come before any for overload, or null. */
  private @Nullable Admission told(Job<T> job, long submitted, long now) {
    if (job.hasTimeToLive() && now - expiry(job, submitted) >= 0) {
      return Admission.refused(Reason.EXPIRED);
    }
    if (!admitting) {
      return Admission.refused(Reason.CLOSED);
    }
    return books.ids.find(job.id()) == null ? null : Admission.refused(Reason.DUPLICATE);
  }

  /**
   * By how much a start would come too late for its time to live, if those before it take theirs;
   * below zero if it would not.
   */
  private long startsTooLate(StartGate starts, Job<T> job, long submitted, long now) {
    int ahead = books.waiting.count() + books.suspended.due();
    long readyIn = Durations.deadline(submitted, job.delayNanos()) - now;
    long startsIn = Math.max(readyIn, starts.nanosUntilStart(ahead, now));
    return startsIn - (expiry(job, submitted) - now);
  }

  private void accept(Job<T> job, long bytes, long submitted, long now) {
    Entry<T> entry = books.open(job, bytes);
    if (job.hasDelay()) {
      entry.dueAt = Durations.deadline(submitted, job.delayNanos());
      timed = true;
      books.suspend(entry);
      effects.nextStart(entry.dueAt);
    } else {
      if (job.hasTimeToLive()) {
        entry.dueAt = expiry(job, submitted);
      }
      enqueue(entry, now);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the entry itself
  private void enqueue(Entry<T> entry, long now) {
    books.enqueue(entry, now);
    if (entry.heapIndex != Entry.NOT_TIMED) {
      timed = true;
      if (books.waiting.firstToExpire() == entry && producers.asleep() > 0) {
        // Sleepers know the first expiry of the time when they fell asleep; this comes before it.
        effects.wakeProducers(wakeAllProducers());
      }
    }
  }

  private static long expiry(Job<?> job, long submitted) {
    return Durations.deadline(submitted, job.timeToLiveNanos());
  }

  // ---- producers that wait ----

  /** Puts a producer to sleep in the line, or returns null if the line is full. */
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

  /** A claimant that was woken cannot come. Nobody is woken here: it may be the only one. */
  Effects<T> decline(Claimant claimant) {
    claimants.decline(claimant);
    return effects;
  }

  /** A claimant that holds nothing asks for a job; without one it is idle, or dismissed. */
  @Nullable Entry<T> claim(Claimant claimant, long now) {
    if (gate != null) {
      gate.look(now);
    }
    if (claimants.arrives(claimant) && mayClaim()) {
      Entry<T> entry = books.suspended.due() == 0 ? null : firstDue(now);
      if (entry == null) {
        entry = firstWaiting(now);
      }
      if (entry != null && (gate == null || gate.takesStart(now, effects))) {
        if (discipline != null && entry.place == Entry.Place.WAITING) {
          discipline.starts(entry);
        }
        books.start(entry, claimant);
        return entry;
      }
    }
    claimants.rest(claimant);
    return null;
  }

  private boolean mayClaim() {
    return claiming && !paused && books.hasFreeSlot() && (gate == null || !gate.isShut());
  }

  /** Finds the first due job; those before it that are too late have failed. */
  private @Nullable Entry<T> firstDue(long now) {
    Entry<T> entry = books.suspended.firstDue();
    while (entry != null && requireNonNull(entry.suspension).deadlineNanos() - now <= 0) {
      books.endBetween(entry, RetryCut.DEADLINE);
      entry = books.suspended.firstDue();
    }
    return entry;
  }

  /** Finds the waiting job that is next; what is over before it, or stale, has ended. */
  private @Nullable Entry<T> firstWaiting(long now) {
    if (discipline != null) {
      discipline.look(now);
      Entry<T> stale = discipline.stale(now);
      while (stale != null) {
        books.endUnstarted(stale, stale.isOver(now) ? Cause.EXPIRED : Cause.SHED);
        stale = discipline.stale(now);
      }
    }
    Entry<T> entry = nextWaiting();
    while (entry != null && entry.isOver(now)) {
      books.endUnstarted(entry, Cause.EXPIRED);
      entry = nextWaiting();
    }
    return entry;
  }

  private @Nullable Entry<T> nextWaiting() {
    return discipline == null ? books.waiting.oldest() : discipline.next();
  }

  /** Ends a running job; {@code kept} is what the history keeps of the outcome. */
  void settle(Entry<T> entry, Settlement settlement, Object kept) {
    entry.requireRunning();
    books.settle(entry, settlement, kept);
  }

  // ---- until a time ----

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
    timed = true;
    books.suspend(entry);
    entry.suspension = suspension;
    return RetryCut.NONE;
  }

  /** Lets those go on whose time has come; returns the nanoseconds until the next may. */
  long wakeDue(long now) {
    Entry<T> entry = books.pollAwake(now);
    while (entry != null) {
      if (entry.suspension != null) {
        books.suspended.addDue(entry);
      } else {
        Job<T> job = entry.job();
        entry.dueAt = Durations.deadline(entry.dueAt, job.timeToLiveNanos() - job.delayNanos());
        enqueue(entry, now);
      }
      entry = books.pollAwake(now);
    }
    SuspendedJobs<T> suspended = books.suspended;
    long next = suspended.count() == 0 ? Long.MAX_VALUE : suspended.firstWakeUp(now) - now;
    if (gate == null) {
      return next;
    }
    gate.look(now);
    if (!claiming || !books.hasReady()) {
      // What is gone meanwhile, or never claimed again, must not keep the timekeeper alive.
      gate.open();
    }
    return gate.isShut() ? Math.min(next, gate.nextStartAt() - now) : next;
  }

  /** Ends all that waits for a time, what never ran for {@code cause}; nothing comes there more. */
  void stopRetries(Cause cause) {
    retrying = false;
    Entry<T> entry = books.suspended.any();
    while (entry != null) {
      if (entry.suspension != null) {
        books.endBetween(entry, RetryCut.STOP);
      } else {
        books.abandon(entry, cause);
      }
      entry = books.suspended.any();
    }
  }

  /** Ends a job that nobody holds by its id, or returns what else is known of the id. */
  CancelResult cancel(String jobId) {
    Object carrier = books.ids.find(jobId);
    if (carrier == null) {
      return CancelResult.UNKNOWN;
    }
    if (!(carrier instanceof Entry<?>)) {
      return CancelResult.ENDED;
    }
    @SuppressWarnings("unchecked") // the table holds this account's entries only
    Entry<T> entry = (Entry<T>) carrier;
    if (entry.place == Entry.Place.RUNNING) {
      // Its handler may have ended by itself already, and be about to be suspended.
      entry.cancelled = true;
      return CancelResult.SIGNALLED;
    }
    if (entry.suspension != null) {
      books.endBetween(entry, RetryCut.CANCEL);
      return CancelResult.ENDED;
    }
    books.endUnstarted(entry, Cause.CANCELLED);
    return CancelResult.UNSTARTED;
  }

  /** Returns who holds {@code jobId}, or null if it is not running. */
  @Nullable Claimant claimantOf(String jobId) {
    return books.ids.find(jobId) instanceof Entry<?> entry ? entry.claimant : null;
  }

  // ---- stop, pause, limits ----

  /** Closes admission and wakes every waiting producer; returns them, for there may be many. */
  List<Thread> stopAdmission() {
    admitting = false;
    // A queue that only gets shorter is no overload: what was accepted is owed its chance.
    discipline = null;
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
  void discardWaiting(Cause cause) {
    claiming = false;
    stopRetries(cause);
    Entry<T> entry = books.waiting.oldest();
    while (entry != null) {
      books.abandon(entry, cause);
      entry = books.waiting.oldest();
    }
  }

  /** Dismisses the idle claimants now and the others when they next ask. */
  void dismissClaimants() {
    claiming = false;
    claimants.dismissAll();
  }

  /** Pauses or goes on. Once admission has stopped nothing is paused any more. */
  void pause(boolean pause, long now) {
    if (paused && !pause) {
      books.waiting.resumes(now);
    }
    paused = pause && admitting;
    if (discipline != null) {
      discipline.restart(now);
    }
  }

  void resize(int concurrency, int capacity) {
    books.resize(concurrency, capacity);
    claimants.resize(concurrency);
  }

  // ---- what is known ----

  boolean needsTime() {
    return timed;
  }

  boolean admitting() {
    return admitting;
  }

  int unfinished() {
    return books.unfinished();
  }

  /** When the first waiting job expires, or {@code otherwise} if none can. */
  long firstExpiry(long otherwise) {
    Entry<T> first = books.waiting.firstToExpire();
    return first == null ? otherwise : first.dueAt;
  }

  /**
   * The answer to a job without a time to live for which there is no room, read without the lock;
   * null where the lock is needed to tell. It means something only if the caller finds afterwards
   * that nobody wrote.
   */
  @Nullable Admission refuseRacily(Job<T> job, long bytes) {
    if (!admitting || books.waiting.anyExpires() || books.fits(bytes)) {
      return null;
    }
    return Admission.refused(books.ids.findRacily(job.id()) ? Reason.DUPLICATE : books.lacking());
  }

  Optional<Outcome> outcome(String jobId) {
    Object carrier = books.ids.find(jobId);
    return carrier == null || carrier instanceof Entry<?>
        ? Optional.empty()
        : Optional.of(Ledger.outcomeOf(carrier));
  }

  /** What the history keeps, for {@link #tally}. */
  Object[] kept() {
    return books.kept();
  }

  Tally tally(List<Outcome> outcomes) {
    // Once admission has stopped, who has not run yet to be told so waits for nothing.
    long waiting = admitting ? producers.count() : 0;
    long waitingBytes = admitting ? producers.bytes() : 0;
    return books.tally(outcomes, waiting, waitingBytes);
  }

  Load load(long now) {
    Entry<T> oldest = books.waiting.oldest();
    // Nobody waits for a slot while the worker is paused, nor for one that a stop will find.
    long age = oldest == null || paused || !admitting ? 0 : books.waiting.waited(oldest, now);
    return new Load(
        books.unfinished(),
        books.ledger.ended(),
        tellsAge ? age : -1,
        oldest != null && discipline != null && discipline.isShedding());
  }

  /** What a stop gave up, and once claimants are dismissed what still runs. */
  List<String> abandoned() {
    return books.abandoned(claimants.areDismissed());
  }
}
