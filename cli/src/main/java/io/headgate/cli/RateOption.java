package io.headgate.cli;

import java.time.Duration;

/** Reads what bounds the starts of commands: rates such as {@code 10/s}, and times between two. */
final class RateOption {
  /** Above this the starts of a rate are not worth a limit, and could not be counted. */
  private static final int MAX_STARTS = 1_000_000;

  private static final Duration MAX_DELAY = Duration.ofDays(3650);
  private static final int SHARE_AT_ONCE = 10;

  private RateOption() {}

  /**
   * Reads a rate. What a late start has lost is made up within a tenth of a second, not more.
   *
   * @throws UsageException if it is none
   */
  static RunOptions.StartRate parseRate(String option, String text) throws UsageException {
    int slash = text.indexOf('/');
    int seconds =
        switch (text.substring(slash + 1)) {
          case "s" -> 1;
          case "m" -> 60;
          case "h" -> 3600;
          default -> 0;
        };
    if (slash > 0 && seconds > 0) {
      try {
        int starts = Integer.parseInt(text.substring(0, slash));
        if (Character.isDigit(text.charAt(0)) && starts >= 1 && starts <= MAX_STARTS) {
          int burst = Math.max(1, starts / (seconds * SHARE_AT_ONCE));
          return new RunOptions.StartRate(starts, Duration.ofSeconds(seconds), burst);
        }
      } catch (NumberFormatException e) {
        // Told below.
      }
    }
    throw new UsageException(
        option
            + " "
            + text
            + ": must be a whole number from 1 to "
            + MAX_STARTS
            + " and a time, such as 10/s, 100/m or 5/h");
  }

  /**
   * Reads the least time between two starts.
   *
   * @throws UsageException if it is none
   */
  static RunOptions.StartRate parseDelay(String option, String text) throws UsageException {
    Duration delay = DurationOption.parse(option, text);
    if (delay.isZero() || delay.compareTo(MAX_DELAY) > 0) {
      throw new UsageException(
          option
              + " "
              + text
              + ": must be above zero and at most "
              + MAX_DELAY.toHours()
              + "h; leave it out for no delay");
    }
    return new RunOptions.StartRate(1, delay, 1);
  }
}
