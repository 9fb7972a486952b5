package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.backlog.Tally;
import io.headgate.limit.QueueDelay;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The account as plain lists, slow and obvious: what {@link Account} must be equal to. It decides
 * everything but which of several idle claimants is woken or dismissed, which no contract fixes.
 * Over 500 lines, for what an event changes is to be read in one place, beside the account.
 */
final class AccountModel {

  final List<Accepted> waiting = new ArrayList<>();
  final List<Accepted> suspended = new ArrayList<>();
  final List<Accepted> due = new ArrayList<>();
  final Map<String, Accepted> running = new LinkedHashMap<>();
  final Set<String> cancelled = new HashSet<>();
  final List<ModelProducer> producers = new ArrayList<>();
  private final ArrayDeque<Outcome> history = new ArrayDeque<>();
  private final List<Accepted> abandoned = new ArrayList<>();
  private final Backlog.Settings settings;
  int concurrency;
  int capacity;
  boolean admitting = true;
  boolean claiming = true;
  boolean retrying = true;
  boolean paused;

  /** The least time between two starts; zero where they are not bounded. */
  private final long startInterval;

  /** Whether the last claim found no start free, and when it will be. */
  private boolean kept;

  private long nextStartAt;
  private boolean everStarted;

  /** Whether somebody must look again for a start, in the section under way, and when. */
  boolean startAwaited;

  long awaitedAt;

  /** What looks after the delay of the queue; null where nothing does, or no more. */
  private StandingQueueModel delay;

  private long resumedAt;
  private boolean everPaused;

  /** Sleepers woken because a waiting job expires before they would have looked again. */
  final List<Thread> lookingAgain = new ArrayList<>();

  boolean closed;
  private long accepted;
  private long completed;
  private long failed;
  private long interrupted;
  private long unstarted;

  /** Outcomes of the section under way that no claimant knows of, and whether it emptied. */
  final List<Outcome> ended = new ArrayList<>();

  boolean emptied;

  AccountModel(Backlog.Settings settings, long startInterval) {
    this.settings = settings;
    this.startInterval = startInterval;
    this.concurrency = settings.concurrency();
    this.capacity = settings.capacity();
    QueueDelay rules = settings.discipline().queueDelay();
    delay = rules == null ? null : new StandingQueueModel(rules, waiting);
  }

  // ---- what is ----

  int unfinished() {
    return waiting.size() + suspended.size() + due.size() + running.size();
  }

  long limit() {
    return (long) concurrency + capacity;
  }

  long byteRoom() {
    return settings.capacityBytes() - idleBytes() - sum(List.copyOf(running.values()));
  }

  /** Bytes of what is not running. */
  private long idleBytes() {
    return sum(waiting) + sum(suspended) + sum(due);
  }

  boolean hasReady() {
    return !waiting.isEmpty() || !due.isEmpty();
  }

  boolean fits(long bytes) {
    return unfinished() < limit() && bytes <= byteRoom();
  }

  boolean mayClaim() {
    return claiming && !paused && !kept && running.size() < concurrency;
  }

  /** Somebody comes who knows the time. */
  void look(long now) {
    kept = kept && nextStartAt - now > 0;
  }

  private void awaitStart(long at) {
    startAwaited = true;
    awaitedAt = at;
  }

  private boolean takesStart(long now) {
    if (startInterval == 0) {
      return true;
    }
    if (everStarted && nextStartAt - now > 0) {
      kept = true;
      awaitStart(nextStartAt);
      return false;
    }
    everStarted = true;
    nextStartAt = now + startInterval;
    return true;
  }

  boolean isKnown(String id) {
    return running.containsKey(id)
        || find(waiting, id) != null
        || find(suspended, id) != null
        || find(due, id) != null
        || history.stream().anyMatch(outcome -> outcome.jobId().equals(id));
  }

  Outcome outcomeOrNull(String id) {
    return history.stream().filter(o -> o.jobId().equals(id)).findFirst().orElse(null);
  }

  int kept() {
    return history.size();
  }

  Tally tally() {
    return new Tally(
        accepted,
        completed,
        failed,
        interrupted,
        unstarted,
        waiting.size() + due.size(),
        suspended.size(),
        0,
        running.size(),
        idleBytes(),
        sum(List.copyOf(running.values())),
        admitting ? producers.size() : 0,
        admitting ? producers.stream().mapToLong(p -> p.bytes).sum() : 0,
        List.copyOf(history));
  }

  List<String> abandoned() {
    List<Accepted> all = new ArrayList<>(abandoned);
    if (closed) {
      all.addAll(waiting);
      all.addAll(suspended);
      all.addAll(due);
      all.addAll(running.values());
    }
    all.sort(Comparator.comparingLong(Accepted::sequence));
    return all.stream().map(job -> job.job().id()).toList();
  }

  private static Accepted find(List<Accepted> jobs, String id) {
    return jobs.stream().filter(job -> job.job().id().equals(id)).findFirst().orElse(null);
  }

  private static long sum(List<Accepted> jobs) {
    return jobs.stream().mapToLong(Accepted::bytes).sum();
  }

  // ---- what happens ----

  Admission admit(Job<String> job, long bytes, long submitted, long now, WhenFull.Kind kind) {
    look(now);
    long expiresAt = job.hasTimeToLive() ? submitted + job.timeToLiveNanos() : 0;
    if (job.hasTimeToLive() && expiresAt - now <= 0) {
      return Admission.refused(Reason.EXPIRED);
    }
    if (!admitting) {
      return Admission.refused(Reason.CLOSED);
    }
    if (isKnown(job.id())) {
      return Admission.refused(Reason.DUPLICATE);
    }
    if (job.hasTimeToLive() && startInterval > 0) {
      long first = everStarted ? Math.max(0, nextStartAt - now) : 0;
      long behindOthers = first + (waiting.size() + due.size()) * startInterval;
      long startsIn = Math.max(behindOthers, submitted + job.delayNanos() - now);
      long late = startsIn - (expiresAt - now);
      if (late >= 0) {
        return RetryAfter.refusal(Reason.RATE_LIMITED, RetryAfter.stepFor((double) late));
      }
    }
    List<Accepted> overdue = new ArrayList<>(waiting.stream().filter(w -> w.isOver(now)).toList());
    overdue.sort((a, b) -> Long.signum(a.expiresAt() - b.expiresAt()));
    while (!fits(bytes) && !overdue.isEmpty()) {
      endUnstarted(overdue.removeFirst(), Outcome.Unstarted.Cause.EXPIRED);
    }
    if (!fits(bytes)) {
      if (kind == WhenFull.Kind.REFUSE || kind == WhenFull.Kind.WAIT) {
        return Admission.refused(unfinished() >= limit() ? Reason.FULL : Reason.FULL_BYTES);
      }
      List<Accepted> victims = victims(job, bytes, kind);
      if (victims.isEmpty()) {
        return Admission.refused(Reason.SHED);
      }
      victims.forEach(victim -> endUnstarted(victim, Outcome.Unstarted.Cause.SHED));
    }
    Accepted fresh = new Accepted(job, bytes, accepted++, expiresAt, submitted + job.delayNanos());
    if (job.hasDelay()) {
      suspended.add(fresh);
      awaitStart(fresh.since());
    } else {
      enqueue(fresh, now);
    }
    return Admission.accepted();
  }

  private void enqueue(Accepted job, long now) {
    boolean first =
        job.job().hasTimeToLive()
            && waiting.stream()
                .filter(w -> w.job().hasTimeToLive())
                .allMatch(w -> job.expiresAt() - w.expiresAt() < 0);
    waiting.add(job.waitingSince(now));
    if (first) {
      for (ModelProducer producer : producers) {
        if (!producer.woken) {
          producer.woken = true;
          lookingAgain.add(producer.thread);
        }
      }
    }
  }

  /** What somebody else refuses for {@code reason}. */
  Admission refusal(Job<String> job, long submitted, long now, Reason reason) {
    if (job.hasTimeToLive() && submitted + job.timeToLiveNanos() - now <= 0) {
      return Admission.refused(Reason.EXPIRED);
    }
    if (!admitting) {
      return Admission.refused(Reason.CLOSED);
    }
    return Admission.refused(isKnown(job.id()) ? Reason.DUPLICATE : reason);
  }

  /** As few as make room, in their order; none if all together do not. */
  private List<Accepted> victims(Job<String> job, long bytes, WhenFull.Kind kind) {
    int level = job.criticality().level;
    List<Accepted> eligible =
        kind == WhenFull.Kind.SHED_OLDEST
            ? waiting.stream().filter(w -> w.job().criticality().level >= level).toList()
            : waiting.stream()
                .filter(w -> w.job().criticality().level > level)
                .sorted(Comparator.comparingInt((Accepted w) -> -w.job().criticality().level))
                .toList();
    for (int count = 1; count <= eligible.size(); count++) {
      List<Accepted> first = eligible.subList(0, count);
      if (unfinished() - count < limit() && bytes <= byteRoom() + sum(first)) {
        return first;
      }
    }
    return List.of();
  }

  /** Whether there is a place in the line; then the producer stands in it, asleep. */
  boolean join(Thread thread, long bytes) {
    long there = producers.stream().mapToLong(p -> p.bytes).sum();
    if (producers.size() >= settings.maxWaitingProducers()
        || bytes > settings.maxWaitingBytes() - there) {
      return false;
    }
    producers.add(new ModelProducer(thread, bytes));
    return true;
  }

  /** Ends the section: wakes the first sleeper that fits, unless enough are awake for the room. */
  Thread wakeProducer() {
    long awake = producers.stream().filter(p -> p.woken).count();
    if (!admitting || awake >= limit() - unfinished()) {
      return null;
    }
    for (ModelProducer producer : producers) {
      if (!producer.woken && producer.bytes <= byteRoom()) {
        producer.woken = true;
        return producer.thread;
      }
    }
    return null;
  }

  /**
   * The first due job that is not too late, else the first in order of admission that is not over;
   * those before it end.
   */
  Accepted claimFirst(long now) {
    while (mayClaim() && !due.isEmpty()) {
      Accepted first = due.getFirst();
      if (first.suspension().deadlineNanos() - now > 0) {
        return takesStart(now) ? start(due.removeFirst()) : null;
      }
      failBetween(first, RetryCut.DEADLINE);
    }
    if (mayClaim() && delay != null) {
      shedStale(now);
    }
    while (mayClaim() && !waiting.isEmpty()) {
      Accepted next = next();
      if (!next.isOver(now)) {
        return takesStart(now) ? startWaiting(next) : null;
      }
      endUnstarted(next, Outcome.Unstarted.Cause.EXPIRED);
    }
    return null;
  }

  // ---- control of the queue's delay ----

  boolean isShedding() {
    return !waiting.isEmpty() && delay != null && delay.isShedding();
  }

  long oldest(long now) {
    return paused || !admitting ? 0 : waited(now);
  }

  private long waited(long now) {
    long waited = waiting.isEmpty() ? 0 : now - waiting.getFirst().since();
    return everPaused ? Math.min(waited, now - resumedAt) : waited;
  }

  private void shedStale(long now) {
    delay.look(waited(now), now);
    while (delay.isStale(waited(now))) {
      Accepted stale = waiting.getFirst();
      endUnstarted(
          stale,
          stale.isOver(now) ? Outcome.Unstarted.Cause.EXPIRED : Outcome.Unstarted.Cause.SHED);
    }
  }

  private Accepted next() {
    return delay == null ? waiting.getFirst() : delay.next();
  }

  private Accepted startWaiting(Accepted job) {
    if (delay != null) {
      delay.starts(job);
    }
    waiting.remove(job);
    return start(job);
  }

  void pause(boolean pause, long now) {
    if (paused && !pause) {
      everPaused = true;
      resumedAt = now;
    }
    paused = pause && admitting;
    if (delay != null) {
      delay.restart(now);
    }
  }

  void stopAdmission() {
    admitting = false;
    delay = null;
    producers.forEach(p -> p.woken = true);
  }

  private Accepted start(Accepted job) {
    Accepted started = job.started();
    running.put(job.job().id(), started);
    return started;
  }

  RetryCut suspend(String id, Suspension suspension) {
    if (!retrying) {
      return RetryCut.STOP;
    }
    if (cancelled.contains(id)) {
      return RetryCut.CANCEL;
    }
    suspended.add(running.remove(id).suspended(suspension));
    return RetryCut.NONE;
  }

  /** Moves those whose time has come; returns how long until the next may go on, or may start. */
  long wakeDue(long now) {
    sortSuspended();
    while (!suspended.isEmpty() && suspended.getFirst().since() - now <= 0) {
      Accepted awake = suspended.removeFirst();
      if (awake.attempts() > 0) {
        due.add(awake);
      } else {
        enqueue(awake, now);
      }
    }
    look(now);
    kept = kept && claiming && hasReady();
    long next = suspended.isEmpty() ? Long.MAX_VALUE : suspended.getFirst().since() - now;
    return kept ? Math.min(next, nextStartAt - now) : next;
  }

  private void sortSuspended() {
    suspended.sort(
        (a, b) -> {
          long later = a.since() - b.since();
          return later == 0 ? Long.compare(a.sequence(), b.sequence()) : Long.signum(later);
        });
  }

  /** Ends what waits for a time, in the order in which it would have gone on. */
  void stopRetries(Outcome.Unstarted.Cause cause) {
    retrying = false;
    sortSuspended();
    List.copyOf(due).forEach(job -> failBetween(job, RetryCut.STOP));
    for (Accepted job : List.copyOf(suspended)) {
      if (job.attempts() > 0) {
        failBetween(job, RetryCut.STOP);
      } else {
        abandoned.add(job);
        endUnstarted(job, cause);
      }
    }
  }

  private void failBetween(Accepted job, RetryCut cut) {
    due.remove(job);
    suspended.remove(job);
    failed++;
    Outcome outcome =
        new Outcome.Failed(job.job().id(), job.attempts(), job.suspension().lastError(), cut);
    record(outcome);
    ended.add(outcome);
  }

  void settle(String id, Settlement settlement) {
    Accepted job = running.remove(id);
    cancelled.remove(id);
    switch (settlement) {
      case Settlement.Completed done -> completed++;
      case Settlement.Failed error -> failed++;
      case Settlement.Interrupted end -> {
        interrupted++;
        if (end.byStop()) {
          abandoned.add(job);
        }
      }
    }
    record(settlement.outcome(id, job.attempts()));
  }

  CancelResult cancel(String id) {
    for (Accepted job : List.copyOf(waiting)) {
      if (job.job().id().equals(id)) {
        endUnstarted(job, Outcome.Unstarted.Cause.CANCELLED);
        return CancelResult.UNSTARTED;
      }
    }
    if (running.containsKey(id)) {
      cancelled.add(id);
      return CancelResult.SIGNALLED;
    }
    Accepted between = find(due, id) == null ? find(suspended, id) : find(due, id);
    if (between != null && between.attempts() == 0) {
      endUnstarted(between, Outcome.Unstarted.Cause.CANCELLED);
      return CancelResult.UNSTARTED;
    }
    if (between != null) {
      failBetween(between, RetryCut.CANCEL);
      return CancelResult.ENDED;
    }
    return isKnown(id) ? CancelResult.ENDED : CancelResult.UNKNOWN;
  }

  void discardWaiting(Outcome.Unstarted.Cause cause) {
    claiming = false;
    stopRetries(cause);
    for (Accepted job : List.copyOf(waiting)) {
      abandoned.add(job);
      endUnstarted(job, cause);
    }
  }

  private void endUnstarted(Accepted job, Outcome.Unstarted.Cause cause) {
    waiting.remove(job);
    suspended.remove(job);
    unstarted++;
    Outcome outcome = new Outcome.Unstarted(job.job().id(), cause);
    record(outcome);
    ended.add(outcome);
  }

  private void record(Outcome outcome) {
    history.addLast(outcome);
    while (history.size() > settings.history()) {
      history.removeFirst();
    }
    emptied |= unfinished() == 0;
  }
}
