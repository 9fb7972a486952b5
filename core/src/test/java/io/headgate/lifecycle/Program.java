package io.headgate.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A running {@link SignalledProgram}: what it said, and the signals to send to it. */
final class Program implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> said = new ArrayList<>();
  private final Thread reader;
  private boolean silent;

  private Program(Process process) {
    this.process = process;
    this.reader = Thread.ofPlatform().daemon().start(this::read);
  }

  static Program start(List<String> jvmOptions, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.exists(Path.of("/proc/self/status"))) {
      // Whoever started the tests in the background of a shell left INT ignored, and a JVM keeps
      // that.
      command.addAll(List.of("env", "--default-signal=HUP,INT,TERM"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SignalledProgram.class.getName());
    command.addAll(List.of(options));
    return new Program(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  static Program start(String... options) throws IOException {
    return start(List.of(), options);
  }

  /** Waits until the program has said {@code line}, or something that begins so. */
  Program awaitLine(String line) throws InterruptedException {
    long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    lock.lock();
    try {
      while (said.stream().noneMatch(one -> one.startsWith(line))) {
        if (silent || left <= 0) {
          throw new AssertionError("'" + line + "' was not said, but " + said);
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
    return this;
  }

  Program awaitLines(String... lines) throws InterruptedException {
    for (String line : lines) {
      awaitLine(line);
    }
    return this;
  }

  Program signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).as("kill -" + name).isZero();
    return this;
  }

  /** Sends the line that lets handlers, or a slow start, go on. */
  Program go() throws IOException {
    process.outputWriter(UTF_8).append("go\n").flush();
    return this;
  }

  /** Waits for the end of the process; 128 + n where signal n killed it. */
  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("ended: " + said()).isTrue();
    reader.join();
    return process.exitValue();
  }

  /** What it said but for the log, whose lines may come anywhere, also after the last word. */
  List<String> words() {
    return said().stream()
        .filter(line -> !line.contains(" io.headgate.") && !line.matches("(INFO|WARNING): .*"))
        .toList();
  }

  List<String> said() {
    lock.lock();
    try {
      return List.copyOf(said);
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      lines.lines().forEach(this::hear);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.lock();
      try {
        silent = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void hear(String line) {
    lock.lock();
    try {
      said.add(line);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
