package io.headgate.benchmarks.durable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that has accepted jobs is killed; how long until the next one runs the first. */
final class RestartAfterKill {

  private static final int JOBS = 10_000;

  private final Path file;

  RestartAfterKill(Path folder) {
    this.file = folder.resolve("killed.db");
  }

  List<Result> run() throws IOException, InterruptedException {
    Process first = probe(Integer.toString(JOBS));
    try (BufferedReader lines = reader(first)) {
      expect("accepted", lines.readLine());
      first.toHandle().destroyForcibly();
      first.waitFor();
    }
    long began = System.nanoTime();
    Process second = probe();
    try (BufferedReader lines = reader(second)) {
      expect("claimed", lines.readLine());
      double millis = (System.nanoTime() - began) / 1e6;
      long completed = Long.parseLong(lines.readLine());
      return List.of(
          Result.atMost(
              JOBS + " accepted, kill -9: first claim, JVM start included", millis, "ms", 2_000),
          Result.atMost("accepted and lost", (double) (JOBS - completed), "jobs", 0));
    }
  }

  private static void expect(String expected, String line) {
    if (!expected.equals(line)) {
      throw new IllegalStateException("expected " + expected + ", but was " + line);
    }
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private Process probe(String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(RestartProbe.class.getName());
    command.add(file.toString());
    command.addAll(List.of(more));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
