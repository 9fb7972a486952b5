package io.headgate.cli;

import java.time.Duration;

/** Reads durations such as {@code 500ms}, {@code 30s}, {@code 1.5m} and {@code 2h}. */
public final class DurationOption {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private DurationOption() {}

  /**
   * Reads a duration. One too long to count in nanoseconds is as good as for ever, and is cut to
   * the longest that can be; parts of a nanosecond round up.
   *
   * @param option the option's name, for the message
   * @throws UsageException if it is none, or is negative
   */
  public static Duration parse(String option, String text) throws UsageException {
    int digits = 0;
    while (digits < text.length() && isDigitOrPoint(text.charAt(digits))) {
      digits++;
    }
    String number = text.substring(0, digits);
    if (text.startsWith("-")) {
      throw wrong(option, text, "a duration is never negative");
    }
    if (number.isEmpty() || number.equals(".") || number.indexOf('.') != number.lastIndexOf('.')) {
      throw wrong(option, text, "not a duration");
    }
    String unit = text.substring(digits);
    long nanosPerUnit =
        switch (unit) {
          case "ms" -> NANOS_PER_MILLI;
          case "s" -> NANOS_PER_SECOND;
          case "m" -> 60 * NANOS_PER_SECOND;
          case "h" -> 3600 * NANOS_PER_SECOND;
          default -> 0;
        };
    if (nanosPerUnit == 0 && unit.isEmpty() && isZero(number)) {
      return Duration.ZERO;
    }
    if (nanosPerUnit == 0) {
      throw wrong(option, text, unit.isEmpty() ? "the unit is missing" : "unknown unit");
    }
    return Duration.ofNanos(nanos(number, nanosPerUnit));
  }

  private static boolean isDigitOrPoint(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }

  private static boolean isZero(String number) {
    for (int i = 0; i < number.length(); i++) {
      if (number.charAt(i) != '0' && number.charAt(i) != '.') {
        return false;
      }
    }
    return true;
  }

  private static long nanos(String number, long nanosPerUnit) {
    int point = number.indexOf('.');
    String whole = point < 0 ? number : number.substring(0, point);
    long nanos = 0;
    for (int i = 0; i < whole.length(); i++) {
      int digit = whole.charAt(i) - '0';
      if (nanos > (Long.MAX_VALUE - digit * nanosPerUnit) / 10) {
        return Long.MAX_VALUE;
      }
      nanos = nanos * 10 + digit * nanosPerUnit;
    }
    long place = nanosPerUnit;
    boolean rest = false;
    long fraction = 0;
    for (int i = point + 1; point >= 0 && i < number.length(); i++) {
      int digit = number.charAt(i) - '0';
      // place is exact while it divides by ten; hours and minutes do so for nine digits and more.
      rest |= digit > 0 && place % 10 != 0;
      place /= 10;
      fraction += digit * place;
    }
    fraction += rest ? 1 : 0;
    return nanos > Long.MAX_VALUE - fraction ? Long.MAX_VALUE : nanos + fraction;
  }

  private static UsageException wrong(String option, String text, String rule) {
    return new UsageException(
        option
            + " "
            + text
            + ": "
            + rule
            + "; give a number and a unit, like 500ms, 30s, 5m or 2h");
  }
}
