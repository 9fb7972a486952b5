package io.headgate.cli.sim;

import java.time.Duration;
import java.util.Locale;

/** Writes figures for people: three digits that count, and a unit. */
final class Amounts {
  private Amounts() {}

  /** A duration: {@code 12.5 ms}, {@code 3 s}. */
  static String time(Duration duration) {
    double nanos = duration.toNanos();
    if (nanos == 0) {
      return "0";
    }
    if (nanos < 999_500) {
      return number(nanos / 1e3) + " µs";
    }
    if (nanos < 999_500_000) {
      return number(nanos / 1e6) + " ms";
    }
    return number(nanos / 1e9) + " s";
  }

  /** Calls a second: {@code 700/s}. */
  static String rate(double perSecond) {
    return number(perSecond) + "/s";
  }

  /** A multiple of what can be served: {@code 1.5 x}. */
  static String load(double load) {
    return number(load) + " x";
  }

  /** A part of one: {@code 12.5 %}. */
  static String percent(double share) {
    return number(100 * share) + " %";
  }

  /** Three digits that count, more only before the point, and no zeros at the end behind it. */
  static String number(double value) {
    if (value == 0) {
      return "0";
    }
    int whole = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
    int behind = Math.clamp(3 - whole, 0, 9);
    String text = String.format(Locale.ROOT, "%." + behind + "f", value);
    if (behind == 0) {
      return text;
    }
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
  }
}
