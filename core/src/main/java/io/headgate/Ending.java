package io.headgate;

/** How a stop ended, from best to worst. */
public enum Ending {
  /** Every accepted job ended by itself. */
  DRAINED,
  /** The deadline of the drain passed with jobs unfinished. */
  DEADLINE,
  /** The worker was aborted. */
  ABORTED,
  /** A handler ignored its cancellation until the time for cleanup was over. */
  STUCK
}
