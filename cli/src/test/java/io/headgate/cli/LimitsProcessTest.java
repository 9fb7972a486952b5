package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command where the system sets limits, and where nobody is at the other end of a pipe. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitsProcessTest {
  @TempDir Path directory;

  private HeadgateProcess.Setup headgate() {
    return HeadgateProcess.in(directory);
  }

  private Path pipe(String name) throws Exception {
    Path pipe = directory.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  @Test
  void whereFilesRunOutLinesWaitForOthersToEnd() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .before("ulimit -n 50;")
            .input("x\n".repeat(120))
            .start("run", "-j40", "--joblog=log", "--", "sh", "-c", "sleep 0.1", "{}")) {
      assertThat(process.exitCode()).as(process.err()).isZero();
      assertThat(process.complaints())
          .singleElement()
          .asString()
          .contains("not all of -j can run: Too many open files");
    }
    Map<Long, String> outcomes = Rows.once(directory.resolve("log"));
    assertThat(outcomes).hasSize(120);
    assertThat(outcomes.values()).containsOnly("completed");
  }

  @Test
  @Tag("D13")
  void aSignalIsHeardWhileAPipeHasNoWriter() throws Exception {
    Path pipe = pipe("pipe");
    try (HeadgateProcess process =
        headgate().start("run", "-a", pipe.toString(), "--joblog=log", "--", "echo")) {
      HeadgateProcess.awaitText(() -> text(directory.resolve("log")), Joblog.HEADER);
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(75);
    }
  }

  @Test
  void aPipeIsReadWhenItsWriterComes() throws Exception {
    Path pipe = pipe("pipe");
    try (HeadgateProcess process =
        headgate().start("run", "-a", pipe.toString(), "--joblog=log", "--", "echo")) {
      HeadgateProcess.awaitText(() -> text(directory.resolve("log")), Joblog.HEADER);
      Files.writeString(pipe, "late\n");
      assertThat(process.exitCode()).isZero();
      assertThat(process.out()).isEqualTo("late\n");
    }
  }

  @Test
  @Tag("D13")
  void aReportThatNobodyReadsDoesNotHoldUpAStop() throws Exception {
    Path pipe = pipe("pipe");
    // The shell holds the pipe open both ways and reads nothing; the report is larger than it.
    try (HeadgateProcess process =
        headgate()
            .before("exec 9<>" + pipe + ";")
            .redirections(">" + pipe)
            .input("x\n".repeat(3000))
            .start("run", "-j2", "--history=3000", "--report=-", "--joblog=log", "--", "true")) {
      HeadgateProcess.awaitText(() -> text(directory.resolve("log")), "\n3000\t");
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(74);
    }
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
