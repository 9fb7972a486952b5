package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where output, complaints and the report go, and what happens when they cannot. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutputProcessTest {
  @TempDir Path directory;

  private HeadgateProcess.Setup headgate() {
    return HeadgateProcess.in(directory);
  }

  @Test
  void linesOfChildrenNeverMix() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc\nd\n")
            .start("run", "-j4", "--", "sh", "-c", "yes $0$0$0$0$0$0$0$0$0 | head -n 3000")) {
      assertThat(process.exitCode()).isZero();
      List<String> lines = process.out().lines().toList();
      assertThat(lines).hasSize(12_000);
      assertThat(lines).allMatch(line -> line.matches("([abcd])\\1{8}"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    ">&-, Bad file descriptor (closed)",
    ">/dev/full, No space left on device",
    "'', Broken pipe"
  })
  void outputThatCannotBeWrittenEndsTheRunWith74(String redirection, String reason)
      throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("line\n".repeat(2000))
            .inputStaysOpen()
            .redirections(redirection)
            .outputWithoutReader(redirection.isEmpty())
            .start("run", "-j2", "--report=report", "--", "echo")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly("headgate: standard output cannot be written: " + reason);
      String report = HeadgateProcess.report(directory.resolve("report"));
      assertThat(HeadgateProcess.count(report, "accepted")).isLessThan(2000);
      assertThat(HeadgateProcess.count(report, "exitCode")).isEqualTo(74);
    }
  }

  @Test
  void aClosedOutputThatNobodyWritesToIsNoFault() throws Exception {
    try (HeadgateProcess process =
        headgate().input("a\nb\n").redirections(">&-").start("run", "--", "true")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.err()).isEmpty();
    }
  }

  @Test
  void theReportComesAfterAllOutputAsOneObjectOnOneLine() throws Exception {
    try (HeadgateProcess process =
        headgate().input("a\n\nb\n").start("run", "-j1", "--report", "-", "--", "echo", "got")) {
      assertThat(process.exitCode()).isZero();
      List<String> lines = process.out().lines().toList();
      assertThat(lines).hasSize(3).startsWith("got a", "got b");
      assertThat(lines.get(2))
          .startsWith("{\"worker\":\"run\",\"accepted\":2,\"completed\":2,\"failed\":0")
          .containsPattern("\\{\"id\":\"1-[0-9a-f]{16}\",\"outcome\":\"completed\"")
          .contains("{\"id\":\"2-")
          .endsWith(
              "\"run\":{\"exitCode\":0,\"lines\":3,\"emptyLines\":1,\"skipped\":0,\"endOfInput\":true,"
                  + "\"signals\":0}}");
    }
  }

  @Test
  void aReportThatCannotBeMadeIsToldBeforeAnythingRuns() throws Exception {
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--report=none/report", "--", "touch", "{}")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints()).hasSize(1);
      assertThat(process.complaints().get(0))
          .startsWith("headgate: the report cannot be written: none/report");
      assertThat(Files.exists(directory.resolve("a"))).isFalse();
    }
  }

  @Test
  void aReportForAFullDeviceIsMissed() throws Exception {
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--report=/dev/full", "--", "true")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly("headgate: the report cannot be written: No space left on device");
    }
    try (HeadgateProcess process =
        headgate()
            .input("a\n")
            .redirections(">/dev/full")
            .start("run", "--report=-", "--", "true")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly("headgate: standard output cannot be written: No space left on device");
    }
  }

  @Test
  void theVersionAndTheHelpAreCheckedToo() throws Exception {
    try (HeadgateProcess process = headgate().redirections(">/dev/full").start("--version")) {
      assertThat(process.exitCode()).isEqualTo(74);
    }
    try (HeadgateProcess process = headgate().start("help", "run")) {
      assertThat(process.exitCode()).isZero();
      for (RunOption option : RunOption.values()) {
        assertThat(process.out()).contains(option.option());
      }
    }
  }

  @Test
  void anOldReportIsReplacedWhole() throws Exception {
    Files.writeString(directory.resolve("report"), "earlier\n".repeat(10_000));
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--report=report", "--", "true")) {
      assertThat(process.exitCode()).isZero();
      assertThat(HeadgateProcess.report(directory.resolve("report"))).doesNotContain("earlier");
    }
  }

  @Test
  @Tag("D14")
  void failuresAreSummedUpInOneLineAndSuccessIsSilent() throws Exception {
    try (HeadgateProcess process =
        headgate().input("0\n3\n0\n").start("run", "-j1", "--", "sh", "-c", "exit $0")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.err())
          .isEqualTo(
              "headgate: 3 accepted: 2 completed, 1 failed, 0 interrupted, 0 unstarted,"
                  + " 0 unfinished\n");
    }
  }
}
