package io.headgate.benchmarks.core;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.NoiseFloor;
import io.headgate.benchmarks.measure.Rotation;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Spread;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Jobs per second, garbage, and the latency of admission and hand-off, beside the peers. */
public final class CoreStudy implements Study {

  /** Flags of every JVM that runs an engine. */
  public static final List<String> JVM =
      List.of("-Xms2g", "-Xmx2g", "-XX:+UseParallelGC", "-XX:-UsePerfData");

  private static final String AGAIN = "again";
  private static final List<String> SHAPES = List.of("1x1", "1x2", "1x64", "4x1", "4x2", "4x64");
  private static final int ROUNDS = 5;

  @Override
  public Findings run(Setting setting) throws IOException {
    Samples samples = measure(setting);
    Spread others = samples.spread("all", "others");
    List<Row> rows = new ArrayList<>();
    String text =
        """
        Admit, run and settle a job that does nothing; Q = 1,024; two million ids; `1x2` is one producer \
        and two workers. Closed loop: a submit that blocks while there is no room. Every engine runs in \
        %d fresh JVMs (%s), in rotated order, and checks at its end that it ran each job it was given. \
        Cells are medians (ranges). Meanwhile others used %.0f %% (%.0f–%.0f %%) of the CPUs.

        """
                .formatted(
                    ROUNDS,
                    String.join(" ", JVM),
                    100 * others.median(),
                    100 * others.min(),
                    100 * others.max())
            + rates(samples, rows)
            + "\n"
            + settings()
            + "\n### Beside the peers\n\n"
            + ratios(samples)
            + "\n### Targets at two workers\n\n"
            + targets(samples)
            + "\n"
            + new Latency().run(setting, rows);
    return new Findings("Jobs per second, and latency", text, rows);
  }

  private static Samples measure(Setting setting) throws IOException {
    Samples samples = new Samples();
    for (int round = 0; round < ROUNDS; round++) {
      // The pair of equals comes first, so that the noise is known before anything else.
      List<String> subjects = new ArrayList<>(List.of(EngineKind.HEADGATE.name(), AGAIN));
      Arrays.stream(EngineKind.values())
          .filter(kind -> kind != EngineKind.HEADGATE)
          .forEach(kind -> subjects.add(kind.name()));
      for (String subject : Rotation.of(subjects, round)) {
        String engine = subject.equals(AGAIN) ? EngineKind.HEADGATE.name() : subject;
        List<Object> arguments =
            new ArrayList<>(
                List.of(
                    engine,
                    setting.dose(1_500, 3_000),
                    setting.dose(200, 500),
                    setting.dose(200, 1_000)));
        arguments.addAll(Rotation.of(SHAPES, round));
        Answers answers = setting.trial().java(ThroughputTrial.class, JVM, arguments.toArray());
        for (String shape : SHAPES) {
          if (answers.values().containsKey("rate." + shape)) {
            samples.add(subject, shape, answers.number("rate." + shape));
            samples.add(subject, "bytes." + shape, answers.number("bytes." + shape));
            samples.add("all", "others", answers.number("others." + shape));
            samples.add(subject, "job", answers.number("job"));
          }
        }
      }
      setting.progress().accept("round " + (round + 1) + " of " + ROUNDS);
    }
    return samples;
  }

  private static NoiseFloor noise(Samples samples, String shape) {
    return NoiseFloor.of(samples.ratio(AGAIN, EngineKind.HEADGATE.name(), shape));
  }

  private static String rates(Samples samples, List<Row> rows) {
    Table table =
        Table.of(
            "million jobs/s",
            "1x1",
            "1x2",
            "1x64",
            "4x1",
            "4x2",
            "4x64",
            "bytes a job, 1x2",
            "4x2");
    for (EngineKind kind : EngineKind.values()) {
      List<Object> cells = new ArrayList<>(List.of(kind.title()));
      for (String shape : SHAPES) {
        if (!samples.has(kind.name(), shape)) {
          cells.add("not built so");
          continue;
        }
        Spread rate = samples.spread(kind.name(), shape);
        cells.add(rate.text(2, 1e6));
        Row row =
            Row.of(kind.title(), kind.version(), kind.settings())
                .with("shape", shape)
                .with("jobsPerSecond", rate)
                .with("bytesPerJob", samples.spread(kind.name(), "bytes." + shape))
                .with("noiseFloor", noise(samples, shape).share());
        if (!kind.isOurs()) {
          row.with("headgateBeside", samples.ratio(kind.beside().name(), kind.name(), shape));
        }
        rows.add(row);
      }
      cells.add(bytes(samples, kind, "1x2"));
      cells.add(bytes(samples, kind, "4x2"));
      table.row(cells.toArray());
    }
    return table.text();
  }

  private static String bytes(Samples samples, EngineKind kind, String shape) {
    double all = samples.spread(kind.name(), "bytes." + shape).median();
    if (!kind.isOurs()) {
      return String.format(Locale.ROOT, "%.0f", all);
    }
    double job = samples.spread(kind.name(), "job").median();
    return String.format(Locale.ROOT, "%.0f, of which %.0f the caller's Job", all, job);
  }

  private static String settings() {
    Table table = Table.of("engine", "version", "settings");
    for (EngineKind kind : EngineKind.values()) {
      table.row(kind.title(), kind.version(), kind.settings());
    }
    return table.text();
  }

  private static String ratios(Samples samples) {
    List<String> head = new ArrayList<>(List.of("Headgate beside"));
    head.addAll(SHAPES);
    Table table = Table.of(head.toArray(String[]::new));
    List<Object> floors = new ArrayList<>(List.of("noise: itself beside itself"));
    SHAPES.forEach(shape -> floors.add(noise(samples, shape).text()));
    table.row(floors.toArray());
    for (EngineKind kind : EngineKind.values()) {
      if (kind.isOurs()) {
        continue;
      }
      List<Object> cells = new ArrayList<>(List.of(kind.title()));
      for (String shape : SHAPES) {
        if (samples.has(kind.name(), shape)) {
          Spread ratio = samples.ratio(kind.beside().name(), kind.name(), shape);
          cells.add(ratio.text(2, 1) + " " + noise(samples, shape).judge(ratio.median()).words());
        } else {
          cells.add("");
        }
      }
      table.row(cells.toArray());
    }
    return "Ratios of jobs per second, taken round by round; above 1 Headgate does more. Virtual threads are"
        + " held against virtual threads. A median within the noise of its column is called none.\n\n"
        + table.text();
  }

  private static String targets(Samples samples) {
    Table table = Table.of("peer", "producers", "ratio", "target", "");
    for (Target target : Target.ALL) {
      Spread ratio =
          samples.ratio(target.peer().beside().name(), target.peer().name(), target.shape());
      table.row(
          target.peer().title(),
          target.producers(),
          ratio.text(2, 1),
          "≥ " + target.atLeast(),
          ratio.median() >= target.atLeast() ? "reached" : "**missed**");
    }
    return table.text();
  }
}
