package io.headgate.backlog;

import io.headgate.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job that a claimant holds: it counts as running from the claim until it is settled or
 * suspended.
 *
 * <p>Belongs to the thread that claimed it. A backlog may use the object again after it is settled
 * or suspended, so nothing of it may be read then.
 *
 * @param <T> the payload
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public interface Claim<T> {

  /** The job. */
  Job<T> job();

  /** The number of this attempt, from 1. */
  int attempt();

  /** What was kept from the attempt before this one; null for the first. */
  @Nullable Suspension suspension();

  /**
   * How many earlier starts of this job have an unknown end: a crash caught them, or a stop had to
   * interrupt them. Always zero where jobs do not outlive the process.
   */
  default int uncertainStarts() {
    return 0;
  }

  /** The fencing token: different for every claim, and only the latest one can settle the job. */
  long token();
}
