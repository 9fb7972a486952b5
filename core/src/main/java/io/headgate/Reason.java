package io.headgate;

/** Why a job was refused, in the order in which the reasons are told where several are true. */
public enum Reason {
  /** The id is empty, has a control character, or is not well-formed Unicode. */
  INVALID_ID(false),
  /** The id takes more UTF-8 bytes than the worker allows. */
  ID_TOO_LONG(false),
  /** The weigher threw or answered a negative size. */
  INVALID_SIZE(false),
  /** The payload is larger than the whole byte budget. */
  TOO_LARGE(false),
  /** The time to live was over before the job could be accepted. */
  EXPIRED(false),
  /** Admission has stopped. Another worker may take the job; this one never will. */
  CLOSED(false),
  /** A job with this id waits, runs, or is still in the history. */
  DUPLICATE(false),
  /**
   * The process is overloaded, and this job is not critical enough to be taken. Never waited for.
   */
  OVERLOADED(true),
  /** The rate limit leaves it no start before its time to live is over. Never waited for. */
  RATE_LIMITED(true),
  /** As many jobs are unfinished as concurrency and capacity allow. */
  FULL(true),
  /** The payload does not fit into what is left of the byte budget. */
  FULL_BYTES(true),
  /** The producer's patience ended before there was room. */
  TIMED_OUT(true),
  /** As many producers, or payload bytes of theirs, wait as are allowed. */
  TOO_MANY_WAITERS(true),
  /** There was no room, and nothing that may be shed for this job. */
  SHED(true),
  /**
   * The store did not answer. The job may have been accepted all the same: offer the same id again,
   * and {@link #DUPLICATE} then means that it was.
   */
  UNAVAILABLE(true);

  static final int COUNT = values().length;

  private final boolean retryCanHelp;

  Reason(boolean retryCanHelp) {
    this.retryCanHelp = retryCanHelp;
  }

  /** Whether the same job may be accepted by the same worker later. */
  public boolean retryCanHelp() {
    return retryCanHelp;
  }
}
