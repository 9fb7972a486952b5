package io.headgate.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A fresh process, pinned, that answers in lines {@code @name=value} on its output. What one trial
 * compiled, loaded or left on the heap cannot help or harm the next.
 */
public final class Trial {

  private static final char MARK = '@';

  private final Pinning pinning;

  /** Trials that are pinned so. */
  public Trial(Pinning pinning) {
    this.pinning = pinning;
  }

  /** A new JVM of the running JDK with the running class path. */
  public Answers java(Class<?> main, List<String> flags, Object... arguments) throws IOException {
    return process(
        java(main.getName(), flags, Stream.of(arguments).map(Object::toString).toList()));
  }

  /** The same for a program that answers in its own way, and may fail. */
  public Ended program(String main, List<String> flags, List<String> arguments) throws IOException {
    return ended(java(main, flags, arguments));
  }

  private static List<String> java(String main, List<String> flags, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  /** Any command that answers so. */
  public Answers process(List<String> command) throws IOException {
    Ended ended = ended(command);
    if (ended.status != 0) {
      throw new IllegalStateException(
          "exit %d of %s%n%s%n%s".formatted(ended.status, command, ended.output, ended.errors));
    }
    Map<String, String> answers = new LinkedHashMap<>();
    for (String line : ended.output.lines().toList()) {
      int equals = line.indexOf('=');
      if (!line.isEmpty() && line.charAt(0) == MARK && equals > 0) {
        answers.put(line.substring(1, equals), line.substring(equals + 1));
      }
    }
    return new Answers(answers);
  }

  /** How a process ended, and what it said. */
  public record Ended(int status, String output, String errors) {}

  private Ended ended(List<String> command) throws IOException {
    // What a trial logs, peers too, is of interest only if it fails.
    Path errors = Files.createTempFile("trial", ".log");
    try {
      Process process = new ProcessBuilder(pinned(command)).redirectError(errors.toFile()).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ended(statusOf(process), output, Files.readString(errors));
    } finally {
      Files.delete(errors);
    }
  }

  /** A command with the pinning before it. */
  public List<String> pinned(List<String> command) {
    List<String> all = new ArrayList<>(pinning.prefix());
    all.addAll(command);
    return all;
  }

  /** Called in the trial: says one thing. */
  public static void answer(String name, Object value) {
    System.out.println(MARK + name + "=" + value);
  }

  /** What a command prints on one line, or nothing if it cannot run or fails. */
  public static String output(Path folder, String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return statusOf(process) == 0 ? text.strip() : "";
    } catch (IOException _) {
      return "";
    }
  }

  private static int statusOf(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a trial ran", e);
    }
  }
}
