package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A shell script on a terminal of its own, which runs the command as {@code ./headgate}. By {@code
 * script}, which makes the terminal.
 */
final class TerminalProcess implements AutoCloseable {
  static final int COLUMNS = 60;

  private static final long PATIENCE_SECONDS = 90;

  private final Path directory;
  private final Process process;

  private TerminalProcess(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
  }

  /** Starts a script in the directory. */
  static TerminalProcess start(Path directory, String shellScript) throws IOException {
    Path headgate = directory.resolve("headgate");
    StringBuilder words = new StringBuilder("exec env --default-signal=INT,HUP,TERM,PIPE");
    for (String word : HeadgateProcess.java()) {
      words.append(" '").append(word.replace("'", "'\\''")).append('\'');
    }
    Files.writeString(headgate, "#!/bin/sh\necho $$ > pid\n" + words + " \"$@\"\n");
    assertThat(headgate.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        directory.resolve("script"), "stty cols " + COLUMNS + " rows 24\n" + shellScript + "\n");
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qefc", "sh script", "/dev/null")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("screen").toFile());
    builder.environment().put("TERM", "xterm");
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("SHELL", "/bin/sh");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return new TerminalProcess(directory, builder.start());
  }

  /** All that the terminal got so far. */
  String text() {
    try {
      return Files.readString(directory.resolve("screen"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  void awaitText(String part) {
    await()
        .alias(part)
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> text().contains(part));
  }

  /** What the screen shows, without what follows the last newline, which must be nothing. */
  List<String> lines() {
    List<String> lines = Screen.after(text(), COLUMNS);
    assertThat(lines.get(lines.size() - 1)).isEmpty();
    return lines.subList(0, lines.size() - 1);
  }

  /** Types on the terminal. */
  void type(String keys) throws IOException {
    process.getOutputStream().write(keys.getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }

  /** Sends a signal to the command, not to the script. */
  void signal(String name) throws IOException, InterruptedException {
    String pid = Files.readString(directory.resolve("pid")).strip();
    new ProcessBuilder("kill", "-" + name, pid)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Sends a signal to the command until the script has ended. */
  void signalUntilGone(String name) {
    await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              signal(name);
              return !process.isAlive();
            });
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .as("the script ends; so far on the screen: %s", text())
        .isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
