package io.headgate.benchmarks.regimes;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.NoiseFloor;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Spread;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Where more workers help, where they lose, and where they only move the queue elsewhere. */
public final class RegimesStudy implements Study {

  private static final List<String> JVM =
      List.of("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC", "-XX:-UsePerfData");
  private static final List<Integer> WORKERS = List.of(1, 2, 4, 8, 16, 32, 64, 128, 256);
  private static final List<Integer> FEW = List.of(1, 2, 8, 64, 256);
  private static final int PAIRED = 2;
  private static final String AGAIN = "again";
  private static final List<String> THREADS = List.of("platform", "virtual");
  private static final double MILLI = 1e6;

  @Override
  public Findings run(Setting setting) throws IOException {
    List<Integer> numbers = setting.dose(FEW, WORKERS);
    int rounds = setting.dose(2, 5);
    Samples samples = new Samples();
    for (int round = 0; round < rounds; round++) {
      for (Regime regime : Regime.values()) {
        for (String threads : THREADS) {
          trial(setting, samples, regime, threads, order(numbers, round));
        }
      }
      setting.progress().accept("round " + (round + 1) + " of " + rounds);
    }
    List<Row> rows = new ArrayList<>();
    StringBuilder text =
        new StringBuilder(
            """
            One producer; Q = the larger of 64 and W; %d rounds in fresh JVMs (%s), upwards and downwards in turn. \
            **jobs/s** and **in handler** (median) with a backlog that is never empty; **p99** from the moment a \
            job was due to its end, in an open loop with exponential gaps at 0.7 of that row's own rate. Medians \
            (ranges). The mark compares a row with the one above it: more is done (helps), less (loses), or as \
            much, while each job takes longer inside (moves the queue: to the CPU, the lock or the downstream). \
            What is nearer than the noise of its table, W = %d beside itself, is none.
            """
                .formatted(rounds, String.join(" ", JVM), PAIRED));
    for (Regime regime : Regime.values()) {
      for (String threads : THREADS) {
        text.append(table(samples, regime, threads, numbers, rows));
      }
    }
    return new Findings("Regimes", text.toString(), rows);
  }

  /** The pair of equals first, then all; every other round from the other end. */
  private static List<String> order(List<Integer> numbers, int round) {
    List<String> order = new ArrayList<>();
    numbers.forEach(number -> order.add(number.toString()));
    if (round % 2 == 1) {
      Collections.reverse(order);
    }
    order.addFirst(AGAIN);
    return order;
  }

  private static void trial(
      Setting setting, Samples samples, Regime regime, String threads, List<String> order)
      throws IOException {
    List<Object> arguments =
        new ArrayList<>(List.of(regime.name(), threads, setting.dose(250, 800)));
    order.forEach(name -> arguments.add(name.equals(AGAIN) ? PAIRED : name));
    Answers answers = setting.trial().java(RegimeTrial.class, JVM, arguments.toArray());
    for (int i = 0; i < order.size(); i++) {
      for (String figure : List.of("rate", "inside", "p99")) {
        samples.add(key(regime, threads, order.get(i)), figure, answers.number(figure + "." + i));
      }
    }
  }

  private static String key(Regime regime, String threads, String workers) {
    return regime + " " + threads + " " + workers;
  }

  private static String table(
      Samples samples, Regime regime, String threads, List<Integer> numbers, List<Row> rows) {
    NoiseFloor noise =
        NoiseFloor.of(
            samples.ratio(
                key(regime, threads, AGAIN),
                key(regime, threads, Integer.toString(PAIRED)),
                "rate"));
    Table table = Table.of("W", "jobs/s", "in handler, ms", "p99, ms", "more workers");
    String previous = null;
    for (int number : numbers) {
      String key = key(regime, threads, Integer.toString(number));
      String mark = "";
      if (previous != null) {
        Spread rate = samples.ratio(key, previous, "rate");
        Spread inside = samples.ratio(key, previous, "inside");
        mark = Mark.of(rate.median(), inside.median(), noise).words();
      }
      table.row(
          number,
          samples.spread(key, "rate").text(0, 1),
          samples.spread(key, "inside").text(2, MILLI),
          samples.spread(key, "p99").text(1, MILLI),
          mark);
      rows.add(
          Row.of("Headgate, " + threads + " threads", "this tree", "handler " + regime.title())
              .with("workers", number)
              .with("jobsPerSecond", samples.spread(key, "rate"))
              .with("insideNanos", samples.spread(key, "inside"))
              .with("p99Nanos", samples.spread(key, "p99"))
              .with("mark", mark)
              .with("noiseFloor", noise.share()));
      previous = key;
    }
    return "\n### The handler %s, %s threads\n\n%s; noise %s.\n\n%s"
        .formatted(regime.title(), threads, regime.settings(), noise.text(), table.text());
  }
}
