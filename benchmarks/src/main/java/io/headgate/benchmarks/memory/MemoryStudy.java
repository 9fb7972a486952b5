package io.headgate.benchmarks.memory;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.Rotation;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker and its report keep after a thousand failures, by the width of the messages, the
 * cap and the history: every trial in a process of its own, in Java and in Python.
 */
public final class MemoryStudy implements Study {

  private static final int REPETITIONS = 3;
  private static final Case NOISE = new Case(4_096, 128, 100);

  private final Samples samples = new Samples();
  private final List<String> csv = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final Map<Side, String> runtimes = new EnumMap<>(Side.class);

  /** A study of its own for each run, for it keeps the trials. */
  public static Study study() {
    return setting -> new MemoryStudy().run(setting);
  }

  private MemoryStudy() {}

  @Override
  public Findings run(Setting setting) throws IOException {
    boolean python = !Trial.output(setting.root(), "python3", "--version").isEmpty();
    List<Side> sides = python ? List.of(Side.values()) : List.of(Side.JAVA);
    int repetitions = setting.dose(1, REPETITIONS);
    csv.add(
        "runtime,width,cap,history,repetition,figure,bytes,processed,failed,kept,kept_chars,kept_truncated,checksum");
    String noise = noise(setting);
    for (Side side : sides) {
      for (int repetition = 0; repetition < repetitions; repetition++) {
        for (int width : Case.WIDTHS) {
          for (int cap : Rotation.of(Case.CAPS, repetition)) {
            for (int history : Rotation.of(Case.HISTORIES, repetition)) {
              trial(setting, side, new Case(width, cap, history), repetition);
            }
          }
        }
        setting.progress().accept(side + ", repetition " + (repetition + 1) + " of " + repetitions);
      }
    }
    write(setting, sides);
    MemoryPage page = new MemoryPage(samples, sides, List.copyOf(runtimes.values()), repetitions);
    return new Findings("Memory", page.text(noise), rows(sides), faults);
  }

  /** The pair of equals that the run begins with. */
  private String noise(Setting setting) throws IOException {
    Answers one = Side.JAVA.trial(setting, NOISE);
    Answers other = Side.JAVA.trial(setting, NOISE);
    List<String> differences = new ArrayList<>();
    for (String figure : Side.JAVA.figures()) {
      differences.add(figure + " " + Math.abs(one.whole(figure) - other.whole(figure)));
    }
    return String.join(", ", differences);
  }

  private void trial(Setting setting, Side side, Case wanted, int repetition) throws IOException {
    Answers answers = side.trial(setting, wanted);
    faults.addAll(wanted.faults(answers));
    String runtime = answers.text("runtime");
    runtimes.put(side, runtime);
    for (String figure : side.figures()) {
      samples.add(side + " " + wanted.name(), figure, answers.number(figure));
      csv.add(
          String.join(
              ",",
              runtime,
              Integer.toString(wanted.width()),
              Case.limit(wanted.cap()),
              Case.limit(wanted.history()),
              Integer.toString(repetition + 1),
              figure,
              answers.text(figure),
              answers.text("processed"),
              answers.text("failed"),
              answers.text("kept"),
              answers.text("keptChars"),
              answers.text("keptTruncated"),
              answers.text("checksum")));
    }
  }

  private List<Row> rows(List<Side> sides) {
    List<Row> rows = new ArrayList<>();
    for (Side side : sides) {
      for (Case wanted : cases()) {
        Row row =
            Row.of(
                side == Side.JAVA ? "Headgate" : "asyncio worker",
                runtimes.get(side),
                "1 worker, capacity 16, 1,000 failing jobs, 1 producer that waits");
        row.with("width", wanted.width());
        row.with("cap", Case.limit(wanted.cap()));
        row.with("history", Case.limit(wanted.history()));
        for (String figure : side.figures()) {
          row.with(figure, samples.spread(side + " " + wanted.name(), figure));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (int history : Case.HISTORIES) {
      for (int width : Case.WIDTHS) {
        for (int cap : Case.CAPS) {
          cases.add(new Case(width, cap, history));
        }
      }
    }
    return cases;
  }

  private void write(Setting setting, List<Side> sides) throws IOException {
    String plot = new MemoryPlot(samples, sides).svg();
    List<Path> folders = new ArrayList<>(List.of(setting.root().resolve(Setting.RESULTS)));
    if (setting.docs()) {
      folders.add(setting.root().resolve(Setting.SHOWN));
    }
    for (Path folder : folders) {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("memory.csv"), String.join("\n", csv) + "\n");
      Files.writeString(folder.resolve("memory.svg"), plot);
    }
  }
}
