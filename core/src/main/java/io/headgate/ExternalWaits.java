package io.headgate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.downstream.Downstream;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of a worker wait for a downstream. A handler may have several threads wait at once,
 * and its job is external while at least one does. Thread-safe.
 */
final class ExternalWaits {

  private final Object monitor = new Object();

  @GuardedBy("monitor")
  private int jobs;

  /** The waits of the handler of one slot, as many as its threads. */
  static final class OfSlot {
    /** Guarded by the monitor of the worker's waits. */
    private int threads;
  }

  /** How many jobs wait. */
  int jobs() {
    synchronized (monitor) {
      return jobs;
    }
  }

  /** Makes the call; until there is a permit for it the job of {@code slot} counts as waiting. */
  <R extends @Nullable Object> R call(
      OfSlot slot,
      Downstream downstream,
      Callable<? extends R> action,
      Duration patience,
      Criticality criticality)
      throws Exception {
    Wait<R> wait = new Wait<>(slot, action);
    wait.begin();
    try {
      return downstream.call(wait, patience, criticality);
    } finally {
      wait.end();
    }
  }

  /** One thread's wait; over when the call begins or was refused. Used by that thread alone. */
  private final class Wait<R extends @Nullable Object> implements Callable<R> {

    private final OfSlot slot;
    private final Callable<? extends R> action;
    private boolean waits;

    Wait(OfSlot slot, Callable<? extends R> action) {
      this.slot = slot;
      this.action = action;
    }

    @Override
    public R call() throws Exception {
      end();
      return action.call();
    }

    void begin() {
      waits = true;
      synchronized (monitor) {
        if (slot.threads++ == 0) {
          jobs++;
        }
      }
    }

    void end() {
      if (waits) {
        waits = false;
        synchronized (monitor) {
          if (--slot.threads == 0) {
            jobs--;
          }
        }
      }
    }
  }
}
