package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.Worker;
import io.headgate.jdbc.JdbcBacklog;
import io.headgate.simulator.Trial;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sqlite.JDBC;
import org.tomlj.Toml;
import picocli.CommandLine;

/** The command as a process of its own, with real signals and real descriptors. */
final class HeadgateProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 90;

  private final Process process;
  private final Path out;
  private final Path err;

  private HeadgateProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** How a process is to be started. */
  static final class Setup {
    private final Path directory;
    private byte[] input = new byte[0];
    private boolean inputStaysOpen;
    private String before = "";
    private String redirections = "";
    private boolean withoutReader;
    private String locale = "C.UTF-8";
    private Class<?> main = Main.class;

    private Setup(Path directory) {
      this.directory = directory;
    }

    Setup input(String text) {
      return input(text.getBytes(StandardCharsets.UTF_8));
    }

    Setup input(byte[] bytes) {
      input = bytes;
      return this;
    }

    /** Leaves the input open after what was given, as a terminal does. */
    Setup inputStaysOpen() {
      inputStaysOpen = true;
      return this;
    }

    /** What the shell does before it becomes the command. */
    Setup before(String script) {
      before = script;
      return this;
    }

    /** Redirections in the shell's words, such as {@code >&-}. */
    Setup redirections(String words) {
      redirections = words;
      return this;
    }

    /** Makes the output a pipe whose reader has gone. */
    Setup outputWithoutReader(boolean gone) {
      withoutReader = gone;
      return this;
    }

    Setup locale(String name) {
      locale = name;
      return this;
    }

    /** Runs another class of the tests in the place of the command. */
    Setup main(Class<?> other) {
      main = other;
      return this;
    }

    /** Starts {@code headgate} with these words. */
    HeadgateProcess start(String... words) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  // Where the tests run in a shell's background INT would be ignored.
                  "env",
                  "--default-signal=INT,HUP,TERM,PIPE",
                  "sh",
                  "-c",
                  before + " exec \"$@\" " + redirections,
                  "sh"));
      command.addAll(java(main));
      command.addAll(Arrays.asList(words));
      Path out = directory.resolve("headgate.out");
      Path err = directory.resolve("headgate.err");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("LC_ALL", locale);
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      if (withoutReader) {
        Files.createFile(out);
        builder.redirectOutput(ProcessBuilder.Redirect.PIPE);
      }
      Process process = builder.start();
      if (withoutReader) {
        process.getInputStream().close();
      }
      HeadgateProcess headgate = new HeadgateProcess(process, out, err);
      headgate.startToFeed(input, inputStaysOpen);
      return headgate;
    }
  }

  /** The words that start the command, before its own. */
  static List<String> java() {
    return java(Main.class);
  }

  private static List<String> java(Class<?> main) {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xms16m",
        "-Xmx192m",
        "-Xss512k",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        classPath(main),
        main.getName());
  }

  private static String classPath(Class<?> main) {
    List<String> entries = new ArrayList<>();
    for (Class<?> type :
        List.of(
            main,
            Main.class,
            Worker.class,
            CommandLine.class,
            Trial.class,
            Toml.class,
            JdbcBacklog.class,
            JDBC.class)) {
      entries.add(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }
    return String.join(File.pathSeparator, entries);
  }

  /** The words that start the command, for a shell. */
  static String commandLine() {
    return "'" + String.join("' '", java()) + "'";
  }

  static Setup in(Path directory) {
    return new Setup(directory);
  }

  private void startToFeed(byte[] input, boolean staysOpen) {
    Thread feeder = new Thread(() -> feed(input, staysOpen), "feeds headgate");
    feeder.setDaemon(true);
    feeder.start();
  }

  private void feed(byte[] input, boolean staysOpen) {
    OutputStream stdin = process.getOutputStream();
    try {
      stdin.write(input);
      stdin.flush();
      if (!staysOpen) {
        stdin.close();
      }
    } catch (IOException e) {
      // It has ended without reading all.
    }
  }

  /** Writes more input, for one that was left open; blocks while nobody reads. */
  void write(byte[] bytes) throws IOException {
    process.getOutputStream().write(bytes);
    process.getOutputStream().flush();
  }

  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends a signal, given by its name. */
  HeadgateProcess signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
      kill.waitFor();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return this;
  }

  /** Sends a signal again and again until the process is gone. */
  void signalUntilGone(String name) {
    await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !signal(name).isAlive());
  }

  /** Whether it ends by itself within a time that is part of the test. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .as("headgate ends; so far its standard error: %s", err())
        .isTrue();
    return process.exitValue();
  }

  String out() {
    return text(out);
  }

  String err() {
    return text(err);
  }

  /** What it said on its standard error, but for the last line with the sums. */
  List<String> complaints() {
    return err().lines().filter(line -> !line.contains(" accepted: ")).toList();
  }

  /** Waits until a text that grows holds the given one. */
  static void awaitText(Supplier<String> text, String expected) {
    await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> text.get().contains(expected));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A count of a report. */
  static long count(String report, String key) {
    Matcher matcher = Pattern.compile("\"" + key + "\":(\\d+)").matcher(report);
    assertThat(matcher.find()).as("%s in %s", key, report).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /** The ids that a report lists as abandoned. */
  static List<String> abandoned(String report) {
    Matcher matcher = Pattern.compile("\"abandoned\":\\[([^\\]]*)\\]").matcher(report);
    assertThat(matcher.find()).as(report).isTrue();
    return matcher.group(1).isEmpty()
        ? List.of()
        : Arrays.asList(matcher.group(1).replace("\"", "").split(",", -1));
  }

  /** Reads a report, and checks that it adds up. */
  static String report(Path file) throws IOException {
    String report = Files.readString(file);
    assertThat(report).startsWith("{").endsWith("}\n");
    assertThat(count(report, "accepted"))
        .isEqualTo(
            count(report, "completed")
                + count(report, "failed")
                + count(report, "interrupted")
                + count(report, "unstarted")
                + count(report, "unfinished"));
    return report;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
