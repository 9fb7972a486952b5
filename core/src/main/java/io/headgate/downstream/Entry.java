package io.headgate.downstream;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of a {@link Downstream} to one who wants to call: {@link Permit} or {@link Refused}.
 */
public sealed interface Entry permits Permit, Entry.Refused {

  /** Whether the call may be made. */
  boolean isPermitted();

  /** Why a call was refused. */
  enum Cause {
    /** All permits were in use until the caller's patience was over. */
    BUSY,
    /** No start is free within the caller's patience. */
    RATE_LIMITED,
    /** As many callers wait as may. */
    TOO_MANY_WAITING,
    /** The dependency has lately refused too many calls. */
    THROTTLED
  }

  /**
   * The call is not to be made; nothing was taken.
   *
   * @param cause why
   * @param retryAfter after how long it may be different, where that is known
   */
  record Refused(Cause cause, Optional<Duration> retryAfter) implements Entry {

    private static final Map<Cause, Refused> WITHOUT_TIME = new EnumMap<>(Cause.class);

    static {
      for (Cause cause : Cause.values()) {
        WITHOUT_TIME.put(cause, new Refused(cause, Optional.empty()));
      }
    }

    /** Checks for null. */
    public Refused {
      requireNonNull(cause, "cause");
      requireNonNull(retryAfter, "retryAfter");
    }

    /** The shared refusal for {@code cause} without a time: to refuse is to allocate nothing. */
    static Refused withoutTime(Cause cause) {
      return requireNonNull(WITHOUT_TIME.get(cause));
    }

    @Override
    public boolean isPermitted() {
      return false;
    }
  }
}
