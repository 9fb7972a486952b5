package io.headgate.cli;

/**
 * What is shown of a run at one instant.
 *
 * @param counts how far it is
 * @param elapsedNanos since its start
 * @param perSecond jobs that ran and ended, lately
 * @param share what part of all is done, from 0 to 1; NaN where the total is unknown
 * @param leftNanos the likely time to the end, or {@link #UNKNOWN}
 */
record Snapshot(Counts counts, long elapsedNanos, double perSecond, double share, long leftNanos) {
  static final long UNKNOWN = -1;
}
