package io.headgate.cli;

import java.util.concurrent.TimeUnit;

/**
 * Makes a rate and an estimate of the end from counts. Used by one thread.
 *
 * <p>The rate is an average in which what was counts for less the longer ago it was. The estimate
 * of the end goes by the whole run: a rate of seconds would let it jump.
 */
final class Meter {
  private static final double MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long startNanos;
  private long lastNanos;
  private long lastRan;
  private double weightedRan;
  private double weightedNanos;

  Meter(long startNanos) {
    this.startNanos = startNanos;
    lastNanos = startNanos;
  }

  /** Takes note of the counts at an instant. */
  Snapshot read(Counts counts, long nanos) {
    long passed = nanos - lastNanos;
    long ran = counts.ran();
    double kept = Math.exp(-passed / MEMORY_NANOS);
    weightedRan = weightedRan * kept + (ran - lastRan);
    weightedNanos = weightedNanos * kept + passed;
    lastNanos = nanos;
    lastRan = ran;
    long elapsed = nanos - startNanos;
    double perSecond =
        weightedNanos == 0 ? 0 : weightedRan * TimeUnit.SECONDS.toNanos(1) / weightedNanos;
    return new Snapshot(counts, elapsed, perSecond, share(counts), left(counts, elapsed));
  }

  private static double share(Counts counts) {
    double done = counts.ended() + counts.skipped();
    // More than the total: then the total was wrong, and nothing is known.
    return done <= counts.total() ? done / counts.total() : Double.NaN;
  }

  private static long left(Counts counts, long elapsed) {
    double done = counts.ended() + counts.skipped();
    if (counts.ended() == 0 || !(done <= counts.total())) {
      return Snapshot.UNKNOWN;
    }
    return (long) ((counts.total() - done) * elapsed / counts.ended());
  }
}
