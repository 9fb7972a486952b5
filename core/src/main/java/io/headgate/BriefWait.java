package io.headgate;

import io.headgate.time.Ticker;

/**
 * The moment before a thread parks: it lets others run a few times and looks whether what it waits
 * for has come, which then costs no park on either side. Thread-safe.
 *
 * <p>That pays where the threads of the worker have their cores for themselves. Where others
 * compete for them, the system gives those a whole time slice for each such courtesy: so once one
 * took that long, threads park at once for a while.
 */
final class BriefWait {

  /** What a thread waits for. */
  interface Awaited {
    boolean hasCome();
  }

  static final int YIELDS = 16;

  /** Longer than the threads of a worker run without blocking, shorter than a time slice. */
  static final long LONG_NANOS = 1_500_000;

  static final int PARKS_AFTER_LONG = 500;

  private final Ticker ticker;

  /** A hint, written by races: how often to park at once. */
  private int parks;

  BriefWait(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Waits for a moment; whether it has come. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint to the scheduler is what is wanted
  boolean hasComeSoon(Awaited awaited) {
    if (parks > 0) {
      parks--;
      return awaited.hasCome();
    }
    long before = ticker.nanoTime();
    for (int i = 0; i < YIELDS && !awaited.hasCome(); i++) {
      Thread.yield();
      long now = ticker.nanoTime();
      if (now - before > LONG_NANOS) {
        parks = PARKS_AFTER_LONG;
        break;
      }
      before = now;
    }
    return awaited.hasCome();
  }
}
