package io.headgate;

import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread that keeps a worker's deadlines: timeouts of attempts, and the steps of a stop. A
 * platform thread, so that handlers that hold every carrier of the virtual threads cannot delay it;
 * it runs no foreign code. Started when something is first timed, ends when nothing is.
 */
/*
 * expect() is called for every attempt that has a timeout, so it must not take the lock when the
 * thread will wake early enough anyway. It writes nothing; its caller has published the deadline
 * before. The thread raises scanning before it looks at the deadlines: whoever sees it lowered with a
 * plan early enough published before that look, or is early enough for the plan; whoever sees it
 * raised asks for another look.
 */
final class Timekeeper {

  /** What is to be done at which time. */
  interface Duties {
    /**
     * Does what is due at {@code now}; returns the nanoseconds until more is, or {@link #NOTHING}.
     */
    long perform(long now);
  }

  static final long NOTHING = Long.MAX_VALUE;

  /** How long the thread sleeps at most, so that a live one can be told from a dead one. */
  private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final System.Logger LOGGER = System.getLogger(Timekeeper.class.getName());

  private static final long DEAD_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String name;
  private final Ticker ticker;
  private final Duties duties;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile @Nullable Thread thread;
  private volatile @Nullable Thread latest;
  private volatile boolean scanning;
  private volatile boolean askedAgain;
  private volatile long plan;
  private volatile long beat;

  /** Guarded by lock. */
  private boolean retired;

  Timekeeper(String workerName, Ticker ticker, Duties duties) {
    this.name = "headgate-" + workerName + "-timekeeper";
    this.ticker = ticker;
    this.duties = duties;
  }

  /** Something that was published before this call is due at {@code deadline}. */
  void expect(long deadline) {
    if (!scanning && thread != null && plan - deadline <= 0) {
      return;
    }
    wake();
  }

  /** Nothing will be timed any more: no thread is started from now on. */
  void retire() {
    lock.lock();
    try {
      retired = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the thread that retired, which has nothing left to do; an interrupt ends that early.
   */
  void awaitRetired() {
    Thread last = latest;
    if (last != null) {
      try {
        last.join();
        latest = null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Something may be due now. Does not block beyond the start of a thread. */
  void wake() {
    lock.lock();
    try {
      if (retired) {
        return;
      }
      askedAgain = true;
      Thread running = thread;
      if (running != null) {
        LockSupport.unpark(running);
        return;
      }
      Thread fresh = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
      beat = ticker.nanoTime();
      scanning = true;
      thread = fresh;
      latest = fresh;
      boolean started = false;
      try {
        fresh.start();
        started = true;
      } finally {
        if (!started) {
          thread = null;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the thread makes progress, or there is none because nothing is timed. */
  boolean isLive() {
    return thread == null || ticker.nanoTime() - beat < DEAD_NANOS;
  }

  /** An Error, such as a lack of memory, must not end the one thread that can still stop. */
  private long perform(long now) {
    try {
      return duties.perform(now);
    } catch (Throwable t) {
      try {
        LOGGER.log(Level.ERROR, name + " will look again at its deadlines", t);
      } catch (Throwable nothingLeft) {
        // Not even for the log.
      }
      return AFTER_ERROR_NANOS;
    }
  }

  private void run() {
    while (true) {
      scanning = true;
      askedAgain = false;
      long now = ticker.nanoTime();
      beat = now;
      long wait = perform(now);
      if (wait == NOTHING) {
        lock.lock();
        try {
          if (!askedAgain) {
            thread = null;
            return;
          }
        } finally {
          lock.unlock();
        }
        continue;
      }
      plan = now + wait;
      scanning = false;
      if (!askedAgain) {
        ticker.parkNanos(this, Math.min(wait, BEAT_NANOS));
        Thread.interrupted();
      }
    }
  }
}
