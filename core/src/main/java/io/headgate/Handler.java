package io.headgate;

/**
 * What a worker does with a job. Called by up to {@code concurrency} threads at once, never twice
 * at once for the same job.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface Handler<T> {

  /**
   * Does the job. Returning normally completes it, throwing anything fails it; ending by an
   * interruption or a cancellation after being told to stop interrupts it.
   *
   * <p>A handler is told to stop by an interrupt of its thread and by {@link
   * JobContext#isCancelled()}. One that ignores both is reported as stuck.
   *
   * @param job the job
   * @param context valid until this method returns
   * @throws Exception to fail the job
   */
  void handle(Job<T> job, JobContext context) throws Exception;
}
