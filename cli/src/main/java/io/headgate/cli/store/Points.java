package io.headgate.cli.store;

/** The points at which a test may end the process, armed through this and not by sleeping. */
public interface Points {

  /** Somewhere between two steps that belong together. */
  enum Point {
    /** The tables were made and are not committed. */
    SCHEMA,
    /** What a dead process left is resolved and not committed. */
    BEGIN,
    /** A start is written and not committed. */
    START,
    /** An end is written and not committed. */
    END,
    /** The rows of a block have become its digest, not committed. */
    COMPACT,
    /** A group is written and not committed. */
    COMMIT,
    /** A group is committed and nobody knows yet. */
    COMMITTED
  }

  /** Nothing happens anywhere. */
  Points NONE = point -> {};

  /** The thread that works is at a point. */
  void reached(Point point);
}
