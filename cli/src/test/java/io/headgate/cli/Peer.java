package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Headgate and the tools it is held against, each run to its end in a directory. Input and output
 * are bytes, one a character. {@code ./verify} installs the tools.
 */
final class Peer {
  private static final long PATIENCE_SECONDS = 90;

  /** How a tool ended, and what it wrote. */
  record Ended(int code, String out, String err) {
    /** The lines of its output, for tools whose order is free. */
    List<String> sorted() {
      return out.lines().sorted().toList();
    }
  }

  private final Path directory;

  private Peer(Path directory) {
    this.directory = directory;
  }

  static Peer in(Path directory) {
    return new Peer(directory);
  }

  Ended headgate(String input, String... words) throws Exception {
    return headgateAfter("", input, words);
  }

  /** Runs {@code headgate run} after what the shell does before. */
  Ended headgateAfter(String before, String input, String... words) throws Exception {
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .before(before)
            .input(input.getBytes(StandardCharsets.ISO_8859_1))
            .start(concat(List.of("run"), words).toArray(new String[0]))) {
      int code = process.exitCode();
      return new Ended(
          code, read(directory.resolve("headgate.out")), read(directory.resolve("headgate.err")));
    }
  }

  Ended xargs(String input, String... words) throws Exception {
    return run(input, concat(List.of("xargs"), words));
  }

  Ended parallel(String input, String... words) throws Exception {
    return run(input, concat(List.of("parallel", "--will-cite"), words));
  }

  /** Runs a script of the shell. */
  Ended sh(String script, String... words) throws Exception {
    return shell(List.of("sh", "-c", script, "sh"), words);
  }

  /** Runs a shell with more words. */
  Ended shell(List<String> shell, String... words) throws Exception {
    return run("", concat(shell, words));
  }

  private Ended run(String input, List<String> command) throws Exception {
    Process process = start(input, command);
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
    return new Ended(process.exitValue(), read(file("out")), read(file("err")));
  }

  /** Starts a tool, for a test that does not wait for its end. */
  Process start(String input, List<String> command) throws IOException {
    Files.write(file("in"), input.getBytes(StandardCharsets.ISO_8859_1));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(new File(file("in").toString()))
            .redirectOutput(file("out").toFile())
            .redirectError(file("err").toFile());
    // Parallel keeps its configuration at home. Bash becomes the last command, where another shell
    // would stay between and turn its signal into a status.
    builder
        .environment()
        .putAll(Map.of("HOME", directory.toString(), "PARALLEL_SHELL", "/bin/bash", "LC_ALL", "C"));
    builder.environment().remove("PARALLEL");
    return builder.start();
  }

  private Path file(String name) {
    return directory.resolve("peer." + name);
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private static List<String> concat(List<String> first, String... words) {
    List<String> all = new ArrayList<>(first);
    all.addAll(Arrays.asList(words));
    return all;
  }
}
