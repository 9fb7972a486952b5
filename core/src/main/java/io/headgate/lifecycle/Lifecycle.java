package io.headgate.lifecycle;

import static java.util.Objects.requireNonNull;

import io.headgate.Report;
import io.headgate.Worker;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stop of a process with any number of workers: signals, one deadline for all, the ladder of
 * drain, cancel and halt, and what probes are told. See the package for the picture.
 *
 * <p>Thread-safe. Until it is stopped or closed it keeps the process alive, as a server does. It
 * stops its workers only when it is told to; closing it does not.
 */
/*
 * Whoever asks, be it a signal's thread or a caller, tightens the orders, a single atomic value, and
 * unparks the control thread, which does the rest and never blocks: what may block has a thread of its
 * own (ManagedWorker, LastActs). So a later signal always finds it ready.
 *
 * The control thread is made at the start, for a signal may come when no thread is to be had, and is
 * no daemon, for main may have returned. After the stop, where the process does not end with it, a
 * daemon takes over that only waits for the third signal, so that the process can end.
 *
 * `ended` and the list of workers change under the lock, so that a worker is either stopped by the
 * stop or refused by add(). The list is replaced, not changed: probes read it without the lock.
 */
public final class Lifecycle implements AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(Lifecycle.class.getName());

  private static final List<String> SIGNALS = List.of("TERM", "INT", "HUP");

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Ticker ticker;
  private final long graceNanos;
  private final LastActs lastActs;
  private final Health health = new Health(this);
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicReference<Orders> orders = new AtomicReference<>(Orders.NONE);
  private volatile boolean started;
  private volatile @Nullable StopReport report;
  private volatile Thread control;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile List<ManagedWorker> managed = List.of();

  // Guarded by lock.
  private List<Runnable> restorers = List.of();
  private boolean ended;

  Lifecycle(LifecycleBuilder settings) {
    this.ticker = settings.ticker;
    this.graceNanos = settings.graceNanos;
    this.lastActs = settings.lastActs();
    settings.workers.forEach(this::add);
    this.control =
        Thread.ofPlatform().daemon(false).name("headgate-lifecycle").unstarted(this::run);
  }

  /** Starts to describe a lifecycle. */
  public static LifecycleBuilder builder() {
    return new LifecycleBuilder();
  }

  // ---- starting ----

  /** Listens to the signals first, so that none finds the JVM's own handlers after this. */
  void install(SignalSource source) {
    List<Runnable> installed = new ArrayList<>();
    List<String> deaf = new ArrayList<>();
    control.start();
    for (String name : SIGNALS) {
      try {
        installed.add(source.listen(name, this::arrived));
      } catch (SignalSource.UnavailableException | RuntimeException e) {
        deaf.add(name + " (" + e.getMessage() + ")");
      }
    }
    lock.lock();
    try {
      restorers = installed;
    } finally {
      lock.unlock();
    }
    if (!deaf.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "signals that cannot be handled here, and do what they do by default: {0}",
          String.join(", ", deaf));
    }
  }

  /**
   * Puts one more worker under this lifecycle. May be called at any time, so that signals can be
   * handled before there is a worker; one that is added during a stop is stopped with the others.
   *
   * @return {@code worker}
   * @throws IllegalArgumentException if it was added before
   * @throws IllegalStateException if this lifecycle is closed, or has stopped; in the second case
   *     the worker's admission has been closed
   */
  public <T> Worker<T> add(Worker<T> worker) {
    requireNonNull(worker, "worker");
    boolean late;
    lock.lock();
    try {
      late = ended;
      if (!late) {
        refuseClosed("add");
        List<ManagedWorker> more = new ArrayList<>(managed);
        if (more.stream().anyMatch(known -> known.worker() == worker)) {
          throw new IllegalArgumentException("worker " + worker.name() + " was added before");
        }
        more.add(new ManagedWorker(worker, ticker, this::wake));
        managed = List.copyOf(more);
      }
    } finally {
      lock.unlock();
    }
    if (late) {
      worker.stopAdmission();
      throw new IllegalStateException(
          "worker " + worker.name() + " was added when the stop was over; it is closed");
    }
    if (isStopping()) {
      worker.stopAdmission();
      wake();
    }
    return worker;
  }

  /** Says that start-up, recovery included, is over: readiness may be green. Idempotent. */
  public void started() {
    started = true;
  }

  /** What probes ask. */
  public Health health() {
    return health;
  }

  // ---- stopping ----

  /**
   * Asks for a stop with the grace of this lifecycle, as the first signal does, and returns at
   * once. Joins a stop under way: the earliest deadline wins. It does not count as a signal, so the
   * first TERM after it does not cancel. May be called by handlers.
   *
   * @throws IllegalStateException if closed before any stop
   */
  public void stop() {
    order(Demand.DRAIN, graceNanos);
  }

  /**
   * As {@link #stop()}, with another grace.
   *
   * @param grace how long accepted jobs may run, from now; zero cancels at once
   * @throws IllegalArgumentException if {@code grace} is negative
   * @throws IllegalStateException if closed before any stop
   */
  public void stop(Duration grace) {
    order(Demand.DRAIN, Durations.nanos("grace", grace));
  }

  /**
   * Asks all workers to abort, as the second signal does, and returns at once. During a drain it
   * turns that into an abort.
   *
   * @throws IllegalStateException if closed before any stop
   */
  public void abort() {
    order(Demand.ABORT, 0);
  }

  /**
   * Waits until a stop, by whomever and whenever it is asked for, is over. Main may live here. A
   * handler that calls it waits until it is cancelled.
   *
   * @return the reports, the same for all callers
   * @throws InterruptedException if interrupted while waiting; it stops nothing
   * @throws IllegalStateException if closed before any stop, now or during the wait
   */
  public StopReport awaitStop() throws InterruptedException {
    over.await();
    StopReport known = report;
    if (known == null) {
      throw new IllegalStateException("this lifecycle was closed before it was told to stop");
    }
    return known;
  }

  /**
   * Restores the handlers of signals that were there before. A stop under way is awaited first,
   * through interrupts, which are restored, so that signals keep their meaning until it is over;
   * where the process ends with the stop, the handlers stay until it has. Workers that were not
   * told to stop are not stopped. A handler of another's that came later is left in force.
   * Idempotent.
   */
  @Override
  public void close() {
    boolean interrupted = false;
    Orders last = orders.updateAndGet(Orders::closeUnlessStopping);
    if (last.isStop()) {
      interrupted = uninterruptibly(over::await);
      if (lastActs.endsProcess()) {
        restoreFlag(interrupted);
        return;
      }
      orders.updateAndGet(Orders::close);
    }
    List<Runnable> undo;
    lock.lock();
    try {
      undo = restorers;
      restorers = List.of();
    } finally {
      lock.unlock();
    }
    undo.forEach(Runnable::run);
    over.countDown();
    Thread first = control;
    LockSupport.unpark(first);
    interrupted |= uninterruptibly(first::join);
    restoreFlag(interrupted);
  }

  private void order(Demand demand, long grace) {
    long until = Durations.deadline(ticker.nanoTime(), grace);
    Orders now = orders.updateAndGet(last -> last.stop(demand, until));
    if (!now.isStop()) {
      throw closed("stop");
    }
    wake();
  }

  /** A signal is here; its thread does no more than this. Whether it was taken. */
  private boolean arrived(int number) {
    long until = Durations.deadline(ticker.nanoTime(), graceNanos);
    Orders now = orders.updateAndGet(last -> last.signal(number, until));
    wake();
    return !now.closed();
  }

  private void wake() {
    LockSupport.unpark(control);
  }

  // ---- the control thread ----

  private void run() {
    while (true) {
      try {
        if (step()) {
          return;
        }
        park(Long.MAX_VALUE);
      } catch (Throwable t) {
        // Out of memory, most likely. The next signal must find this thread, so it tries again, and
        // does not log: that could fail or block.
        park(RETRY_NANOS);
      }
    }
  }

  /** Does what is to be done now; whether that was the last. */
  private boolean step() {
    Orders now = orders.get();
    if (now.isHalt()) {
      lastActs.halt(orders::get);
      return true;
    }
    if (now.closed()) {
      return true;
    }
    if (!now.isStop()) {
      return false;
    }
    List<ManagedWorker> workers = managed;
    workers.forEach(ManagedWorker::stopAdmission);
    workers.forEach(worker -> worker.obey(now));
    StopReport known = end();
    if (known == null) {
      return false;
    }
    ended(known);
    return true;
  }

  /** Ends the stop if every worker has stopped. */
  private @Nullable StopReport end() {
    lock.lock();
    try {
      List<Report> reports = new ArrayList<>();
      for (ManagedWorker worker : managed) {
        Report one = worker.report();
        if (one == null) {
          return null;
        }
        reports.add(one);
      }
      ended = true;
      return new StopReport(reports);
    } finally {
      lock.unlock();
    }
  }

  private void ended(StopReport known) {
    report = known;
    if (lastActs.endsProcess()) {
      over.countDown();
      lastActs.exit(known, orders::get);
      return;
    }
    Thread watch =
        Thread.ofPlatform().daemon().name("headgate-lifecycle-watch").unstarted(this::watch);
    control = watch;
    try {
      watch.start();
    } finally {
      over.countDown();
    }
  }

  /** What main does after the stop may hang: the third signal still halts. */
  private void watch() {
    while (!orders.get().closed()) {
      if (orders.get().isHalt()) {
        lastActs.halt(orders::get);
        return;
      }
      park(Long.MAX_VALUE);
    }
  }

  private void park(long nanos) {
    ticker.parkNanos(this, nanos);
    // Nobody has a reason to interrupt this thread, and parking does nothing with the flag set.
    Thread.interrupted();
  }

  // ---- what health and others look at ----

  boolean isStarted() {
    return started;
  }

  boolean isStopping() {
    return orders.get().isStop();
  }

  List<ManagedWorker> managed() {
    return managed;
  }

  private void refuseClosed(String what) {
    if (orders.get().closed()) {
      throw closed(what);
    }
  }

  private static IllegalStateException closed(String what) {
    return new IllegalStateException(what + " was called on a lifecycle that is closed");
  }

  private interface Wait {
    void await() throws InterruptedException;
  }

  /** Waits to the end; returns whether it was interrupted. */
  private static boolean uninterruptibly(Wait wait) {
    boolean interrupted = false;
    while (true) {
      try {
        wait.await();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  private static void restoreFlag(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "Lifecycle[" + managed.size() + " workers, " + orders.get().demand() + "]";
  }
}
