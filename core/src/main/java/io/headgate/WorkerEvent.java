package io.headgate;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Something that happened in a worker. The same events are recorded for Java Flight Recorder. */
public sealed interface WorkerEvent {

  /**
   * A job was accepted.
   *
   * @param jobId the job
   */
  record Accepted(String jobId) implements WorkerEvent {
    /** Checks for null. */
    public Accepted {
      requireNonNull(jobId, "jobId");
    }
  }

  /**
   * A job was refused.
   *
   * @param jobId the id as it was given, cut at as many characters as an id may have bytes
   * @param reason why
   */
  record Refused(String jobId, Reason reason) implements WorkerEvent {
    /** Checks for null. */
    public Refused {
      requireNonNull(jobId, "jobId");
      requireNonNull(reason, "reason");
    }
  }

  /**
   * A handler is about to be entered.
   *
   * @param jobId the job
   * @param attempt from 1
   */
  record Started(String jobId, int attempt) implements WorkerEvent {
    /** Checks for null. */
    public Started {
      requireNonNull(jobId, "jobId");
    }
  }

  /**
   * An attempt failed and another will follow.
   *
   * @param jobId the job
   * @param attempt the number of the attempt that failed, from 1
   * @param backoff how long the job is suspended
   */
  record Suspended(String jobId, int attempt, Duration backoff) implements WorkerEvent {
    /** Checks for null. */
    public Suspended {
      requireNonNull(jobId, "jobId");
      requireNonNull(backoff, "backoff");
    }
  }

  /**
   * An accepted job has its outcome.
   *
   * @param outcome the outcome, already in the ledger
   */
  record Ended(Outcome outcome) implements WorkerEvent {
    /** Checks for null. */
    public Ended {
      requireNonNull(outcome, "outcome");
    }
  }

  /**
   * The worker moved forward in its life.
   *
   * @param state where it is now
   */
  record StateChanged(WorkerState state) implements WorkerEvent {
    /** Checks for null. */
    public StateChanged {
      requireNonNull(state, "state");
    }
  }
}
