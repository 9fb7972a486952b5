package io.headgate.retry;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a failure says of itself about being tried again, read from the exception and its causes.
 * Immutable. The first cause that says something counts; a {@link DoNotRetry} anywhere is final.
 *
 * @param isFinal whether no attempt may follow: a {@link DoNotRetry}, or overload without a time
 * @param isOverload whether it is an {@link OverloadedException}
 * @param asksForRetry whether it says that another attempt may succeed
 * @param effectsUncertain whether it says that its effects are not known
 * @param retryAfter how long it asks to wait; zero where it does not say
 */
public record FailureSigns(
    boolean isFinal,
    boolean isOverload,
    boolean asksForRetry,
    boolean effectsUncertain,
    Duration retryAfter) {

  /** Causes looked at; a chain may be a circle. */
  private static final int MAX_CAUSES = 64;

  private static final FailureSigns NONE =
      new FailureSigns(false, false, false, false, Duration.ZERO);

  /** Checks for null. */
  public FailureSigns {
    requireNonNull(retryAfter, "retryAfter");
  }

  /** Reads the signs of {@code failure}. Never throws, whatever its methods do. */
  public static FailureSigns of(Throwable failure) {
    FailureSigns signs = NONE;
    Throwable current = failure;
    for (int depth = 0; current != null && depth < MAX_CAUSES; depth++) {
      if (current instanceof DoNotRetry) {
        return new FailureSigns(
            true, signs.isOverload, false, signs.effectsUncertain, signs.retryAfter);
      }
      if (signs.equals(NONE)) {
        signs = ownSigns(current);
      }
      current = causeOf(current);
    }
    return signs;
  }

  private static FailureSigns ownSigns(Throwable failure) {
    if (failure instanceof RetryableException retryable) {
      return new FailureSigns(
          false, false, true, retryable.effectsUncertain(), retryable.retryAfter());
    }
    if (failure instanceof OverloadedException overloaded) {
      boolean comesAgain = overloaded.retryAfter().isPresent();
      return new FailureSigns(
          !comesAgain, true, comesAgain, false, overloaded.retryAfter().orElse(Duration.ZERO));
    }
    return NONE;
  }

  private static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable t) { // foreign code
      return null;
    }
  }
}
