package io.headgate.jdbc;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claimant;
import io.headgate.jdbc.Counts.Counter;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows beside the store: requests that lie there for the writer, producers that
 * wait for room, claimants, what runs here, and the counters as they were committed last.
 */
/*
 * One lock guards all of it, held for a bounded number of steps and never during I/O. Every section
 * that changes something ends in conclude(), which decides who is woken; what it decides is done
 * after the unlock, by the writer before it answers its group, or by the caller of a local change.
 *
 * While there is room and a sleeping producer fits, one is awake that will look after it; while
 * there is a ready job, an idle claimant and a free slot, one is on its way.
 *
 * pending counts the requests that lie here or are being written. While there is one, nothing is
 * idle: it may accept or start a job.
 */
final class Desk {

  private static final System.Logger LOGGER = System.getLogger(Desk.class.getName());
  private static final int MAX_GROUP = 1_024;

  /** Yields without a newcomer after which a group is closed, and yields for a group at most. */
  private static final int QUIET = 40;

  private static final int LONGEST_GATHERING = 1_000;

  /** Where more than these come at once, half of them come while the others are committed. */
  private static final int LARGEST_GATHERED = 32;

  private static final long SHORTEST_LOOK = 5_000_000;
  private static final long LONGEST_LOOK = 500_000_000;

  final ReentrantLock lock = new ReentrantLock();
  final Room room;
  final WaitingLine line;
  final EnrolledClaimants claimants;
  final Ramp ramp = new Ramp();

  /** By id: what was claimed here and is not settled. */
  final Map<String, StoredClaim<?>> running = new HashMap<>();

  private final Runnable onIdle;
  private final LongSupplier clock;
  private final Ticker ticker;
  private final Overdue overdue;
  private List<Request> queue = new ArrayList<>();
  private List<Request> writing = List.of();

  /** The size of the queue. Written under the lock; the writer reads it without. */
  private volatile int queued;

  private int pending;
  private @Nullable Thread writer;

  /** Whether the writer must be woken for a request. Written under the lock. */
  private volatile boolean writerParked;

  private Counts committed;
  private long firstExpiry = JobRow.NEVER;

  /** When the first suspended job is due; looked at by the writer only. */
  private long firstDue;

  boolean admitting = true;
  boolean claiming = true;
  boolean paused;

  /** A stop has begun, so that what waits is nobody's business here any more. */
  boolean keeping;

  /** Written under the lock; probes read it without. */
  private volatile @Nullable StoreException away;

  private boolean closed;
  private boolean wasIdle;
  private final IdleWatch idle = new IdleWatch(this);

  Desk(
      Backlog.Settings settings,
      Room room,
      Counts committed,
      LongSupplier clock,
      long storeTimeoutNanos,
      Runnable onIdle) {
    this.clock = clock;
    this.ticker = settings.ticker();
    this.overdue = new Overdue(this, storeTimeoutNanos);
    this.room = room;
    this.line = new WaitingLine(settings.maxWaitingProducers(), settings.maxWaitingBytes());
    this.claimants = new EnrolledClaimants(settings.concurrency());
    this.committed = committed;
    this.onIdle = onIdle;
    this.wasIdle = isIdle();
  }

  // ---- local changes ----

  /** A change of this process alone, which needs no commit. */
  interface Change {
    void make(List<Runnable> todo);
  }

  /** Makes a change, concludes, and does what follows. Never waits for the store. */
  void local(Change change) {
    List<Runnable> todo = new ArrayList<>();
    lock.lock();
    try {
      change.make(todo);
      conclude(todo);
    } finally {
      lock.unlock();
    }
    carryOut(todo);
  }

  private void conclude(List<Runnable> todo) {
    if (admitting && away == null && !line.isEmpty()) {
      line.wakeFitting(room.placesLeft(committed), room.bytesLeft(committed), todo);
    }
    long runs = committed.get(Counter.RUNNING);
    if (mayClaim(runs) && committed.ready() > 0) {
      claimants.wake(Math.min(committed.ready(), slots() - runs), todo);
    }
    boolean isIdle = isIdle();
    if (isIdle && !wasIdle) {
      idle.moment(todo);
      if (!admitting) {
        todo.add(onIdle);
      }
    }
    wasIdle = isIdle;
    if (claimants.areDismissed() && running.isEmpty() && pending == 0 && !closed) {
      closed = true;
      wakeWriter();
    }
  }

  private int slots() {
    return Math.min(room.concurrency(), ramp.limit());
  }

  /** Whether one more may be started where {@code runs} do. */
  boolean mayClaim(long runs) {
    return claiming && !paused && away == null && runs < slots();
  }

  /** A claimant asks; whether it may have a job where the counters are these. */
  boolean mayClaim(Claimant claimant, Counts counts) {
    lock.lock();
    try {
      return claimants.arrive(claimant) && mayClaim(counts.get(Counter.RUNNING));
    } finally {
      lock.unlock();
    }
  }

  /** The same for many that ask at once: those that may have one, no more than there are slots. */
  void mayClaim(List<StepRequest<?>> asking, Counts counts, List<StepRequest<?>> may) {
    lock.lock();
    try {
      long runs = counts.get(Counter.RUNNING);
      for (StepRequest<?> step : asking) {
        Claimant claimant = step.claimant();
        if (claimant != null && claimants.arrive(claimant) && mayClaim(runs)) {
          may.add(step);
          runs++;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  static void carryOut(List<Runnable> todo) {
    for (Runnable each : todo) {
      try {
        each.run();
      } catch (Throwable t) {
        LOGGER.log(Level.ERROR, "could not carry out what a decision asks for; it stands", t);
      }
    }
  }

  // ---- requests ----

  /**
   * Lays a request there for the writer. Called under the lock; false if there is none any more.
   */
  boolean submit(Request request) {
    if (closed) {
      return false;
    }
    pending++;
    queue.add(request);
    queued = queue.size();
    overdue.arm();
    wakeWriter();
    return true;
  }

  private void wakeWriter() {
    if (writerParked) {
      writerParked = false;
      LockSupport.unpark(writer);
    }
  }

  /** The requests of a group, and whether admission was open when it was closed. */
  record Group(List<Request> requests, boolean open) {}

  /** Waits for requests; null once the writer has nothing to do any more. */
  @Nullable Group take() {
    gather();
    while (true) {
      Group group = poll();
      if (group != null || isClosed()) {
        return group;
      }
      // The mark, not the permit, says whether somebody came: a lock on the way here may eat that.
      if (writerParked) {
        park(untilLook());
      }
      if (ramp.isActive()) {
        local(todo -> ramp.intervalPassed(room.concurrency()));
      }
      if (firstDue != JobRow.NEVER && firstDue <= clock.getAsLong()) {
        wakeDue();
      }
    }
  }

  /**
   * Those that were just answered are about to come back, and a commit costs the same for all of
   * them as for the first: so the writer lets them in, as long as one comes after the other.
   */
  @SuppressWarnings("ThreadPriorityCheck") // a hint to the scheduler is what is wanted
  private void gather() {
    int expected = writing.size() <= LARGEST_GATHERED ? writing.size() : 0;
    int here = queued;
    int quiet = 0;
    for (int i = 0; i < LONGEST_GATHERING && quiet < QUIET && here < expected; i++) {
      Thread.yield();
      quiet = queued == here ? quiet + 1 : 0;
      here = queued;
    }
  }

  /** How long the writer may sleep where nobody wakes it. */
  private long untilLook() {
    long pause = ramp.isActive() ? Ramp.INTERVAL_NANOS : Long.MAX_VALUE;
    if (firstDue == JobRow.NEVER) {
      return pause;
    }
    // A clock of the wall jumps, and one of a test stands still: never too long, never in a spin.
    long due = Math.clamp(firstDue - clock.getAsLong(), SHORTEST_LOOK, LONGEST_LOOK);
    return Math.min(pause, due);
  }

  private void wakeDue() {
    lock.lock();
    try {
      submit(new WakeDueRequest());
    } finally {
      lock.unlock();
    }
  }

  /** The requests that lie there now, or null. */
  @Nullable Group poll() {
    lock.lock();
    try {
      writer = Thread.currentThread();
      if (queue.isEmpty()) {
        writerParked = !closed;
        return null;
      }
      List<Request> taken = queue;
      if (taken.size() > MAX_GROUP) {
        queue = new ArrayList<>(taken.subList(MAX_GROUP, taken.size()));
        taken = new ArrayList<>(taken.subList(0, MAX_GROUP));
      } else {
        queue = new ArrayList<>();
      }
      int before = taken.size();
      queued = queue.size();
      taken.removeIf(request -> !request.take());
      pending -= before - taken.size();
      writing = taken;
      return new Group(taken, admitting);
    } finally {
      lock.unlock();
    }
  }

  /** Sends away who has waited too long for an answer; whether anybody still waits. */
  boolean expireOverdue() {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      queue.forEach(request -> request.expire(now));
      writing.forEach(request -> request.expire(now));
      return pending > 0;
    } finally {
      lock.unlock();
    }
  }

  void park(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, nanos);
    }
    Thread.interrupted();
  }

  boolean isKeeping() {
    lock.lock();
    try {
      return keeping;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  // ---- what became of a group ----

  /** A group is committed: its requests take note, and whoever is to be woken is. */
  void published(List<Request> group, Counts counts, long expiry, long due, int ended) {
    firstDue = due;
    List<Runnable> todo = new ArrayList<>();
    lock.lock();
    try {
      committed = counts;
      pending -= group.size();
      for (int i = 0; i < ended; i++) {
        ramp.jobEnded(room.concurrency());
      }
      todoUnderLock = todo;
      for (Request request : group) {
        request.committed(this);
      }
      if (expiry < firstExpiry) {
        line.stirAll(todo);
      }
      firstExpiry = expiry;
      conclude(todo);
    } finally {
      lock.unlock();
    }
    carryOut(todo);
  }

  /** Where {@link Request#committed} and {@link Request#failed} put what is to be done after. */
  private List<Runnable> todoUnderLock = new ArrayList<>();

  List<Runnable> todo() {
    return todoUnderLock;
  }

  /** The store failed; returns the requests that stay until it is back. */
  List<Request> failed(List<Request> group, StoreException why, boolean isAway) {
    List<Runnable> todo = new ArrayList<>();
    List<Request> staying = new ArrayList<>();
    List<Request> answered = new ArrayList<>();
    lock.lock();
    try {
      if (isAway) {
        away = why;
      }
      todoUnderLock = todo;
      for (Request request : group) {
        request.forgetEnded();
        (request.failed(this, why) ? staying : answered).add(request);
      }
      pending -= answered.size();
      conclude(todo);
    } finally {
      lock.unlock();
    }
    carryOut(todo);
    answered.forEach(Request::answer);
    return staying;
  }

  /** Tells a request that came after the end of the writer. */
  void refuse(Request request) {
    List<Runnable> todo = new ArrayList<>();
    lock.lock();
    try {
      todoUnderLock = todo;
      request.failed(
          this, new StoreException(StoreException.Kind.UNREACHABLE, "the worker has stopped"));
    } finally {
      lock.unlock();
    }
    carryOut(todo);
  }

  /** The store can be written again; claims ramp up. */
  void back() {
    local(
        todo -> {
          away = null;
          ramp.restart();
        });
  }

  /** Why the store cannot be written, or null if it can. */
  @Nullable StoreException away() {
    return away;
  }

  // ---- what runs here ----

  /** Marks a running job as cancelled; returns who holds it, or null. Called under the lock. */
  @Nullable Claimant cancelRunning(String jobId) {
    StoredClaim<?> claim = running.get(jobId);
    if (claim == null) {
      return null;
    }
    claim.cancelled = true;
    return claim.claimant;
  }

  @Nullable Claimant cancelRunningNow(String jobId) {
    lock.lock();
    try {
      return cancelRunning(jobId);
    } finally {
      lock.unlock();
    }
  }

  boolean isCancelled(StoredClaim<?> claim) {
    lock.lock();
    try {
      return claim.cancelled;
    } finally {
      lock.unlock();
    }
  }

  // ---- what is known ----

  /** Called under the lock. */
  Counts committed() {
    return committed;
  }

  /** When the first waiting job expires, as far as sleeping producers need to know. */
  long firstExpiry() {
    lock.lock();
    try {
      return firstExpiry;
    } finally {
      lock.unlock();
    }
  }

  /** Called under the lock. Held jobs wait for somebody outside, and keep nobody here busy. */
  boolean isIdle() {
    long busy =
        keeping
            ? committed.get(Counter.RUNNING)
            : committed.unfinished() - committed.get(Counter.HELD);
    return busy == 0 && pending == 0;
  }

  /** Whoever waits until nothing is left to do. Guarded by the lock. */
  IdleWatch idleWatch() {
    return idle;
  }
}
