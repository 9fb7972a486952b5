package io.headgate.benchmarks.core;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Rotation;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The part of the study that asks how long a submit and a hand-off take. */
final class Latency {

  private static final String AGAIN = "again";
  private static final List<String> FIGURES =
      List.of(
          "admission.50.0",
          "admission.99.0",
          "admission.99.9",
          "handOff.50.0",
          "handOff.99.0",
          "handOff.99.9");

  /** Measures, adds its rows and returns its text. */
  String run(Setting setting, List<Row> rows) throws IOException {
    int rounds = setting.dose(3, 5);
    Samples samples = new Samples();
    for (int round = 0; round < rounds; round++) {
      List<String> subjects = new ArrayList<>(List.of(EngineKind.HEADGATE.name(), AGAIN));
      Arrays.stream(EngineKind.values())
          .filter(kind -> kind != EngineKind.HEADGATE)
          .forEach(kind -> subjects.add(kind.name()));
      for (String subject : Rotation.of(subjects, round)) {
        String engine = subject.equals(AGAIN) ? EngineKind.HEADGATE.name() : subject;
        Answers answers =
            setting
                .trial()
                .java(
                    LatencyTrial.class,
                    CoreStudy.JVM,
                    engine,
                    setting.dose(800, 3_000),
                    setting.dose(500, 4_000));
        FIGURES.forEach(figure -> samples.add(subject, figure, answers.number(figure)));
      }
      setting.progress().accept("latency, round " + (round + 1) + " of " + rounds);
    }
    Table table = Table.of("µs", "admission p50", "p99", "p99.9", "hand-off p50", "p99", "p99.9");
    for (EngineKind kind : EngineKind.values()) {
      line(samples, table, kind.name(), kind.title());
      Row row =
          Row.of(kind.title(), kind.version(), kind.settings())
              .with("shape", "open loop, 1 producer, 1 worker, 25,000/s, 20 µs each");
      FIGURES.forEach(figure -> row.with(figure + ".nanos", samples.spread(kind.name(), figure)));
      rows.add(row);
      if (kind == EngineKind.HEADGATE) {
        line(samples, table, AGAIN, "the same again: the noise");
      }
    }
    return """
    ### Latency of admission and of hand-off

    Open loop at half load: one worker, jobs that compute for 20 µs, 25,000 a second with exponential gaps \
    drawn before (one seed for all), and no wait for an engine that is behind. Both are timed from the moment \
    the job was due: admission to the return of the submit, hand-off to the first line of the handler. Half of \
    the jobs find the worker busy, so a hand-off above its median is mostly the job before. %d fresh JVMs each; \
    percentiles are exact, over all jobs after a pass to warm up. Read a difference only where the two first rows do not \
    differ as much.

    """
            .formatted(rounds)
        + table.text();
  }

  private static void line(Samples samples, Table table, String subject, String title) {
    List<Object> cells = new ArrayList<>(List.of(title));
    FIGURES.forEach(figure -> cells.add(samples.spread(subject, figure).text(1, 1e3)));
    table.row(cells.toArray());
  }
}
