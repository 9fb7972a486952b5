package io.headgate;

/** Why a job failed though its retry policy had attempts left that it would have used. */
public enum RetryCut {
  /** Nothing was cut: the attempts were used up, or no policy retries such a failure. */
  NONE,
  /** The worker was told to stop. */
  STOP,
  /** The job was cancelled by its id. */
  CANCEL,
  /** The back-off would have ended at the deadline over all attempts, or that has passed. */
  DEADLINE,
  /** The budget of retries was exhausted. */
  BUDGET,
  /** Another layer of this process, or the caller, retries on behalf of this one. */
  NESTED,
  /** What the attempt did outside is not known, and the policy does not say idempotent. */
  UNCERTAIN,
  /** What was called is overloaded and said that it must not be tried again from here. */
  OVERLOADED
}
