package io.headgate.retry;

import io.headgate.JobContext;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a handler tells those whom it calls about its attempt, as headers of HTTP or of a message,
 * so that they can tell repeated work from new work and do not retry on top of it.
 */
public final class CallHeaders {

  /** The number of the attempt, from 1. */
  public static final String ATTEMPT = "Headgate-Attempt";

  /** Present, as {@code true}, where the caller retries: the callee had better not. */
  public static final String RETRIED = "Headgate-Retried";

  /** Equal for all attempts at one job. */
  public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  private CallHeaders() {}

  /** Returns the headers for a call made by the handler that has {@code context}. */
  public static Map<String, String> of(JobContext context) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(IDEMPOTENCY_KEY, context.idempotencyKey());
    headers.put(ATTEMPT, Integer.toString(context.attempt()));
    if (context.isRetried()) {
      headers.put(RETRIED, "true");
    }
    return headers;
  }

  /**
   * Whether {@code headers} of an arriving call say that its caller retries; then submit its job as
   * {@link io.headgate.Job#retriedByCaller}. Names are compared without regard to case.
   */
  public static boolean sayRetried(Map<String, String> headers) {
    return headers.entrySet().stream()
        .anyMatch(
            header ->
                header.getKey().equalsIgnoreCase(RETRIED)
                    && header.getValue().equalsIgnoreCase("true"));
  }
}
