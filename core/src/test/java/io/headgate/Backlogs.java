package io.headgate;

import io.headgate.backlog.Backlog;

/** Gives the tests of the seam the backlog that workers have by default. */
public final class Backlogs {

  private Backlogs() {}

  /** Opens backlogs in memory. */
  public static <T> Backlog.Factory<T> memory() {
    return Worker.<T>builder("any").backlog;
  }
}
