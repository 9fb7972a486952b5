package io.headgate.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a guard, and the daemon thread that samples for them: one, alive while anybody does. A
 * platform thread, so that handlers that hold every carrier of the virtual threads cannot delay it.
 */
final class Sampling {

  private static final System.Logger LOGGER = System.getLogger(Sampling.class.getName());

  private final Ticker ticker;
  private final long periodNanos;
  private final Runnable sample;
  private final ReentrantLock lock = new ReentrantLock();

  /** Changed under the lock, with the thread. */
  private final List<LoadSource> sources = new CopyOnWriteArrayList<>();

  @GuardedBy("lock")
  private @Nullable Thread thread;

  Sampling(Ticker ticker, long periodNanos, Runnable sample) {
    this.ticker = ticker;
    this.periodNanos = periodNanos;
    this.sample = sample;
  }

  /** Adds somebody who uses the guard. Without a thread the guard is not sampled, and says so. */
  void begin(LoadSource source) {
    lock.lock();
    try {
      sources.add(source);
      if (thread == null) {
        Thread fresh = Thread.ofPlatform().daemon().name("headgate-overload").unstarted(this::run);
        thread = fresh;
        try {
          fresh.start();
        } catch (Throwable t) {
          thread = null;
          LOGGER.log(
              Level.WARNING, "no thread to sample overload could be started; none is refused", t);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void end(LoadSource source) {
    lock.lock();
    try {
      sources.remove(source);
      if (sources.isEmpty() && thread != null) {
        LockSupport.unpark(thread);
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (true) {
      lock.lock();
      try {
        if (sources.isEmpty()) {
          thread = null;
          return;
        }
      } finally {
        lock.unlock();
      }
      try {
        sample.run();
      } catch (Throwable t) {
        // A lack of memory must not end what watches the memory.
        say(t);
      }
      ticker.parkNanos(this, periodNanos);
      Thread.interrupted();
    }
  }

  private static void say(Throwable thrown) {
    try {
      LOGGER.log(Level.WARNING, "overload could not be sampled; the next sample is tried", thrown);
    } catch (Throwable nothingLeft) {
      // Not even for the log.
    }
  }

  /** How many handlers are runnable, of all who use the guard. */
  int runnableHandlers() {
    return sources.stream().mapToInt(LoadSource::runnableHandlers).sum();
  }

  /** How long the oldest of all jobs has waited. */
  Duration oldestWaiting() {
    return sources.stream()
        .map(LoadSource::oldestWaiting)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }
}
