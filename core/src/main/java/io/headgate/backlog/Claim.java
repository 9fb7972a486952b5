package io.headgate.backlog;

import io.headgate.Job;

/**
 * A job that a claimant holds: it counts as running from the claim until it is settled.
 *
 * <p>Belongs to the thread that claimed it. A backlog may use the object again after it is settled,
 * so nothing of it may be read then.
 *
 * @param <T> the payload
 */
public interface Claim<T> {

  /** The job. */
  Job<T> job();

  /** The number of this attempt, from 1. */
  int attempt();

  /** The fencing token: different for every claim, and only the latest one can settle the job. */
  long token();
}
