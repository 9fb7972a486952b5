package io.headgate.cli;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Turns signals, and outputs that break, into the steps of a stop.
 *
 * <p>Each arrival only changes state. One thread, not a daemon, takes the steps, and none of them
 * blocks it, so that it always hears the next signal:
 *
 * <ol>
 *   <li>the first signal stops admission and the reading of input, and starts a drain whose grace
 *       counts from the signal's arrival;
 *   <li>the second gives up what waits and cancels what runs;
 *   <li>the third closes the gate for new children, kills all groups, and halts the process.
 * </ol>
 *
 * <p>A failure that makes going on pointless gives up what waits and leaves the grace to what runs;
 * so does a limit of failed jobs, with more or less time. Steps only go up, and times only down. A
 * signal that comes before there is anything to stop is kept until then.
 */
final class StopLadder {
  /** What is to be stopped. Only {@link #drain} and {@link #abort} may block. */
  interface Target {
    /** Reads no more input and admits nothing more. */
    void stopAdmission();

    /** Lets accepted work run for the given time at most. */
    void drain(Duration grace) throws InterruptedException;

    /** Gives up what waits, and lets what runs go on for the given time at most. */
    void abort(Duration grace) throws InterruptedException;

    /** Kills all children and lets none start. */
    void kill();
  }

  /** Ends the process at once. */
  interface Halt {
    void halt(int exitCode);
  }

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int DRAIN = 1;
  private static final int CANCEL = 2;
  private static final int HALT = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Halt halt;

  // All guarded by the lock.
  private int signals;
  private String lastSignal = "";
  private long firstNanos;
  // How long what runs may go on once what waits is given up; null while nothing is given up.
  private @Nullable Duration giveUp;
  private @Nullable Target target;
  private Duration grace = Duration.ZERO;
  private @Nullable Thread awaiting;

  StopLadder(Halt halt) {
    this.halt = halt;
  }

  /** Starts the thread that takes the steps. It lives as long as the process. */
  void start() {
    Thread thread = new Thread(this::climb, "headgate-stop");
    thread.setDaemon(false);
    thread.start();
  }

  /** Notes the arrival of a signal. Called on the virtual machine's signal threads. */
  void signal(String name) {
    lock.lock();
    try {
      signals++;
      lastSignal = name;
      if (signals == 1) {
        firstNanos = System.nanoTime();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Notes a failure after which it is pointless to start more. */
  void fail() {
    lock.lock();
    try {
      giveUp(grace);
    } finally {
      lock.unlock();
    }
  }

  /** Gives up what waits; what runs may go on for so long. */
  void giveUp(Duration rest) {
    lock.lock();
    try {
      Duration before = giveUp;
      giveUp = before == null || rest.compareTo(before) < 0 ? rest : before;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Gives what is to be stopped; a stop that was asked for before begins now. */
  void attach(Target toStop, Duration graceOfDrain) {
    lock.lock();
    try {
      target = toStop;
      grace = graceOfDrain;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a signal or a failure has asked for a stop. */
  boolean isStopping() {
    lock.lock();
    try {
      return stopping();
    } finally {
      lock.unlock();
    }
  }

  /**
   * How long what runs may go on now that what waits is given up; {@code null} while nothing is
   * given up.
   */
  @Nullable Duration givenUp() {
    lock.lock();
    try {
      return giveUp;
    } finally {
      lock.unlock();
    }
  }

  /** How many signals have come. */
  int signals() {
    lock.lock();
    try {
      return signals;
    } finally {
      lock.unlock();
    }
  }

  /** A wait that an interrupt ends. */
  interface Wait {
    void await() throws InterruptedException;
  }

  /** Waits in the calling thread until the wait is over by itself, or a stop is asked for. */
  void awaitUnlessStopping(Wait wait) {
    lock.lock();
    try {
      if (stopping()) {
        return;
      }
      awaiting = Thread.currentThread();
    } finally {
      lock.unlock();
    }
    try {
      wait.await();
    } catch (InterruptedException e) {
      // The stop's interrupt has done its work; nobody else interrupts this thread.
    } finally {
      stopAwaiting();
    }
  }

  private void stopAwaiting() {
    lock.lock();
    try {
      awaiting = null;
    } finally {
      lock.unlock();
    }
    // From here on no interrupt comes; one that came after the wait was over has no use.
    Thread.interrupted();
  }

  private boolean stopping() {
    return signals > 0 || giveUp != null;
  }

  private void climb() {
    int step = 0;
    Duration gaveUp = null;
    while (true) {
      int reached;
      Duration rest;
      Target stopped;
      Duration left;
      String last;
      lock.lock();
      try {
        while (!hasNews(step, gaveUp)) {
          changed.awaitUninterruptibly();
        }
        reached = Math.min(signals, HALT);
        stopped = target;
        left = left();
        rest = giveUp;
        last = lastSignal;
        if (awaiting != null) {
          awaiting.interrupt();
        }
      } finally {
        lock.unlock();
      }
      if (reached == HALT) {
        if (stopped != null) {
          stopped.kill();
        }
        halt.halt(last.equals("INT") ? ExitCode.HALTED_BY_INT : ExitCode.HALTED_BY_TERM);
        return;
      }
      Target target = Objects.requireNonNull(stopped);
      target.stopAdmission();
      if (rest != null && !rest.equals(gaveUp)) {
        Duration time = signals() == 0 || rest.compareTo(left) < 0 ? rest : left;
        apart("headgate-give-up", () -> target.abort(time));
      }
      if (reached >= DRAIN && step < DRAIN) {
        // What was given up must not go on again for the moment until the abort is there.
        apart("headgate-drain", rest == null ? () -> target.drain(left) : () -> target.abort(left));
      }
      if (reached >= CANCEL && step < CANCEL) {
        apart("headgate-cancel", () -> target.abort(Duration.ZERO));
      }
      step = reached;
      gaveUp = rest;
    }
  }

  private boolean hasNews(int step, @Nullable Duration gaveUp) {
    if (target == null) {
      // Only the last step needs nothing to stop.
      return signals >= HALT;
    }
    return Math.min(signals, HALT) != step || !Objects.equals(giveUp, gaveUp);
  }

  /** What is left of the grace, which counts from the first signal. */
  private Duration left() {
    if (signals == 0) {
      return grace;
    }
    Duration rest = grace.minusNanos(System.nanoTime() - firstNanos);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  // A stop blocks until it is over; the worker sees to it that several are one.
  private static void apart(String name, Wait stop) {
    Thread thread =
        new Thread(
            () -> {
              try {
                stop.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    thread.setDaemon(true);
    while (true) {
      try {
        thread.start();
        return;
      } catch (OutOfMemoryError e) {
        // No thread is to be had now: commands that end make room, and this one must not die.
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }
}
