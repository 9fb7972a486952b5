package io.headgate.benchmarks.program;

import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs programs that print their own tables, each in a fresh pinned JVM. */
public record ProgramStudy(String title, List<Program> programs) implements Study {

  /** Copies the list. */
  public ProgramStudy {
    programs = List.copyOf(programs);
  }

  @Override
  public Findings run(Setting setting) throws IOException {
    Path folder = setting.root().resolve(Setting.RESULTS);
    Files.createDirectories(folder);
    StringBuilder text = new StringBuilder();
    List<Row> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Program program : programs) {
      Trial.Ended ended = run(setting, program, folder);
      String name = program.main().substring(program.main().lastIndexOf('.') + 1);
      if (ended.status() != 0) {
        failures.add("%s: exit %d: %s".formatted(name, ended.status(), ended.errors().strip()));
      }
      text.append(
          "%s%n%n```text%n%s%n```%n%n".formatted(program.what(), ended.output().stripTrailing()));
      rows.add(
          Row.of(name, "this tree", String.join(" ", program.flags()))
              .with("status", ended.status())
              .with("lines", ended.output().lines().toList()));
      setting.progress().accept(name + " has ended");
    }
    return new Findings(title, text.toString(), rows, failures);
  }

  private static Trial.Ended run(Setting setting, Program program, Path folder) throws IOException {
    Path scratch = Files.createTempDirectory(folder, "scratch");
    try {
      Program.Dose dose = new Program.Dose(setting.quick(), folder.toString(), scratch.toString());
      return setting
          .trial()
          .program(program.main(), program.flags(), program.arguments().apply(dose));
    } finally {
      try (Stream<Path> files = Files.walk(scratch)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
