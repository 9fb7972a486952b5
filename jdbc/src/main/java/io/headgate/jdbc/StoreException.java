package io.headgate.jdbc;

/**
 * The store could not be used. The message names the store, what is wrong, and the cure. No
 * accepted job is lost by it: what was committed stays, what was not was never accepted.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is wrong with the store. */
  public enum Kind {
    /** The disk, or the store's own limit, has no room left. */
    FULL,
    /** The store may be read but not written. */
    READ_ONLY,
    /** Another process uses the store. */
    LOCKED,
    /** What the store holds is damaged, or is not a store. */
    CORRUPT,
    /** The store was written by a release of Headgate that this one does not understand. */
    WRONG_VERSION,
    /** The store cannot be reached or did not answer in time. */
    UNREACHABLE,
    /** The store does not take this one request, and never will; others are not affected. */
    UNACCEPTABLE
  }

  private final Kind kind;

  StoreException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  StoreException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }
}
