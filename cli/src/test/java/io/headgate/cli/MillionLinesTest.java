package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A million lines, with a handler in the process, as so many commands would take an hour. */
@Tag("CASE-24")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MillionLinesTest {
  private static final int LINES = 1_000_000;
  private static final long GROWTH_KIB = 24 << 10;

  @TempDir Path directory;

  /** The command, with a handler that does nothing but say how far it is. */
  static final class WithoutCommands {
    private WithoutCommands() {}

    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] words) throws UsageException {
      AtomicLong done = new AtomicLong();
      StopLadder ladder = new StopLadder(code -> Runtime.getRuntime().halt(code));
      ladder.start();
      RunOptions options = RunSyntax.parse(Arrays.copyOfRange(words, 1, words.length));
      Run run =
          new Run(
              options,
              ladder,
              new Inquiry(),
              (job, context) -> {
                long count = done.incrementAndGet();
                if (count == LINES / 5 || count == LINES) {
                  System.err.println(count);
                }
              },
              null);
      System.exit(run.execute());
    }
  }

  private static long residentKib(HeadgateProcess process) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new AssertionError("no resident size");
  }

  @Test
  void aMillionLinesAreRunAndLoggedInFlatMemory() throws Exception {
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .main(WithoutCommands.class)
            .inputStaysOpen()
            .start("run", "-j2", "--joblog=log", "--report=report", "--", "true")) {
      feed(process);
      HeadgateProcess.awaitText(process::err, LINES / 5 + "\n");
      long early = residentKib(process);
      HeadgateProcess.awaitText(process::err, LINES + "\n");
      long late = residentKib(process);
      assertThat(late - early).as("growth of %s KiB", early).isLessThan(GROWTH_KIB);
      process.closeInput();
      assertThat(process.exitCode()).isZero();
    }
    String report = HeadgateProcess.report(directory.resolve("report"));
    assertThat(HeadgateProcess.count(report, "completed")).isEqualTo(LINES);
    long rows = 0;
    long positions = 0;
    try (BufferedReader log = Files.newBufferedReader(directory.resolve("log"))) {
      for (String row = log.readLine(); row != null; row = log.readLine()) {
        if (!row.equals(Joblog.HEADER)) {
          rows++;
          positions += Long.parseLong(row.substring(0, row.indexOf('\t')));
        }
      }
    }
    assertThat(rows).isEqualTo(LINES);
    assertThat(positions).isEqualTo((long) LINES * (LINES + 1) / 2);
  }

  private static void feed(HeadgateProcess process) {
    Thread feeder =
        new Thread(
            () -> {
              StringBuilder some = new StringBuilder();
              try {
                for (int i = 1; i <= LINES; i++) {
                  some.append("line ").append(i).append('\n');
                  if (i % 10_000 == 0) {
                    process.write(some.toString().getBytes(StandardCharsets.UTF_8));
                    some.setLength(0);
                  }
                }
              } catch (IOException e) {
                // The test tells that the command has gone.
              }
            },
            "feeds a million lines");
    feeder.setDaemon(true);
    feeder.start();
  }
}
