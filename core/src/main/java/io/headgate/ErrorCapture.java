package io.headgate;

import io.headgate.retry.FailureSigns;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a handler threw into strings within their budgets. Never throws, whatever the
 * throwable does: its own methods are foreign code.
 */
final class ErrorCapture {

  static final int MAX_ERROR_TYPE_CHARS = 256;

  private static final int MAX_CAUSES = 64;

  private final int maxMessageChars;
  private final @Nullable UnaryOperator<String> redactor;

  /** The last error made; many failures in a row are equal, and then share it. */
  private volatile @Nullable JobError last;

  /**
   * @param maxMessageChars code points kept of a message; {@link Integer#MAX_VALUE} keeps all
   * @param redactor applied to the whole message before the cut, or null
   */
  ErrorCapture(int maxMessageChars, @Nullable UnaryOperator<String> redactor) {
    this.maxMessageChars = maxMessageChars;
    this.redactor = redactor;
  }

  JobError capture(Throwable thrown) {
    return error(
        prefix(typeOf(thrown), MAX_ERROR_TYPE_CHARS),
        messageOf(thrown),
        FailureSigns.of(thrown).effectsUncertain());
  }

  /** Makes the error of an attempt that exceeded its timeout. */
  JobError timedOut(String message) {
    return error("AttemptTimeout", message, true);
  }

  private JobError error(String type, String message, boolean effectsUncertain) {
    String kept;
    boolean truncated;
    try {
      String clear = redactor == null ? message : redactor.apply(message);
      kept = prefix(clear, maxMessageChars);
      truncated = kept.length() < clear.length();
    } catch (Throwable t) {
      // A redactor that fails must not let the secret through.
      kept = "";
      truncated = !message.isEmpty();
    }
    JobError error = new JobError(type, kept, truncated, effectsUncertain);
    JobError previous = last;
    if (previous != null && previous.equals(error)) {
      return previous;
    }
    last = error;
    return error;
  }

  private static String typeOf(Throwable thrown) {
    return thrown.getClass().getName();
  }

  private static String messageOf(Throwable thrown) {
    try {
      String message = thrown.getMessage();
      return message == null ? "" : message;
    } catch (Throwable t) {
      return "(getMessage threw " + prefix(typeOf(t), MAX_ERROR_TYPE_CHARS) + ")";
    }
  }

  /**
   * Returns the first {@code codePoints} of {@code text}, as a string that shares nothing with it.
   */
  static String prefix(String text, int codePoints) {
    if (text.length() <= codePoints) {
      return text;
    }
    if (codePoints == 0) {
      return "";
    }
    int end = 0;
    int length = text.length();
    for (int kept = 0; kept < codePoints && end < length; kept++) {
      boolean pair =
          Character.isHighSurrogate(text.charAt(end))
              && end + 1 < length
              && Character.isLowSurrogate(text.charAt(end + 1));
      end += pair ? 2 : 1;
    }
    return end == length ? text : text.substring(0, end);
  }

  /** Whether {@code thrown} says, itself or by a cause, that the handler was interrupted. */
  static boolean isInterruption(Throwable thrown) {
    Throwable current = thrown;
    for (int depth = 0; current != null && depth < MAX_CAUSES; depth++) {
      if (current instanceof InterruptedException
          || current instanceof CancellationException
          || current instanceof ClosedByInterruptException) {
        return true;
      }
      try {
        current = current.getCause();
      } catch (Throwable t) {
        return false;
      }
    }
    return false;
  }
}
