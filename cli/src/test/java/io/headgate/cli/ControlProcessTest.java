package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real command is asked what it does, and steered, while it runs. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ControlProcessTest extends GatedProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int O_RDWR = 2;

  private static void awaitErr(HeadgateProcess process, String part) {
    await()
        .alias(part)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> process.err().contains(part));
  }

  @Test
  void usr1ListsWhatRuns() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("first\nsecond\nthird")
            .start("run", "-j2", "--", "sh", "-c", Gate.SAY + Gate.WAIT)) {
      List<Integer> pids = Groups.awaitIds(gate.ids(), 2);
      process.signal("USR1");
      awaitErr(process, " waiting, ");
      List<String> list = process.err().lines().toList();
      assertThat(list).hasSize(3);
      for (int pid : pids) {
        assertThat(list)
            .haveExactly(
                1,
                new Condition<>(
                    line ->
                        line.matches(
                            "headgate: [12]-[0-9a-f]{16}, \\d+:\\d\\d, pid "
                                + pid
                                + ": (first|second)"),
                    "the line of %d",
                    pid));
      }
      assertThat(list.get(2)).startsWith("headgate: 0 completed, 0 failed, 2 running, 1 waiting, ");
      gate.letThrough(3);
      assertThat(process.exitCode()).isZero();
    }
  }

  @Test
  @Tag("CASE-26")
  void aStandardErrorThatNobodyReadsStopsNeitherTheRunNorTheAnswer() throws Exception {
    Path fifo = directory.resolve("errors");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Posix posix = new Posix();
    int fd = posix.open(Arena.global().allocateFrom(fifo.toString()), O_RDWR);
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc")
            .redirections("2> errors")
            .start(
                "run",
                "-j2",
                "--progress",
                "--report=report",
                "--",
                "sh",
                "-c",
                Gate.SAY + Gate.WAIT)) {
      Groups.awaitIds(gate.ids(), 2);
      fill(posix, fd);
      process.signal("USR1").signal("USR1");
      gate.letThrough(3);
      assertThat(process.exitCode()).isZero();
      String report = HeadgateProcess.report(directory.resolve("report"));
      assertThat(HeadgateProcess.count(report, "completed")).isEqualTo(3);
      assertThat(HeadgateProcess.count(report, "signals")).isZero();
    } finally {
      posix.close(fd);
    }
  }

  private static void fill(Posix posix, int fd) {
    PollSet set = new PollSet(1);
    MemorySegment block = Arena.global().allocate(4096);
    do {
      assertThat(posix.write(fd, block, 4096)).isPositive();
      set.watch(0, fd, Posix.POLLOUT);
    } while (posix.poll(set, 0) == 1);
  }

  @Test
  void withoutATerminalProgressIsALine() throws Exception {
    try (HeadgateProcess process =
        headgate().input("a\nb\n").start("run", "--progress", "--bar", "--", "true")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.err())
          .matches("headgate: 2 completed, 0 failed, 0 running, 0 waiting, .*/(s|min), 0:\\d\\d\n");
    }
  }

  @Test
  void withoutATerminalThereIsNoBar() throws Exception {
    try (HeadgateProcess process = headgate().input("a\n").start("run", "--bar", "--", "true")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.err()).isEmpty();
    }
  }

  @Test
  @Tag("CASE-14")
  void theJobsFileWidensAtOnceAndNarrowsAsCommandsEnd() throws Exception {
    Path jobs = directory.resolve("jobs");
    Files.writeString(jobs, "1\n");
    try (HeadgateProcess process =
        headgate()
            .input("1\n2\n3\n4\n5\n6\n")
            .start(
                "run",
                "--jobs-file=jobs",
                "--",
                "sh",
                "-c",
                "echo + >> log; " + Gate.SAY + Gate.WAIT + "echo - >> log")) {
      Groups.awaitIds(gate.ids(), 1);
      Files.writeString(jobs, "3\n");
      Groups.awaitIds(gate.ids(), 3);
      Files.writeString(jobs, "many\n");
      awaitErr(process, "\"many\" is no whole number from 1 to 100000; it stays at 3\n");
      Files.writeString(jobs, "1\n");
      awaitNarrow(process, jobs);
      gate.letThrough(6);
      assertThat(process.exitCode()).isZero();
      assertThat(Files.readString(directory.resolve("log")).replace("\n", ""))
          .isEqualTo("+++---+-+-+-");
      assertThat(process.err().lines().filter(line -> line.contains("many"))).hasSize(1);
    }
  }

  /** The file says 1; what is said to a wrong content after that tells that this was seen. */
  private static void awaitNarrow(HeadgateProcess process, Path jobs) {
    AtomicBoolean wrong = new AtomicBoolean();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1500))
        .until(
            () -> {
              Files.writeString(jobs, wrong.getAndSet(!wrong.get()) ? "1\n" : "none\n");
              return process
                  .err()
                  .contains("\"none\" is no whole number from 1 to 100000; it stays at 1\n");
            });
  }
}
