package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --results}: output and status of each command in files. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResultsProcessTest {
  @TempDir Path directory;

  private HeadgateProcess.Setup headgate() {
    return HeadgateProcess.in(directory);
  }

  private String result(String name) throws IOException {
    return Files.readString(directory.resolve("all/results").resolve(name));
  }

  @Test
  void eachCommandHasItsBytesAndItsStatusAndIsPrintedToo() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("0\n3\nkill\n")
            .start(
                "run",
                "-j1",
                "--tag",
                "--results=all/results",
                "--",
                "sh",
                "-c",
                "echo out; printf 'no end'; printf 'bad\\0' >&2;"
                    + " [ $0 != kill ] || kill -9 $$; exit $0")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.out())
          .isEqualTo("0\tout\n0\tno end\n3\tout\n3\tno end\nkill\tout\nkill\tno end\n");
      for (int position = 1; position <= 3; position++) {
        assertThat(result(position + "/stdout")).isEqualTo("out\nno end");
        assertThat(result(position + "/stderr")).isEqualTo("bad\0");
        try (Stream<Path> files = Files.list(directory.resolve("all/results/" + position))) {
          assertThat(files.map(file -> file.getFileName().toString()))
              .containsExactlyInAnyOrder("stdout", "stderr", "status");
        }
      }
      assertThat(result("1/status")).isEqualTo("0\n");
      assertThat(result("2/status")).isEqualTo("3\n");
      assertThat(result("3/status")).isEqualTo("137\n");
    }
  }

  @Test
  void anEarlierResultIsReplacedAndOthersStay() throws Exception {
    Path first = Files.createDirectories(directory.resolve("all/results/1"));
    Files.writeString(first.resolve("stdout"), "old and longer\n");
    Files.writeString(first.resolve("status"), "99\n");
    Files.writeString(first.resolve("mine"), "kept\n");
    Files.createDirectories(directory.resolve("all/results/2"));
    try (HeadgateProcess process =
        headgate().input("new\n").start("run", "--results=all/results", "--", "echo")) {
      assertThat(process.exitCode()).isZero();
      assertThat(result("1/stdout")).isEqualTo("new\n");
      assertThat(result("1/stderr")).isEmpty();
      assertThat(result("1/status")).isEqualTo("0\n");
      assertThat(result("1/mine")).isEqualTo("kept\n");
      assertThat(directory.resolve("all/results/2")).isEmptyDirectory();
    }
  }

  private HeadgateProcess startWaiting() throws IOException {
    return headgate()
        .input("1\n")
        .start(
            "run",
            "--results=all/results",
            "--",
            "sh",
            "-c",
            "echo begun; " + Gate.SAY + Gate.WAIT);
  }

  private void awaitBegun() {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> Files.size(directory.resolve("headgate.out")) > 0);
  }

  @Test
  void aCommandThatWasStoppedHasWhatItWroteAndTheSignal() throws Exception {
    try (Gate gate = new Gate(directory);
        HeadgateProcess process = startWaiting()) {
      awaitBegun();
      process.signal("TERM");
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(75);
      assertThat(result("1/stdout")).isEqualTo("begun\n");
      assertThat(result("1/status")).isEqualTo("143\n");
      Groups.awaitGone(Groups.ids(gate.ids()));
    }
  }

  @Test
  @Tag("CASE-23")
  void aRunThatIsKilledLeavesNoStatus() throws Exception {
    try (Gate gate = new Gate(directory);
        HeadgateProcess process = startWaiting()) {
      awaitBegun();
      process.signal("KILL");
      assertThat(process.exitCode()).isEqualTo(137);
      assertThat(result("1/stdout")).isEqualTo("begun\n");
      assertThat(directory.resolve("all/results/1/status")).doesNotExist();
      gate.letThrough(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/dev/null/x, Not a directory",
    "/proc/none, No such file or directory",
    "file, Not a directory"
  })
  void aDirectoryThatCannotBeMadeIsToldBeforeAnythingIsRead(String name, String reason)
      throws Exception {
    Files.writeString(directory.resolve("file"), "");
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--results", name, "--", "touch", "{}")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly("headgate: the results cannot be written: " + name + ": " + reason);
      assertThat(directory.resolve("a")).doesNotExist();
    }
  }

  @Test
  void aFullDiskForResultsEndsTheRunWith74AndLeavesNoStatus() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .before("ulimit -f 200;")
            .input("1\n2\n")
            .inputStaysOpen()
            .redirections("> /dev/null")
            .start("run", "-j1", "--results=all/results", "--", "sh", "-c", "seq 100000; exit 0")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly(
              "headgate: the results cannot be written: all/results/1: File too large;"
                  + " no more is started");
      assertThat(directory.resolve("all/results/1/status")).doesNotExist();
      // Not more than the limit, and from the beginning.
      byte[] kept = Files.readAllBytes(directory.resolve("all/results/1/stdout"));
      assertThat(kept.length).isBetween(1, 200 * 1024);
      assertThat(new String(kept, StandardCharsets.UTF_8)).startsWith("1\n2\n3\n");
    }
  }
}
