package io.headgate.backlog;

import static java.util.Objects.requireNonNull;

import io.headgate.JobError;
import io.headgate.Outcome;
import io.headgate.RetryCut;

/** How a claimed job ended; with the claim it makes the {@link Outcome}. */
public sealed interface Settlement {

  /** Returns the one completed settlement. */
  static Settlement completed() {
    return Completed.INSTANCE;
  }

  /** Returns the outcome of the {@code attempts}-th attempt at {@code jobId}. */
  Outcome outcome(String jobId, int attempts);

  /** The handler returned normally. One shared instance, so that completing allocates nothing. */
  enum Completed implements Settlement {
    /** The one instance. */
    INSTANCE;

    @Override
    public Outcome outcome(String jobId, int attempts) {
      return new Outcome.Completed(jobId, attempts);
    }
  }

  /**
   * The handler threw or exceeded its timeout.
   *
   * @param error what is kept of the failure
   * @param retriesCutShort why no other attempt follows, where the retry policy has some left
   */
  record Failed(JobError error, RetryCut retriesCutShort) implements Settlement {
    /** Checks for null. */
    public Failed {
      requireNonNull(error, "error");
      requireNonNull(retriesCutShort, "retriesCutShort");
    }

    /** A failure of which no retry was cut short. */
    public Failed(JobError error) {
      this(error, RetryCut.NONE);
    }

    @Override
    public Outcome outcome(String jobId, int attempts) {
      return new Outcome.Failed(jobId, attempts, error, retriesCutShort);
    }
  }

  /**
   * The handler was told to stop, and stopped because of it.
   *
   * @param byStop whether a stop of the worker told it, so that the stop abandoned this job
   */
  record Interrupted(boolean byStop) implements Settlement {
    @Override
    public Outcome outcome(String jobId, int attempts) {
      return new Outcome.Interrupted(jobId, attempts);
    }
  }
}
