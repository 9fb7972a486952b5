package io.headgate.retry;

import io.headgate.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to say that another attempt may succeed. A policy retries it without asking
 * its predicate, as far as attempts, deadline and budget allow.
 */
public final class RetryableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;
  private final boolean effectsUncertain;

  /** A failure without a time at which trying again makes sense. */
  public RetryableException(String message) {
    this(message, Duration.ZERO, null, false);
  }

  /** A failure with its cause. */
  public RetryableException(String message, Throwable cause) {
    this(message, Duration.ZERO, cause, false);
  }

  /**
   * A failure that came with the time after which to try again; the back-off is added to it.
   *
   * @throws IllegalArgumentException if {@code retryAfter} is negative
   */
  public RetryableException(String message, Duration retryAfter) {
    this(message, retryAfter, null, false);
  }

  private RetryableException(
      String message, Duration retryAfter, @Nullable Throwable cause, boolean effectsUncertain) {
    super(message, cause);
    Durations.nanos("retryAfter", retryAfter);
    this.retryAfter = retryAfter;
    this.effectsUncertain = effectsUncertain;
  }

  /**
   * A failure after which it is not known what happened outside: a request was sent and its answer
   * was lost. Retried only where the policy is {@linkplain RetryPolicy#idempotent() idempotent}.
   */
  public static RetryableException uncertain(String message, Throwable cause) {
    return new RetryableException(message, Duration.ZERO, cause, true);
  }

  /** How long the failure asks to wait; zero where it does not say. */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** Whether what the attempt did to the outside world is not known. */
  public boolean effectsUncertain() {
    return effectsUncertain;
  }
}
