package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The answer of a {@link RateLimit}: {@link Started}, or {@link Refused} with the time. A value.
 */
public sealed interface RateDecision {

  /** Whether the caller may go on; its start is counted then. */
  boolean isStarted();

  /** The caller may go on now. One shared instance. */
  enum Started implements RateDecision {
    /** The one instance. */
    INSTANCE;

    @Override
    public boolean isStarted() {
      return true;
    }
  }

  /**
   * The caller may not start, and nothing was taken.
   *
   * @param cause why
   * @param delay how long it would have taken from the call on, if nobody who waits gives up
   */
  record Refused(Cause cause, Duration delay) implements RateDecision {

    /** Why a start was refused. */
    public enum Cause {
      /** No start is free within the caller's patience. */
      RATE,
      /** As many callers wait as may. */
      TOO_MANY_WAITING
    }

    /** Checks for null. */
    public Refused {
      requireNonNull(cause, "cause");
      requireNonNull(delay, "delay");
    }

    @Override
    public boolean isStarted() {
      return false;
    }
  }
}
