package io.headgate.lifecycle;

/** Whether a process may be sent work, and why not. Overload and a full backlog do not matter. */
public enum Readiness {
  /** Send work; what there is no room for is refused one by one. */
  READY,
  /** Start-up is not over: {@link Lifecycle#started()} has not been called. */
  STARTING,
  /** A worker is paused. */
  PAUSED,
  /** The store of a worker cannot be written. It comes back by itself. */
  UNAVAILABLE,
  /** A stop was asked for, or a worker is not open any more. It does not come back. */
  STOPPING
}
