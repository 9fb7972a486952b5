package io.headgate;

/**
 * Told what happens in a worker, one event after the other, by a thread of its own.
 *
 * <p>At most 1,024 events wait; one that finds no place is dropped and counted by {@link
 * Worker#eventsDropped()}, so a slow listener never slows a job. Events come in the order in which
 * threads reported them: a job may be told started before its producer told it accepted. A listener
 * that throws is logged.
 */
@FunctionalInterface
public interface WorkerListener {

  /** Takes one event. */
  void onEvent(WorkerEvent event);
}
