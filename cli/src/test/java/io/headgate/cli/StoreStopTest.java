package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.cli.store.LineState;
import io.headgate.cli.store.ProgressStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run with a store that is halted, and one that is long. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreStopTest extends GatedProcess {
  private static final int LINES = 120_000;
  private static final long GROWTH_KIB = 24 << 10;

  @Test
  @Tag("K3")
  @Tag("D13")
  void whatAThirdSignalKillsIsUncertainAndTheRestCostsNothing() throws Exception {
    String[] words = {
      "run",
      "-j1",
      "--capacity=9",
      "--grace=1h",
      "--cleanup=1h",
      "--store=db",
      "--report=report",
      "--",
      "sh",
      "-c",
      "echo \"$0\" >> ran; test $0 = b || exit 0; trap '' TERM; "
          + Gate.SAY
          + "while :; do sleep 1000; done"
    };
    try (HeadgateProcess process = headgate().input("a\nb\nc\n").start(words)) {
      Groups.awaitIds(gate.ids(), 1);
      process.signalUntilGone("TERM");
      assertThat(process.exitCode()).isEqualTo(143);
    }
    try (HeadgateProcess process = headgate().input("a\nb\nc\n").start(words)) {
      assertThat(process.exitCode()).isEqualTo(75);
    }
    assertThat(Files.readAllLines(directory.resolve("ran"))).containsExactly("a", "b", "c");
    assertThat(Files.readString(directory.resolve("report"))).contains("\"uncertain\":[\"2-");
  }

  private int runs() throws IOException {
    Path file = directory.resolve("ran");
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  /** Runs a command that fails the first time, and is stopped before the second. */
  private int stopBetweenTwoAttempts(int run, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("run", "--retries=2", "--delay=1h", "--store=db", "--joblog=log"));
    words.addAll(List.of(more));
    words.addAll(List.of("--", "sh", "-c", "echo \"$0\" >> ran; test -e mended"));
    try (HeadgateProcess process = headgate().input("a\n").start(words.toArray(new String[0]))) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                // An earlier run has left the line suspended, too.
                if (runs() < run) {
                  return false;
                }
                try (ProgressStore store = ProgressStore.look(directory.resolve("db"))) {
                  return store != null && store.beyond(0, List.of(LineState.SUSPENDED)) == 1;
                }
              });
      process.signal("TERM");
      return process.exitCode();
    }
  }

  @Test
  @Tag("R7")
  void aStopBetweenTwoAttemptsLeavesTheLineToTheNextRun() throws Exception {
    // All input was read, so it is the line alone that makes it incomplete.
    assertThat(stopBetweenTwoAttempts(1, "--report=report")).isEqualTo(75);
    assertThat(Files.readString(directory.resolve("report"))).contains("\"exitCode\":75");
    // Again and again it has all its attempts.
    assertThat(stopBetweenTwoAttempts(2)).isEqualTo(75);
    Files.createFile(directory.resolve("mended"));
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--store=db", "--", "sh", "-c", "echo $0 >> ran")) {
      assertThat(process.exitCode()).isZero();
    }
    assertThat(Files.readAllLines(directory.resolve("ran"))).containsExactly("a", "a", "a");
  }

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
                if (count == LINES / 4 || count == LINES) {
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
  @Tag("CASE-24")
  void memoryAndTheRecordStaySmallOverManyLines() throws Exception {
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .main(WithoutCommands.class)
            .inputStaysOpen()
            .start("run", "-j64", "--store=db", "--", "true")) {
      byte[] input = lines();
      Thread feeder = Thread.ofPlatform().daemon().start(() -> write(process, input));
      HeadgateProcess.awaitText(process::err, LINES / 4 + "\n");
      long early = residentKib(process);
      HeadgateProcess.awaitText(process::err, LINES + "\n");
      long late = residentKib(process);
      assertThat(late - early).as("growth of %s KiB", early).isLessThan(GROWTH_KIB);
      feeder.join();
      process.closeInput();
      assertThat(process.exitCode()).isZero();
    }
    assertThat(Files.size(directory.resolve("db"))).as("the record").isLessThan(128 << 10);
    // A second run reads and skips them all, in memory that is as flat.
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .input(lines())
            .start("run", "--store=db", "--report=report", "--", "false")) {
      assertThat(process.exitCode()).isZero();
    }
    String report = HeadgateProcess.report(directory.resolve("report"));
    assertThat(HeadgateProcess.count(report, "skipped")).isEqualTo(LINES);
    assertThat(HeadgateProcess.count(report, "accepted")).isZero();
  }

  private static byte[] lines() {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= LINES; i++) {
      text.append("line ").append(i).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(HeadgateProcess process, byte[] bytes) {
    try {
      process.write(bytes);
    } catch (IOException e) {
      // The test tells that the command has gone.
    }
  }
}
