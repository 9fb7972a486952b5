package io.headgate.retry;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to say that what it called has too much to do, which is something else than a
 * failure. With a time after which to come again the job is retried no earlier than that; without
 * one ({@link #doNotRetry}) it is not retried here at all, and goes up as overload.
 */
public final class OverloadedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final @Nullable Duration retryAfter;

  /**
   * Overloaded; come again after {@code retryAfter}, to which the back-off is added.
   *
   * @throws IllegalArgumentException if {@code retryAfter} is negative
   */
  public OverloadedException(Duration retryAfter) {
    this("overloaded, try again after " + retryAfter, requireNonNull(retryAfter, "retryAfter"));
    Durations.nanos("retryAfter", retryAfter);
  }

  private OverloadedException(String message, @Nullable Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  /** Overloaded, do not retry: many are refused, and this layer would only add to it. */
  public static OverloadedException doNotRetry(String message) {
    return new OverloadedException(message, null);
  }

  /** How long to wait at least; empty where this layer is not to retry. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
