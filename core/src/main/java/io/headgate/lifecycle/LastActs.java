package io.headgate.lifecycle;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a lifecycle ends its process: after a stop, where that was asked for, and by a halt. */
/*
 * System.exit waits for every shutdown hook, and does not return: called by the control thread it
 * would leave nobody to hear the third signal, and a hook that waits for ever would keep the process
 * for ever. So foreign code, exit included, runs on a thread of its own, and the control thread waits
 * for it only so long. A halt waits for nobody, and its status is the one that the exit would have had.
 */
final class LastActs {

  private static final System.Logger LOGGER = System.getLogger(LastActs.class.getName());

  private static final long BEFORE_HALT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Ticker ticker;
  private final ProcessEnd process;
  private final @Nullable Runnable beforeHalt;
  private final @Nullable Consumer<? super StopReport> lastly;
  private final long lastlyNanos;

  LastActs(
      Ticker ticker,
      ProcessEnd process,
      @Nullable Runnable beforeHalt,
      @Nullable Consumer<? super StopReport> lastly,
      long lastlyNanos) {
    this.ticker = ticker;
    this.process = process;
    this.beforeHalt = beforeHalt;
    this.lastly = lastly;
    this.lastlyNanos = lastlyNanos;
  }

  /** Whether the process ends with the stop. */
  boolean endsProcess() {
    return lastly != null;
  }

  /** Ends the process with the status of {@code report}, by exit, or by halt where that hangs. */
  void exit(StopReport report, Supplier<Orders> orders) {
    int status = report.exitCode();
    try {
      within(
          lastlyNanos,
          "exit",
          () -> {
            tell(report);
            if (!report.isStuck()) {
              process.exit(status);
            }
          },
          () -> orders.get().isHalt());
    } finally {
      if (orders.get().isHalt()) {
        halt(orders);
      } else {
        process.halt(status);
      }
    }
  }

  private void tell(StopReport report) {
    try {
      if (lastly != null) {
        lastly.accept(report);
      }
    } catch (Throwable t) {
      LOGGER.log(Level.WARNING, "the last act before the exit threw, and was left behind", t);
    }
  }

  /** Ends the process because of the third signal. */
  void halt(Supplier<Orders> orders) {
    try {
      if (beforeHalt != null) {
        within(BEFORE_HALT_NANOS, "halt", beforeHalt, () -> orders.get().isHaltAtOnce());
      }
    } finally {
      process.halt(orders.get().haltStatus());
    }
  }

  /** Runs {@code action} elsewhere, and waits for it until it ends, time is over, or it is cut. */
  private void within(long nanos, String name, Runnable action, Cut cut) {
    Thread self = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    long end = Durations.deadline(ticker.nanoTime(), nanos);
    Runnable told =
        () -> {
          try {
            action.run();
          } finally {
            done.set(true);
            LockSupport.unpark(self);
          }
        };
    try {
      Thread.ofPlatform().daemon().name("headgate-lifecycle-" + name).start(told);
    } catch (Throwable t) {
      // No thread is to be had; the process ends all the same.
      return;
    }
    while (!done.get() && !cut.isCut()) {
      long left = end - ticker.nanoTime();
      if (left <= 0) {
        return;
      }
      ticker.parkNanos(this, left);
      Thread.interrupted();
    }
  }

  /** Whether a wait is over before its time. */
  private interface Cut {
    boolean isCut();
  }
}
