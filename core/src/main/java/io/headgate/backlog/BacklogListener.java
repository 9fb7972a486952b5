package io.headgate.backlog;

import io.headgate.Job;
import io.headgate.Outcome;

/**
 * Told by a backlog what happened in it by itself. Called outside its lock, by the thread whose
 * call caused it, after the ledger holds it; must not block.
 *
 * @param <T> the payload
 */
public interface BacklogListener<T> {

  /** A waiting job ended without having been started. */
  void unstarted(Job<T> job, Outcome.Unstarted outcome);

  /** A job between two attempts ended, by a stop, a cancel or its deadline. */
  void failed(Job<T> job, Outcome.Failed outcome);

  /**
   * A job cannot start before {@code nanos} on the ticker, for its delay or for want of a free
   * start: {@link Backlog#wakeDue} is to be called then. Does nothing unless overridden.
   */
  default void startsAt(long nanos) {}

  /** Admission has stopped and the last unfinished job has ended. */
  void idle();
}
