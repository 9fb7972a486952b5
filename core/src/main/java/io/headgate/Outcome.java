package io.headgate;

import static java.util.Objects.requireNonNull;

/** The one terminal record of an accepted job. Written once, never changed. */
public sealed interface Outcome {

  /** The id of the job. */
  String jobId();

  /** How many times a handler was entered for it; zero for {@link Unstarted}. */
  int attempts();

  /** The handler returned normally, be it after it was told to stop. */
  record Completed(String jobId, int attempts) implements Outcome {
    /** Checks for null. */
    public Completed {
      requireNonNull(jobId, "jobId");
    }
  }

  /**
   * The handler threw, or went on beyond its timeout, and no other attempt follows.
   *
   * @param error what is kept of the failure of the last attempt
   * @param retriesCutShort why attempts that the retry policy had left were not made; {@link
   *     RetryCut#NONE} where it had none, or would not retry such a failure
   */
  record Failed(String jobId, int attempts, JobError error, RetryCut retriesCutShort)
      implements Outcome {
    /** Checks for null. */
    public Failed {
      requireNonNull(jobId, "jobId");
      requireNonNull(error, "error");
      requireNonNull(retriesCutShort, "retriesCutShort");
    }

    /** A failure of which no retry was cut short. */
    public Failed(String jobId, int attempts, JobError error) {
      this(jobId, attempts, error, RetryCut.NONE);
    }

    /** Whether what the attempt did to the outside world is not known. */
    public boolean effectsUncertain() {
      return error.effectsUncertain();
    }
  }

  /**
   * The handler was running, was told to stop, and stopped because of it. It may have changed the
   * outside world: doing the job again safely needs idempotency or reconciliation.
   */
  record Interrupted(String jobId, int attempts) implements Outcome {
    /** Checks for null. */
    public Interrupted {
      requireNonNull(jobId, "jobId");
    }
  }

  /** No handler was ever entered, so nothing happened outside. */
  record Unstarted(String jobId, Cause cause) implements Outcome {
    /** Checks for null. */
    public Unstarted {
      requireNonNull(jobId, "jobId");
      requireNonNull(cause, "cause");
    }

    @Override
    public int attempts() {
      return 0;
    }

    /** Why an accepted job was never started. */
    public enum Cause {
      /** The deadline of a drain passed first. */
      DRAINED,
      /** The worker was aborted. */
      ABORTED,
      /** It gave way to another job when there was no room. */
      SHED,
      /** Its time to live was over. */
      EXPIRED,
      /** It was cancelled by id. */
      CANCELLED
    }
  }
}
