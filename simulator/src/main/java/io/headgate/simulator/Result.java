package io.headgate.simulator;

import java.util.Locale;

/**
 * What one run came to.
 *
 * @param scenario what was done
 * @param setting to what kind of server, with which clients
 * @param offered calls a second that clients made
 * @param goodput answers a second that came in time
 * @param waitP50Nanos how long half of the started calls had waited at most
 * @param waitP99Nanos and all but one in a hundred
 * @param recoveryNanos after a trigger, until goodput was back; the highest value is never, zero
 *     where there was no trigger
 * @param amplification calls at the last server for each call of a client
 * @param criticalShare the part of CRITICAL calls that were answered in time
 */
record Result(
    String scenario,
    String setting,
    double offered,
    double goodput,
    long waitP50Nanos,
    long waitP99Nanos,
    long recoveryNanos,
    double amplification,
    double criticalShare) {

  static String heading() {
    return "%-34s %-22s %9s %9s %9s %9s %9s %7s %9s"
        .formatted(
            "scenario",
            "setting",
            "offered/s",
            "goodput/s",
            "wait p50",
            "wait p99",
            "recovery",
            "amplif.",
            "critical");
  }

  String row() {
    return String.format(
        Locale.ROOT,
        "%-34s %-22s %9.0f %9.0f %9s %9s %9s %7.2f %8.1f%%",
        scenario,
        setting,
        offered,
        goodput,
        millis(waitP50Nanos),
        millis(waitP99Nanos),
        recoveryNanos == Long.MAX_VALUE ? "never" : millis(recoveryNanos),
        amplification,
        100 * criticalShare);
  }

  private static String millis(long nanos) {
    return nanos == Long.MAX_VALUE
        ? "-"
        : String.format(Locale.ROOT, "%.1f ms", nanos / 1_000_000.0);
  }
}
