package io.headgate.backlog;

import static java.util.Objects.requireNonNull;

import io.headgate.JobError;

/**
 * What a backlog keeps of a job between two attempts. Readings are those of the worker's ticker; a
 * durable backlog turns them into times of its store.
 *
 * @param untilNanos when the next attempt may start
 * @param deadlineNanos when it is too late to start one; half the range of readings away for never
 * @param lastError the failure of the attempt that has just ended, with which the job fails if
 *     there is no other
 * @param retriesBelow how many retries other layers made on behalf of this job so far
 */
public record Suspension(
    long untilNanos, long deadlineNanos, JobError lastError, int retriesBelow) {

  /** Checks for null. */
  public Suspension {
    requireNonNull(lastError, "lastError");
  }
}
