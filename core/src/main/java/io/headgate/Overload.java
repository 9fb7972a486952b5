package io.headgate;

import io.headgate.limit.OverloadGuard;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a worker stands under load at one instant. All of it returns to rest by itself when the load
 * has gone. Immutable.
 *
 * @param loads the load of each cause that the worker's {@link OverloadGuard} watches, at its last
 *     sample; 1 is the threshold; empty without a guard
 * @param refusedFrom the most critical class that is refused {@link Reason#OVERLOADED} now, and
 *     with it every lower one; empty if none is
 * @param shedding whether the queue stands, so that stale jobs are shed and the newest served
 *     first; false unless the delay of the queue is controlled
 * @param oldestWaiting how long the oldest waiting job has waited, zero if none waits; empty where
 *     nothing asks for ages: without control of the queue's delay, and without a guard that has a
 *     signal for it
 * @param sinceLastRefusal how long ago, to a tenth of a second, a job was last refused that might
 *     be taken later; empty if none was
 */
public record Overload(
    Map<String, Double> loads,
    Optional<Criticality> refusedFrom,
    boolean shedding,
    Optional<Duration> oldestWaiting,
    Optional<Duration> sinceLastRefusal) {

  /** Copies the loads. */
  public Overload {
    loads = Map.copyOf(loads);
  }

  /** Whether work is refused or shed now because of overload, apart from a full backlog. */
  public boolean isOverloaded() {
    return refusedFrom.isPresent() || shedding;
  }
}
