package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory of the process does not grow with its input. */
@Tag("CASE-24")
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndlessInputTest {
  private static final long MOST_KIB = 200_000;
  private static final String LINE = "x".repeat(1000) + "\n";

  @TempDir Path directory;

  @Test
  void twoThousandLinesStayWithinTheBudget() throws Exception {
    assertThat(peakKib(2_000)).isLessThan(MOST_KIB);
  }

  @Test
  @Tag("long")
  void aHundredThousandLinesStayWithinTheBudget() throws Exception {
    assertThat(peakKib(100_000)).isLessThan(MOST_KIB);
  }

  /** The most memory that the process ever had resident while it ran that many lines. */
  private long peakKib(int lines) throws Exception {
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .inputStaysOpen()
            .start("run", "-j2", "--report=report", "--", "true")) {
      byte[] line = LINE.getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < lines; i++) {
        process.write(line);
      }
      // Of all lines but those in the pipe and the buffer the jobs have been started by now.
      long peak = highWaterKib(process.pid());
      process.closeInput();
      await().atMost(Duration.ofMinutes(5)).until(() -> !process.isAlive());
      assertThat(process.exitCode()).isZero();
      String report = HeadgateProcess.report(directory.resolve("report"));
      assertThat(HeadgateProcess.count(report, "completed")).isEqualTo(lines);
      return peak;
    }
  }

  private static long highWaterKib(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IllegalStateException("no VmHWM");
  }
}
