package io.headgate.lifecycle;

import io.headgate.Worker;
import io.headgate.WorkerState;

/**
 * The answers to the three questions of a platform's probes, computed when asked. Each is cheap,
 * takes no lock and waits for nothing, so a probe is answered however busy or stuck the workers
 * are. Thread-safe.
 *
 * <p>They are three questions because they have three consequences: not started holds the other
 * probes back, not ready takes the process out of the traffic, not live restarts it. So a stop, an
 * overload or a stuck handler never makes a process not live.
 */
public final class Health {

  private final Lifecycle lifecycle;

  Health(Lifecycle lifecycle) {
    this.lifecycle = lifecycle;
  }

  /** Startup: whether {@link Lifecycle#started()} has been called. Stays true. */
  public boolean isStarted() {
    return lifecycle.isStarted();
  }

  /** Readiness: whether {@link #readiness()} is {@link Readiness#READY}. */
  public boolean isReady() {
    return readiness() == Readiness.READY;
  }

  /**
   * Readiness, with the reason. Red before start-up is over, while any worker is paused or its
   * store cannot be written, and for good from the first stop signal, call of stop or state change
   * of a worker, whichever comes first.
   */
  public Readiness readiness() {
    if (lifecycle.isStopping()) {
      return Readiness.STOPPING;
    }
    boolean paused = false;
    boolean available = true;
    for (ManagedWorker managed : lifecycle.managed()) {
      Worker<?> worker = managed.worker();
      if (worker.state() != WorkerState.OPEN) {
        return Readiness.STOPPING;
      }
      paused |= worker.isPaused();
      available &= worker.isAvailable();
    }
    if (!lifecycle.isStarted()) {
      return Readiness.STARTING;
    }
    if (!available) {
      return Readiness.UNAVAILABLE;
    }
    return paused ? Readiness.PAUSED : Readiness.READY;
  }

  /** Liveness: whether the control thread of every worker that has one makes progress. */
  public boolean isLive() {
    for (ManagedWorker managed : lifecycle.managed()) {
      if (!managed.worker().isLive()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "Health[started " + isStarted() + ", " + readiness() + ", live " + isLive() + "]";
  }
}
