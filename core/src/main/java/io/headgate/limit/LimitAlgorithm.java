package io.headgate.limit;

/**
 * How a limit of concurrency follows what its calls went through. Pure: state, sample and time in,
 * limit out. Not thread-safe.
 */
sealed interface LimitAlgorithm permits Aimd, Gradient {

  /**
   * Learns from one call.
   *
   * @param rttNanos how long it took, zero or more
   * @param inflight how many were in flight when it ended, itself included
   * @param dropped whether it was refused for overload or timed out
   * @return the limit from now on
   */
  int onSample(long rttNanos, int inflight, boolean dropped, long now);

  /** The limit now. */
  int limit();
}
