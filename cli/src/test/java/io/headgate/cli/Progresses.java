package io.headgate.cli;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts and snapshots for tests. */
final class Progresses {
  static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private Progresses() {}

  static Counts counts(long completed, long failed, double total) {
    Map<Fate.Kind, Long> fates = new EnumMap<>(Fate.Kind.class);
    fates.put(Fate.Kind.COMPLETED, completed);
    fates.put(Fate.Kind.FAILED, failed);
    return new Counts(fates, 0, 4, 7, total);
  }

  /** After a minute of a run of which nobody knows the end. */
  static Snapshot endless(long completed) {
    return new Snapshot(
        counts(completed, 0, Double.NaN), 60 * SECOND, 2, Double.NaN, Snapshot.UNKNOWN);
  }

  /** After a minute of a run of which so much is done. */
  static Snapshot at(double share) {
    return new Snapshot(counts(90, 1, 100), 60 * SECOND, 12.34, share, 125 * SECOND);
  }
}
