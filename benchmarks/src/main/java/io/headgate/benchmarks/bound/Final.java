package io.headgate.benchmarks.bound;

import io.headgate.retry.DoNotRetry;

/** A failure that no policy tries again. */
public class Final extends RuntimeException implements DoNotRetry {

  private static final long serialVersionUID = 1L;

  /** With its message. */
  public Final(String message) {
    super(message);
  }
}
