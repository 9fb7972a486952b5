package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Output in flat memory: the resident memory of the process at two moments, with much output
 * between them. The bound is generous; keeping the output would exceed it many times.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("CASE-24")
class OutputMemoryTest {
  private static final long MOST_GROWTH = 48L << 20;

  @TempDir Path directory;

  private static long residentBytes(HeadgateProcess process) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IllegalStateException("no VmRSS");
  }

  private void awaitFile(String name) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(200))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> Files.exists(directory.resolve(name)));
  }

  /** Prints some, lets the test look, prints the rest, and lets it look again. */
  private static String print(long first, long rest) {
    return "yes 0123456 | head -c "
        + first
        + "; : > some; read x < gate; yes 0123456 | head -c "
        + rest
        + "; : > all; read x < gate";
  }

  @Test
  void outputThatIsHeldTakesNoMemory() throws Exception {
    long first = 20L << 20;
    long rest = 180L << 20;
    try (Gate gate = new Gate(directory);
        HeadgateProcess process =
            HeadgateProcess.in(directory)
                .before("export TMPDIR=" + directory + ";")
                .input("1\n2\n")
                .start(
                    "run",
                    "-j2",
                    "-k",
                    "--",
                    "sh",
                    "-c",
                    "if [ $0 = 1 ]; then "
                        + "while [ ! -e go ]; do read x < gate; done; "
                        + "else "
                        + print(first, rest)
                        + "; fi")) {
      awaitFile("some");
      long before = residentBytes(process);
      // Either may take a line of the gate.
      Awaitility.await()
          .atMost(Duration.ofSeconds(200))
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                gate.letThrough(1);
                return Files.exists(directory.resolve("all"));
              });
      assertThat(residentBytes(process) - before).isLessThan(MOST_GROWTH);
      assertThat(process.out()).isEmpty();
      Files.createFile(directory.resolve("go"));
      gate.letThrough(2);
      assertThat(process.exitCode()).isZero();
      assertThat(Files.size(directory.resolve("headgate.out"))).isEqualTo(first + rest);
    }
  }

  private static long countAll(FileInputStream input) {
    byte[] buffer = new byte[1 << 16];
    long count = 0;
    try {
      for (int n = input.read(buffer); n > 0; n = input.read(buffer)) {
        count += n;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return count;
  }

  @Test
  void aGigabyteGoesThroughInFlatMemory() throws Exception {
    long first = 64L << 20;
    long rest = 960L << 20;
    Path out = directory.resolve("out");
    assertThat(new ProcessBuilder("mkfifo", out.toString()).start().waitFor()).isZero();
    try (Gate gate = new Gate(directory);
        HeadgateProcess process =
            HeadgateProcess.in(directory)
                .input("1\n")
                .redirections("> out")
                .start("run", "-k", "--", "sh", "-c", print(first, rest));
        FileInputStream reader = new FileInputStream(out.toFile())) {
      CompletableFuture<Long> bytes = Beside.supply(() -> countAll(reader));
      awaitFile("some");
      long before = residentBytes(process);
      gate.letThrough(1);
      awaitFile("all");
      assertThat(residentBytes(process) - before).isLessThan(MOST_GROWTH);
      gate.letThrough(1);
      assertThat(process.exitCode()).isZero();
      assertThat(bytes.get(20, TimeUnit.SECONDS)).isEqualTo(first + rest);
    }
  }
}
