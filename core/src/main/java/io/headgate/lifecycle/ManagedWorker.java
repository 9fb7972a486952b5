package io.headgate.lifecycle;

import io.headgate.Report;
import io.headgate.Worker;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One worker of a lifecycle, and how far its stop has come. */
/*
 * A worker's stop calls block until its report is there, and all callers get the same one. So each
 * call has a thread of its own, at most one for each step of the ladder: the waits of several workers
 * run side by side, and a later, stronger call never has to interrupt an earlier one, which may be
 * inside a store. Platform threads, for handlers may hold every carrier of the virtual ones.
 */
final class ManagedWorker {

  private static final System.Logger LOGGER = System.getLogger(ManagedWorker.class.getName());

  private final Worker<?> worker;
  private final Ticker ticker;
  private final Runnable wake;
  private volatile @Nullable Report report;

  // Only the control thread touches these.
  private Demand asked = Demand.NONE;
  private long deadline;

  ManagedWorker(Worker<?> worker, Ticker ticker, Runnable wake) {
    this.worker = worker;
    this.ticker = ticker;
    this.wake = wake;
  }

  Worker<?> worker() {
    return worker;
  }

  /** The report of the ended stop. */
  @Nullable Report report() {
    return report;
  }

  /** Closes admission, if this is the first that the worker hears of the stop. */
  void stopAdmission() {
    if (asked == Demand.NONE) {
      try {
        worker.stopAdmission();
      } catch (Throwable t) {
        // The drain that follows meets the same fault, and its thread may log.
        return;
      }
    }
  }

  /** Asks for what {@code orders} demand beyond what was asked before. Does not wait. */
  void obey(Orders orders) {
    Demand wanted = orders.demand().compareTo(Demand.ABORT) >= 0 ? Demand.ABORT : Demand.DRAIN;
    boolean stronger = wanted.compareTo(asked) > 0;
    boolean earlier = asked == Demand.DRAIN && orders.deadline() - deadline < 0;
    if (!stronger && !earlier) {
      return;
    }
    boolean first = asked == Demand.NONE;
    asked = wanted;
    deadline = orders.deadline();
    long until = deadline;
    try {
      Thread.ofPlatform()
          .daemon()
          .name("headgate-lifecycle-" + worker.name())
          .start(() -> stop(wanted, until));
    } catch (Throwable t) {
      if (first) {
        fail(t);
      }
    }
  }

  private void stop(Demand wanted, long until) {
    try {
      report = wanted == Demand.ABORT ? abort() : drain(until);
    } catch (Throwable t) {
      fail(t);
    }
    wake.run();
  }

  private Report drain(long until) {
    while (true) {
      try {
        return worker.drain(Duration.ofNanos(Math.max(0, until - ticker.nanoTime())));
      } catch (InterruptedException e) {
        LOGGER.log(Level.DEBUG, "interrupted, which stops no stop: joining it again", e);
      }
    }
  }

  private Report abort() {
    while (true) {
      try {
        return worker.abort();
      } catch (InterruptedException e) {
        LOGGER.log(Level.DEBUG, "interrupted, which stops no stop: joining it again", e);
      }
    }
  }

  /** A report without an ending is not clean, so nothing takes this for a success. */
  private void fail(Throwable t) {
    report = worker.report();
    LOGGER.log(Level.ERROR, "worker " + worker.name() + " could not be stopped", t);
  }
}
