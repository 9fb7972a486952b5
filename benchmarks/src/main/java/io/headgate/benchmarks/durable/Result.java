package io.headgate.benchmarks.durable;

import java.util.Locale;

/**
 * One figure and its target.
 *
 * @param rule what the target is, in words
 */
record Result(String what, double value, String unit, String rule, boolean holds) {

  static Result atMost(String what, double value, String unit, double target) {
    return new Result(what, value, unit, "at most %.4g".formatted(target), value <= target);
  }

  static Result atLeast(String what, double value, String unit, double target) {
    return new Result(what, value, unit, "at least %.4g".formatted(target), value >= target);
  }

  static Result plain(String what, double value, String unit) {
    return new Result(what, value, unit, "", true);
  }

  String line() {
    return String.format(
        Locale.ROOT, "%-58s %12.1f %-7s %-16s %s", what, value, unit, rule, holds ? "" : "MISSED");
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"what\": \"%s\", \"value\": %.3f, \"unit\": \"%s\", \"target\": \"%s\", \"holds\": %b}",
        what,
        value,
        unit,
        rule,
        holds);
  }
}
