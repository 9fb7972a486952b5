package io.headgate.cli;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows again and again how a run gets on, on a thread of its own that lives until the end of it.
 */
final class ProgressDisplay {
  /** Where it is shown. */
  interface Screen {
    /** Shows it; must not block for long. */
    void show(Snapshot snapshot);

    /** Shows it for the last time, or takes away what was shown. */
    void end(Snapshot snapshot);
  }

  private final Supplier<Counts> counts;
  private final Screen screen;
  private final long periodNanos;

  // Guarded by this.
  private final Meter meter;
  private long dueNanos;
  private boolean ended;

  /**
   * @param meter of the run
   * @param firstNanos when it is shown first
   * @param periodNanos how long until it is shown again
   */
  ProgressDisplay(
      Supplier<Counts> counts, Meter meter, Screen screen, long firstNanos, long periodNanos) {
    this.counts = counts;
    this.meter = meter;
    this.screen = screen;
    this.dueNanos = firstNanos;
    this.periodNanos = periodNanos;
  }

  /** Starts the thread. */
  void start() {
    Thread.ofPlatform().daemon().name("headgate-progress").start(this::showUntilEnd);
  }

  private synchronized void showUntilEnd() {
    try {
      while (!ended) {
        long nanos = tick(System.nanoTime());
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(TimeUnit.MILLISECONDS.toNanos(1), nanos));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Shows it if that is due; how long it is then until the next time. */
  synchronized long tick(long nowNanos) {
    if (nowNanos - dueNanos >= 0) {
      screen.show(meter.read(counts.get(), nowNanos));
      dueNanos = nowNanos + periodNanos;
    }
    return dueNanos - nowNanos;
  }

  /** Shows it for the last time. */
  synchronized void end(long nowNanos) {
    if (!ended) {
      ended = true;
      notifyAll();
      screen.end(meter.read(counts.get(), nowNanos));
    }
  }
}
