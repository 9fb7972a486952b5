package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of input, commands and command lines of all kinds. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InputProcessTest {
  @TempDir Path directory;

  private HeadgateProcess.Setup headgate() {
    return HeadgateProcess.in(directory);
  }

  private String report() throws IOException {
    return HeadgateProcess.report(directory.resolve("report"));
  }

  private static long count(String report, String key) {
    return HeadgateProcess.count(report, key);
  }

  @ParameterizedTest
  @CsvSource({
    "no-such-command, 127, no-such-command: command not found",
    "./none, 127, ./none: command not found",
    "/etc, 126, /etc: command cannot be run",
    "./data, 126, ./data: command cannot be run"
  })
  void aCommandThatCannotRunIsToldInOneLineBeforeInputIsTaken(
      String command, int code, String message) throws Exception {
    Files.writeString(directory.resolve("data"), "no program");
    try (HeadgateProcess process =
        headgate().input("a\nb\n").start("run", "--report=report", "--", command)) {
      assertThat(process.exitCode()).isEqualTo(code);
      assertThat(process.complaints()).containsExactly("headgate: " + message);
      assertThat(count(report(), "accepted")).isZero();
      assertThat(count(report(), "lines")).isZero();
    }
  }

  @Test
  void aFileThatTheKernelDoesNotRunIs126WithoutAShell() throws Exception {
    Path script = Files.writeString(directory.resolve("script"), "echo no shebang\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (HeadgateProcess process =
        headgate().input("a\nb\nc\n").start("run", "-j2", "--", "./script")) {
      assertThat(process.exitCode()).isEqualTo(126);
      assertThat(process.out()).isEmpty();
      assertThat(process.complaints()).hasSize(1);
      assertThat(process.complaints().get(0)).contains("Exec format error");
    }
  }

  @Test
  void aNameThatComesFromTheLineFailsItsLineOnly() throws Exception {
    try (HeadgateProcess process =
        headgate().input("true\nno-such\ntrue\n").start("run", "--report=report", "--", "{}")) {
      assertThat(process.exitCode()).isEqualTo(127);
      assertThat(count(report(), "completed")).isEqualTo(2);
      assertThat(count(report(), "failed")).isEqualTo(1);
      assertThat(process.complaints().get(0)).contains("line 2", "No such file or directory");
    }
  }

  @Test
  void failuresCarryStatusSignalAndTheLastOfTheirStandardError() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("echo first >&2; echo the reason >&2; exit 3\nkill -9 $$\n")
            .start("run", "-j1", "--report=report", "--", "sh", "-c", "{}")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(report())
          .contains(
              "\"errorType\":\"io.headgate.cli.ExitStatus\"",
              "exit status 3: first\\nthe reason",
              "\"errorType\":\"io.headgate.cli.KilledBySignal\"",
              "killed by signal 9");
      assertThat(process.err()).contains("the reason\n");
    }
  }

  @Test
  void aLineThatIsTooLongIsRefusedAndOneWithAZeroByteFailsWithOneLineEach() throws Exception {
    String input = "x".repeat(200_000) + "\na\0b\nok\n" + "y".repeat(3_000_000) + "\n";
    try (HeadgateProcess process =
        headgate().input(input).start("run", "-j1", "--report=report", "--", "echo")) {
      assertThat(process.exitCode()).isEqualTo(75);
      assertThat(process.out()).isEqualTo("ok\n");
      assertThat(count(report(), "failed")).isEqualTo(1);
      assertThat(count(report(), "TOO_LARGE")).isEqualTo(2);
      assertThat(process.complaints()).hasSize(3);
      assertThat(process.complaints().get(0))
          .contains("line 1", "200000 bytes", "--max-line-bytes 131071");
      assertThat(process.complaints().get(1)).contains("line 2", "zero byte");
      assertThat(process.complaints().get(2)).contains("line 4", "3000000 bytes");
    }
  }

  @Test
  void bytesOfLinesAndWordsPassUnchangedInAnyLocale() throws Exception {
    byte[] line = {'a', (byte) 0xFF, (byte) 0xC3, (byte) 0xA9, ' ', '\r', '\n'};
    for (String locale : List.of("C.UTF-8", "POSIX")) {
      try (HeadgateProcess process =
          headgate().input(line).locale(locale).start("run", "--", "printf", "<ä%s>", "{}")) {
        assertThat(process.exitCode()).isZero();
        byte[] expected = {
          '<',
          (byte) 0xC3,
          (byte) 0xA4,
          'a',
          (byte) 0xFF,
          (byte) 0xC3,
          (byte) 0xA9,
          ' ',
          '\r',
          '>',
          '\n'
        };
        assertThat(Files.readAllBytes(directory.resolve("headgate.out"))).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"<&-, closed", "< /, Is a directory"})
  void inputThatCannotBeReadIs66(String redirection, String reason) throws Exception {
    try (HeadgateProcess process =
        headgate().redirections(redirection).start("run", "--", "echo")) {
      assertThat(process.exitCode()).isEqualTo(66);
      assertThat(process.complaints()).hasSize(1);
      assertThat(process.complaints().get(0))
          .startsWith("headgate: standard input cannot be read: ")
          .contains(reason);
      assertThat(process.out()).isEmpty();
    }
  }

  @Test
  void emptyInputIsDone() throws Exception {
    try (HeadgateProcess process = headgate().start("run", "--", "echo", "never")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.out()).isEmpty();
      assertThat(process.err()).isEmpty();
    }
  }

  @Test
  @Tag("L11")
  void aCommandBeyondItsTimeoutFails() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("1000\n0\n")
            .start("run", "-j1", "--timeout=2s", "--report=report", "--", "sleep")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(report()).contains("AttemptTimeout");
      assertThat(count(report(), "completed")).isEqualTo(1);
      assertThat(count(report(), "failed")).isEqualTo(1);
    }
  }

  @Test
  @Tag("CASE-22")
  void refusedLinesMakeTheRunIncomplete() throws Exception {
    try (Gate gate = new Gate(directory);
        HeadgateProcess process =
            headgate()
                .inputStaysOpen()
                .start(
                    "run",
                    "-j1",
                    "--capacity=0",
                    "--when-full=refuse",
                    "--report=report",
                    "--",
                    "sh",
                    "-c",
                    Gate.SAY + Gate.WAIT)) {
      process.write("held\n".getBytes(StandardCharsets.UTF_8));
      Groups.awaitIds(gate.ids(), 1);
      // More than pipe and buffer hold: when all is written, some has been offered.
      process.write("refused\n".repeat(50_000).getBytes(StandardCharsets.UTF_8));
      process.closeInput();
      gate.letThrough(50_000 / 16);
      assertThat(process.exitCode()).isEqualTo(75);
      assertThat(report()).containsPattern("\"refused\":\\{\"FULL\":\\d+\\}");
      assertThat(process.err()).contains(" refused");
    }
  }

  @Test
  @Tag("CASE-24")
  void inputIsReadOnlyAsItIsNeeded() throws Exception {
    byte[] lines =
        "0123456789abcdef0123456789abcdef\n".repeat(100).getBytes(StandardCharsets.UTF_8);
    AtomicLong written = new AtomicLong();
    try (Gate gate = new Gate(directory);
        HeadgateProcess process =
            headgate()
                .inputStaysOpen()
                .start("run", "-j2", "--report=report", "--", "sh", "-c", Gate.SAY + Gate.WAIT)) {
      Thread writer =
          new Thread(
              () -> {
                try {
                  while (true) {
                    process.write(lines);
                    written.addAndGet(lines.length);
                  }
                } catch (IOException e) {
                  // The end of headgate is the end of the input.
                }
              });
      writer.setDaemon(true);
      writer.start();
      Groups.awaitIds(gate.ids(), 2);
      gate.letThrough(10);
      Groups.awaitIds(gate.ids(), 12);
      process.signal("TERM");
      gate.letThrough(10);
      assertThat(process.exitCode()).isEqualTo(75);
      writer.join();
      // The buffer, the pipe twice for good measure, and the lines that were accepted.
      assertThat(written.get()).isLessThan(4 * 65_536L);
      assertThat(count(report(), "completed")).isBetween(12L, 20L);
    }
  }

  @Test
  void wrongUsageIsOneLineAnd64() throws Exception {
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--grace", "5 parsecs", "--", "touch", "{}")) {
      assertThat(process.exitCode()).isEqualTo(64);
      assertThat(process.err())
          .isEqualTo(
              "headgate run: --grace 5 parsecs: unknown unit; give a number and a unit,"
                  + " like 500ms, 30s, 5m or 2h\n");
      assertThat(Files.exists(directory.resolve("a"))).isFalse();
    }
    for (String[] words : new String[][] {{}, {"frob"}, {"run"}, {"--frob"}, {"help", "frob"}}) {
      try (HeadgateProcess process = headgate().start(words)) {
        assertThat(process.exitCode()).isEqualTo(64);
        assertThat(process.err().lines()).hasSize(1);
      }
    }
  }
}
