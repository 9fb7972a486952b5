package io.headgate;

import java.time.Duration;

/** A refusal as an exception, thrown only by {@link Worker#submitOrThrow}. */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final Duration waited;
  private final long limit;
  private final long depth;

  RefusedException(
      String worker, String jobId, Reason reason, Duration waited, long limit, long depth) {
    super(
        "worker %s refused job %s: %s after waiting %s, with %d of %d jobs unfinished%s"
            .formatted(
                worker,
                jobId,
                reason,
                waited,
                depth,
                limit,
                reason.retryCanHelp() ? "; a later try may succeed" : ""));
    this.reason = reason;
    this.waited = waited;
    this.limit = limit;
    this.depth = depth;
  }

  /** Why the job was refused. */
  public Reason reason() {
    return reason;
  }

  /** How long the caller waited before the refusal. */
  public Duration waited() {
    return waited;
  }

  /** How many jobs could be unfinished at once, concurrency plus capacity. */
  public long limit() {
    return limit;
  }

  /** How many jobs were unfinished just after the refusal. */
  public long depth() {
    return depth;
  }
}
