package io.headgate.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Sends errors that the library logs to standard error, one line each, and drops the rest.
 *
 * <p>What the library warns of, such as jobs that a stop abandoned, this command says in its own
 * words and in the report; twice would be once too often. It also spares the loading of the JDK's
 * logging.
 */
public final class ErrorLoggerFinder extends System.LoggerFinder {
  /** For the service loader. */
  public ErrorLoggerFinder() {}

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new ErrorLogger(name);
  }

  private record ErrorLogger(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.ERROR) >= 0 && level != Level.OFF;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        System.err.println("headgate: " + message + (thrown == null ? "" : ": " + thrown));
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... parameters) {
      if (isLoggable(level)) {
        String text =
            format == null || parameters == null || parameters.length == 0
                ? String.valueOf(format)
                : MessageFormat.format(format, parameters);
        System.err.println("headgate: " + text);
      }
    }
  }
}
