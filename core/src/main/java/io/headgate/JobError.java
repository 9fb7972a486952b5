package io.headgate;

import static java.util.Objects.requireNonNull;

/**
 * What is kept of a handler's failure: strings within their budgets, never the throwable.
 *
 * <p>The message is a prefix counted in Unicode code points. A combining sequence can be split by
 * it, and a secret in the kept prefix stays: a redactor runs before the cut.
 *
 * @param errorType the class name, at most 256 characters
 * @param message the kept prefix of the message, empty where there was none
 * @param messageTruncated whether anything of the message was left out
 * @param effectsUncertain whether it is not known what the attempt did to the outside world: it was
 *     cut off by its timeout, or said so itself
 */
public record JobError(
    String errorType, String message, boolean messageTruncated, boolean effectsUncertain) {

  /** Checks for null. */
  public JobError {
    requireNonNull(errorType, "errorType");
    requireNonNull(message, "message");
  }
}
