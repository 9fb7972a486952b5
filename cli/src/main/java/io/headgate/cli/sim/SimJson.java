package io.headgate.cli.sim;

import io.headgate.simulator.Figures;
import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/** What the command prints for programs: one line of JSON; times in milliseconds. */
final class SimJson {
  private SimJson() {}

  static String of(Plan plan, List<SimCommand.Run> runs, Advice advice) {
    StringJoiner all = new StringJoiner(",", "{", "}\n");
    StringJoiner each = new StringJoiner(",", "[", "]");
    runs.forEach(run -> each.add(run(run, plan)));
    all.add("\"runs\":" + each);
    StringJoiner set = new StringJoiner(",", "{", "}");
    set.add("\"concurrency\":" + advice.concurrency());
    set.add("\"capacity\":" + advice.capacity());
    boolean sheds = advice.suggested().server().whenFull() == Setup.WhenFull.SHED_LEAST_CRITICAL;
    set.add("\"whenFull\":" + (sheds ? "\"shed\"" : "\"refuse\""));
    set.add("\"queueDelayMillis\":" + millis(advice.queueDelay()));
    advice.retryPercent().ifPresent(percent -> set.add("\"retryBudgetPercent\":" + percent));
    set.add("\"longestWaitMillis\":" + millis(advice.longestWait()));
    set.add("\"acceptableWaitMillis\":" + millis(advice.acceptableWait()));
    all.add("\"toSet\":" + set);
    StringJoiner warnings = new StringJoiner(",", "[", "]");
    advice.warnings().forEach(warning -> warnings.add(quoted(warning)));
    all.add("\"warnings\":" + warnings);
    return all.toString();
  }

  private static String run(SimCommand.Run run, Plan plan) {
    Figures figures = run.figures();
    StringJoiner json = new StringJoiner(",", "{", "}");
    double rate = run.row().setup().perSecond();
    json.add("\"setting\":" + (run.suggested() ? "\"to set\"" : "\"as it is\""));
    json.add("\"load\":" + number(rate / plan.base().capacityPerSecond()));
    json.add("\"busy\":" + number(rate * Advice.seconds(run.row().setup().service().mean())));
    json.add("\"offeredPerSecond\":" + number(figures.offered()));
    json.add("\"goodputPerSecond\":" + number(figures.goodput()));
    json.add("\"waitP50Millis\":" + millis(figures.waitP50()));
    json.add("\"waitP99Millis\":" + millis(figures.waitP99()));
    json.add("\"refused\":" + number(figures.refused()));
    json.add("\"shed\":" + number(figures.shed()));
    json.add("\"amplification\":" + number(figures.amplification()));
    if (run.row().setup().slowDown().isPresent()) {
      json.add("\"recoveryMillis\":" + millis(figures.recovery()));
    }
    StringJoiner answered = new StringJoiner(",", "{", "}");
    figures
        .answered()
        .forEach(
            (criticality, share) -> answered.add(quoted(criticality.name()) + ":" + number(share)));
    json.add("\"answeredInTime\":" + answered);
    return json.toString();
  }

  private static String millis(Optional<Duration> time) {
    return time.map(SimJson::millis).orElse("null");
  }

  private static String millis(Duration time) {
    return number(time.toNanos() / 1e6);
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.4f", value);
    return text.replaceAll("\\.?0+$", "");
  }

  /** Of texts that this program made: they hold no control characters. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
