package io.headgate.benchmarks.goodput;

import io.headgate.Criticality;
import io.headgate.simulator.Figures;
import io.headgate.simulator.Setup;
import io.headgate.simulator.Trial;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * One setup, simulated and run.
 *
 * @param scenario what is done
 * @param setting to what
 * @param adds whether the ledger of the real run adds up
 */
record Pair(String scenario, String setting, Figures simulated, Figures real, boolean adds) {

  static Pair run(String scenario, String setting, Setup setup) throws InterruptedException {
    RealTrial.Ended ended = RealTrial.run(setup);
    return new Pair(scenario, setting, Trial.run(setup), ended.figures(), ended.adds());
  }

  static String heading() {
    return String.format(
        Locale.ROOT,
        "%-24s %-20s %-9s %9s %9s %9s %9s %9s %8s %9s",
        "scenario",
        "setting",
        "",
        "offered/s",
        "goodput/s",
        "wait p50",
        "wait p99",
        "recovery",
        "amplif.",
        "critical");
  }

  String rows() {
    return row(scenario, setting, "simulated", simulated) + "\n" + row("", "", "real", real);
  }

  private static String row(String scenario, String setting, String kind, Figures figures) {
    return String.format(
        Locale.ROOT,
        "%-24s %-20s %-9s %9.0f %9.0f %9s %9s %9s %8.2f %8.1f%%",
        scenario,
        setting,
        kind,
        figures.offered(),
        figures.goodput(),
        millis(figures.waitP50()),
        millis(figures.waitP99()),
        millis(figures.recovery()),
        figures.amplification(),
        100 * figures.answered().getOrDefault(Criticality.CRITICAL, 0.0));
  }

  private static String millis(Optional<Duration> time) {
    return time.map(t -> String.format(Locale.ROOT, "%.1f ms", t.toNanos() / 1e6)).orElse("-");
  }

  /** A line of JSON. */
  String json() {
    StringJoiner json = new StringJoiner(",", "{", "}");
    json.add("\"scenario\":\"" + scenario + "\"");
    json.add("\"setting\":\"" + setting + "\"");
    json.add("\"simulated\":" + json(simulated));
    json.add("\"real\":" + json(real));
    json.add("\"realLedgerAddsUp\":" + adds);
    return json.toString();
  }

  private static String json(Figures figures) {
    StringJoiner json = new StringJoiner(",", "{", "}");
    json.add("\"offeredPerSecond\":" + number(figures.offered()));
    json.add("\"goodputPerSecond\":" + number(figures.goodput()));
    json.add("\"waitP50Millis\":" + number(figures.waitP50()));
    json.add("\"waitP99Millis\":" + number(figures.waitP99()));
    json.add("\"refused\":" + number(figures.refused()));
    json.add("\"shed\":" + number(figures.shed()));
    json.add("\"amplification\":" + number(figures.amplification()));
    json.add("\"recoveryMillis\":" + number(figures.recovery()));
    json.add(
        "\"criticalShare\":" + number(figures.answered().getOrDefault(Criticality.CRITICAL, 0.0)));
    return json.toString();
  }

  private static String number(Optional<Duration> time) {
    return time.map(t -> number(t.toNanos() / 1e6)).orElse("null");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
