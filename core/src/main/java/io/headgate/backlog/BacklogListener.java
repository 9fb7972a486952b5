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
   * A job is ready and no start is free for it before {@code nanos} on the ticker: {@link
   * Backlog#wakeDue} is to be called then. Comes only where {@link Backlog.Settings#startRate} is
   * set; does nothing unless overridden.
   */
  default void startsAt(long nanos) {}

  /** Admission has stopped and the last unfinished job has ended. */
  void idle();
}
