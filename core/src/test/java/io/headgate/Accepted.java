package io.headgate;

import io.headgate.backlog.Suspension;

/** An accepted job, how often it was started, and since when it waits or until when it must not. */
record Accepted(
    Job<String> job,
    long bytes,
    long sequence,
    long expiresAt,
    long since,
    int attempts,
    Suspension suspension) {
  Accepted(Job<String> job, long bytes, long sequence, long expiresAt, long since) {
    this(job, bytes, sequence, expiresAt, since, 0, null);
  }

  Accepted started() {
    return new Accepted(job, bytes, sequence, expiresAt, 0, attempts + 1, suspension);
  }

  Accepted suspended(Suspension by) {
    return new Accepted(job, bytes, sequence, expiresAt, by.untilNanos(), attempts, by);
  }

  Accepted waitingSince(long now) {
    return new Accepted(job, bytes, sequence, expiresAt, now);
  }

  boolean isOver(long now) {
    return job.hasTimeToLive() && expiresAt - now <= 0;
  }
}
