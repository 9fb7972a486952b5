package io.headgate;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/**
 * A job whose handler ignored its cancellation until the time for cleanup was over.
 *
 * @param jobId the job
 * @param age how long the handler had been running. Where jobs without a timeout that take less
 *     than two microseconds follow each other on a thread, the clock is not read for each, and the
 *     age may include up to 32 jobs that ran just before
 * @param thread the name of its thread
 * @param stack the top of its stack, at most 32 frames
 */
public record StuckJob(String jobId, Duration age, String thread, List<StackTraceElement> stack) {

  static final int MAX_FRAMES = 32;

  /** Checks for null and copies the stack. */
  public StuckJob {
    requireNonNull(jobId, "jobId");
    requireNonNull(age, "age");
    requireNonNull(thread, "thread");
    stack = List.copyOf(stack);
  }
}
