package io.headgate;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.Load;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Watches a worker that refuses: how fast it drains, so that refusals say when to come again, and
 * when the last of them was. While nothing is refused nothing is watched.
 *
 * <p>A refusal reads two fields and allocates nothing; all the rest is done ten times a second by
 * the timekeeper, until nothing has been refused for a while.
 */
/*
 * A refusal is counted before it looks whether anybody watches, and the watch ends by lowering its flag
 * before it looks at the count for the last time. So one of them sees the other, or, where the machine
 * lets the refuser's look pass its count, the next report does, which looks by itself.
 */
final class RefusalWatch {

  private static final System.Logger LOGGER = System.getLogger(RefusalWatch.class.getName());

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int UNKNOWN = -1;

  /**
   * Multiples of it are spread evenly over all numbers (Knuth, The Art of Computer Programming
   * 6.4).
   */
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  /** Refusals of one instant are spread over so many steps, the last about twice the first. */
  private static final int JITTER_STEPS = 4;

  private final Refusals refusals;
  private final Backlog<?> backlog;
  private final Timekeeper timekeeper;
  private final Ticker ticker;
  private final AtomicBoolean watching = new AtomicBoolean();

  /** Set by the end of the worker: its timekeeper must not be kept by what is refused after it. */
  private volatile boolean closed;

  /**
   * The step of the time in which all that is unfinished will have drained, and what spreads it.
   */
  private volatile int step = UNKNOWN;

  private volatile int salt;

  // Guarded by this monitor: the timekeeper's, but for a report that looks.
  private final DrainRate drain = new DrainRate();
  private long seen;
  private long lastRefusal;
  private long nextTick;
  private boolean hasBegun;

  RefusalWatch(Refusals refusals, Backlog<?> backlog, Timekeeper timekeeper, Ticker ticker) {
    this.refusals = refusals;
    this.backlog = backlog;
    this.timekeeper = timekeeper;
    this.ticker = ticker;
  }

  /** Returns {@code refused}, which was counted, with the time after which to come again. */
  Admission advise(Admission.Refused refused, Job<?> job) {
    if (!refused.reason().retryCanHelp()) {
      return refused;
    }
    if (!watching.get() && !closed) {
      begin();
    }
    if (refused.reason() == Reason.OVERLOADED) {
      return refused; // made by after()
    }
    if (refused.retryAfter().isPresent()) {
      return after((double) refused.retryAfter().get().toNanos(), refused.reason(), job);
    }
    int known = step;
    return known == UNKNOWN ? refused : RetryAfter.refusal(refused.reason(), known + jitter(job));
  }

  /** A refusal for {@code reason} that says to come again after {@code nanos} or a little more. */
  Admission.Refused after(double nanos, Reason reason, Job<?> job) {
    return RetryAfter.refusal(reason, RetryAfter.stepFor(nanos) + jitter(job));
  }

  private int jitter(Job<?> job) {
    int mixed = (job.id().hashCode() ^ salt) * GOLDEN_RATIO;
    return mixed >>> 16 & JITTER_STEPS - 1;
  }

  private void begin() {
    if (watching.compareAndSet(false, true)) {
      try {
        timekeeper.wake();
      } catch (Throwable t) {
        // Without a thread to watch, refusals say nothing of when to come again.
        watching.set(false);
        LOGGER.log(Level.DEBUG, "nobody could be started to watch refusals", t);
      }
    }
  }

  /** Does what is due; returns the nanoseconds until more is. */
  long perform(long now) {
    if (closed || !watching.get()) {
      return Timekeeper.NOTHING;
    }
    synchronized (this) {
      if (!hasBegun) {
        hasBegun = true;
        nextTick = now;
        lastRefusal = now;
      }
      if (nextTick - now > 0) {
        return nextTick - now;
      }
      look(now);
      if (now - lastRefusal >= QUIET_NANOS) {
        hasBegun = false;
        step = UNKNOWN;
        drain.forget();
        watching.set(false);
        if (refusals.thatMayPass() == seen || !watching.compareAndSet(false, true)) {
          return Timekeeper.NOTHING;
        }
        return 1;
      }
      Load load = backlog.load();
      drain.note(load.ended(), now);
      double nanos = drain.nanosFor(load.unfinished());
      step = nanos > 0 && nanos < Double.POSITIVE_INFINITY ? RetryAfter.stepFor(nanos) : UNKNOWN;
      salt += GOLDEN_RATIO;
      nextTick = now + TICK_NANOS;
      return TICK_NANOS;
    }
  }

  /** Watches no more. */
  void close() {
    closed = true;
  }

  private void look(long now) {
    long count = refusals.thatMayPass();
    if (count != seen) {
      seen = count;
      lastRefusal = now;
    }
  }

  /** How long ago the last refusal was, to a tenth of a second; empty if there was none. */
  OptionalLong nanosSinceLast() {
    long now = ticker.nanoTime();
    synchronized (this) {
      look(now);
      return seen == 0 ? OptionalLong.empty() : OptionalLong.of(Math.max(0, now - lastRefusal));
    }
  }
}
