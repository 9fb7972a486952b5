package io.headgate;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The answer to a submitted job: {@link Accepted}, or {@link Refused} with the reason. A value. */
public sealed interface Admission {

  /** Whether the job is now the worker's, and will have exactly one outcome. */
  boolean isAccepted();

  /** Returns the one accepted answer. */
  static Accepted accepted() {
    return Accepted.INSTANCE;
  }

  /** Returns the shared refusal for {@code reason} without a time to retry after. */
  static Refused refused(Reason reason) {
    return requireNonNull(Refused.WITHOUT_RETRY_AFTER.get(reason));
  }

  /** The job is accepted. One shared instance, so that accepting allocates nothing. */
  final class Accepted implements Admission {
    private static final Accepted INSTANCE = new Accepted();

    private Accepted() {}

    @Override
    public boolean isAccepted() {
      return true;
    }

    @Override
    public String toString() {
      return "Accepted";
    }
  }

  /**
   * The job is not accepted, and nothing but the counter of refusals has changed.
   *
   * @param reason why
   * @param retryAfter how long to wait before the same job may be accepted, where that is known
   */
  record Refused(Reason reason, Optional<Duration> retryAfter) implements Admission {

    private static final Map<Reason, Refused> WITHOUT_RETRY_AFTER = new EnumMap<>(Reason.class);

    static {
      for (Reason reason : Reason.values()) {
        WITHOUT_RETRY_AFTER.put(reason, new Refused(reason, Optional.empty()));
      }
    }

    /** Checks for null. */
    public Refused {
      requireNonNull(reason, "reason");
      requireNonNull(retryAfter, "retryAfter");
    }

    @Override
    public boolean isAccepted() {
      return false;
    }
  }
}
