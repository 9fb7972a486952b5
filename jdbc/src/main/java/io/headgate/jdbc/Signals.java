package io.headgate.jdbc;

/**
 * The points at which a test may stop or end the process, armed through this and not by sleeping.
 */
interface Signals {

  /** Somewhere between two steps that belong together. */
  enum Point {
    /** A schema step is done and not committed. */
    MIGRATION,
    /** A job was written and not committed. */
    ADMIT,
    /** A start was written and not committed. */
    CLAIM,
    /** An outcome was written and not committed. */
    SETTLE,
    /** A page of uncertain jobs was resolved and not committed. */
    RECOVERY,
    /** All of a group was written and not committed. */
    COMMIT,
    /** A group was committed and nobody knows yet. */
    COMMITTED
  }

  Signals NONE = point -> {};

  void reached(Point point);
}
