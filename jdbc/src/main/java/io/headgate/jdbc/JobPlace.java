package io.headgate.jdbc;

/** Where a job of a store is, for lists. */
public enum JobPlace {
  /** Waits for a decision, because nobody knows how its last start ended. */
  HELD("job WHERE state = 3"),
  /** Waits for a start, the first or another. */
  WAITING("job WHERE state IN (0, 4)"),
  /** Waits for a time: between two attempts, or before its first. */
  SUSPENDED("job WHERE state = 2"),
  /** Was started and has not ended. */
  RUNNING("job WHERE state = 1"),
  /** Any of those before. */
  UNFINISHED("job WHERE true"),
  /** Has an outcome that the history keeps. */
  ENDED("outcome WHERE true");

  private final String rows;

  JobPlace(String rows) {
    this.rows = rows;
  }

  /** The table and the condition, for a statement. */
  String rows() {
    return rows;
  }
}
