package io.headgate;

import java.util.concurrent.TimeUnit;

/**
 * How many jobs end in a time, as far as it was seen. Pure: counts and time in, rate out. Not
 * thread-safe.
 */
final class DrainRate {
  /*
   * A stretch ends with 32 jobs or after a second with one, whichever comes first, and then counts for
   * half: so quick jobs are measured soon, and slow ones at all. While nothing ends the rate falls to
   * what would still be in keeping with that.
   */
  private static final long ENOUGH_JOBS = 32;
  private static final long STRETCH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private boolean hasBegun;
  private long beganAt;
  private long endedBefore;
  private boolean isKnown;
  private double perNano;

  /** Looks at how many jobs have ended, ever. */
  void note(long ended, long now) {
    long elapsed = now - beganAt;
    long done = ended - endedBefore;
    if (!hasBegun) {
      hasBegun = true;
      begin(ended, now);
    } else if (elapsed > 0 && done > 0 && (done >= ENOUGH_JOBS || elapsed >= STRETCH_NANOS)) {
      double measured = (double) done / elapsed;
      perNano = isKnown ? (perNano + measured) / 2 : measured;
      isKnown = true;
      begin(ended, now);
    } else if (elapsed > 0 && done > 0 && !isKnown) {
      perNano = (double) done / elapsed;
    } else if (elapsed > 0) {
      perNano = Math.min(perNano, (done + 1.0) / elapsed);
    }
  }

  private void begin(long ended, long now) {
    endedBefore = ended;
    beganAt = now;
  }

  /** Forgets what was seen: it was too long ago. */
  void forget() {
    hasBegun = false;
    isKnown = false;
    perNano = 0;
  }

  /** In how many nanoseconds so many jobs end; infinite while no end was seen. */
  double nanosFor(long jobs) {
    return jobs / perNano;
  }
}
