package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The joblog, what is resumed from it, and stops by failures. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordProcessTest extends GatedProcess {
  /** Fails for the line {@code b}, once: later the file {@code mended} is there. */
  private static final String FRAGILE =
      "echo \"$0\" >> ran; test \"$0\" != b || test -e mended || { echo no >&2; exit 3; }";

  private Path log() {
    return directory.resolve("log");
  }

  private List<String> ran() throws IOException {
    Path file = directory.resolve("ran");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private int run(String input, String... words) throws Exception {
    try (HeadgateProcess process = headgate().input(input).start(words)) {
      return process.exitCode();
    }
  }

  private int fragile(String input, String... options) throws Exception {
    List<String> words = new java.util.ArrayList<>(List.of("run", "-j1", "--joblog", "log"));
    words.addAll(List.of(options));
    words.addAll(List.of("--", "sh", "-c", FRAGILE));
    return run(input, words.toArray(new String[0]));
  }

  @Test
  @Tag("CASE-23")
  void everyLineThatWasReadHasOneRow() throws Exception {
    String input = "a\nb\n\n" + "x".repeat(200_000) + "\nz\0z\nc";
    assertThat(fragile(input)).isEqualTo(75);
    assertThat(Rows.once(log()))
        .isEqualTo(
            Map.of(
                1L, "completed",
                2L, "failed(ExitStatus)",
                3L, "refused(TOO_LARGE)",
                4L, "failed(NotStarted)",
                5L, "completed"));
    Rows.Row failed = Rows.read(log()).stream().filter(row -> row.position() == 2).findAny().get();
    assertThat(failed.exitValue()).isEqualTo(3);
    assertThat(failed.id()).startsWith("2-");
    assertThat(failed.command()).startsWith("sh -c 'echo").endsWith(" b");
  }

  @Test
  @Tag("CASE-25")
  void aRunIsResumedByPositionAndContent() throws Exception {
    assertThat(fragile("a\nb\n")).isEqualTo(1);
    assertThat(ran()).containsExactly("a", "b");
    // Skipping what failed is not called a success.
    assertThat(fragile("a\nb\nc\n", "--resume")).isEqualTo(1);
    assertThat(ran()).containsExactly("a", "b", "c");
    Files.createFile(directory.resolve("mended"));
    assertThat(fragile("a\nb\nc\nd\n", "--retry-failed")).isEqualTo(75);
    assertThat(ran()).containsExactly("a", "b", "c", "b");
    assertThat(fragile("a\nb\nc\nd\n", "--resume-failed")).isZero();
    assertThat(ran()).containsExactly("a", "b", "c", "b", "d");
    assertThat(fragile("a\nb\nc\nd\n", "--resume")).isZero();
    assertThat(ran()).hasSize(5);
    assertThat(Rows.outcomes(log())).hasSize(4).containsValues("completed");
  }

  @Test
  @Tag("CASE-25")
  void changedInputIsToldAndNeitherRunNorSkipped() throws Exception {
    assertThat(fragile("a\nc\nd\n")).isZero();
    try (HeadgateProcess process =
        headgate()
            .input("new\na\nc\nd\n")
            .start("run", "--joblog", "log", "--resume", "--", "sh", "-c", FRAGILE)) {
      assertThat(process.exitCode()).isEqualTo(66);
      assertThat(process.complaints())
          .singleElement()
          .asString()
          .contains("line 1 is not what the joblog has at position 1", "it was not run");
    }
    assertThat(ran()).containsExactly("a", "c", "d");
    assertThat(Rows.once(log())).hasSize(3);
  }

  @Test
  @Tag("CASE-25")
  void aShorterInputIsTold() throws Exception {
    assertThat(fragile("a\nb\nc\n")).isEqualTo(1);
    try (HeadgateProcess process =
        headgate()
            .input("a\n")
            .start("run", "--joblog=log", "--resume-failed", "--", "sh", "-c", FRAGILE)) {
      assertThat(process.exitCode()).isEqualTo(75);
      assertThat(process.complaints())
          .singleElement()
          .asString()
          .endsWith("has 2 more positions; 1 of them were to be run");
    }
    assertThat(fragile("a\n", "--resume")).isZero();
  }

  @Test
  @Tag("CASE-25")
  void dryRunShowsWhatWouldBeResumedAndChangesNothing() throws Exception {
    assertThat(fragile("a\nb\nc d\n")).isEqualTo(1);
    byte[] before = Files.readAllBytes(log());
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc d\ne'f\n")
            .start("run", "--dry-run", "--joblog=log", "--resume-failed", "--", "echo", "<{}>")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.out()).isEqualTo("echo '<b>'\necho '<e'\\''f>'\n");
    }
    assertThat(Files.readAllBytes(log())).isEqualTo(before);
    assertThat(ran()).hasSize(3);
  }

  @Test
  void equalLinesAreRefusedWhereTheLineIsTheIdAndAreNoFailure() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nc\na\nc\n")
            .start(
                "run",
                "-j1",
                "--id=line",
                "--joblog=log",
                "--report=report",
                "--",
                "sh",
                "-c",
                FRAGILE)) {
      assertThat(process.exitCode()).isZero();
    }
    assertThat(ran()).containsExactly("a", "c");
    assertThat(Rows.once(log()))
        .isEqualTo(
            Map.of(
                1L, "completed",
                2L, "completed",
                3L, "refused(DUPLICATE)",
                4L, "refused(DUPLICATE)"));
    String report = HeadgateProcess.report(directory.resolve("report"));
    assertThat(report).contains("{\"id\":\"a\",\"outcome\":\"completed\"", "\"DUPLICATE\":2");
    assertThat(fragile("a\nc\na\nc\n", "--id=line", "--resume")).isZero();
    assertThat(ran()).hasSize(2);
  }

  @Test
  @Tag("A4")
  void theOldestThatWaitsIsShedAndHasItsRow() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("1\n2\n3\n4")
            .start(
                "run",
                "-j1",
                "--capacity=1",
                "--when-full=shed-oldest",
                "--joblog=log",
                "--",
                "sh",
                "-c",
                Gate.SAY + Gate.WAIT)) {
      // The first may be shed before its command starts; the last never is.
      gate.letThrough(4);
      assertThat(process.exitCode()).isEqualTo(75);
    }
    Map<Long, String> outcomes = Rows.once(log());
    assertThat(outcomes).hasSize(4).containsEntry(4L, "completed");
    assertThat(outcomes.values()).containsAnyOf("unstarted(shed)");
    assertThat(outcomes.values()).isSubsetOf("completed", "unstarted(shed)");
  }

  @Test
  @Tag("B2")
  void linesAboveTheBudgetOfBytesWaitAndOneAboveAllOfItIsRefused() throws Exception {
    assertThat(
            run(
                "aaaa\nbbbb\n" + "c".repeat(11) + "\ndddd\n",
                "run",
                "-j4",
                "--capacity-bytes=10",
                "--joblog=log",
                "--",
                "true"))
        .isEqualTo(75);
    assertThat(Rows.once(log()))
        .isEqualTo(
            Map.of(
                1L, "completed",
                2L, "completed",
                3L, "refused(TOO_LARGE)",
                4L, "completed"));
  }

  @Test
  void soManyFailuresHaltSoonAndLetTheRunningEnd() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("fail\nwait\nfail\n" + "more\n".repeat(100))
            .inputStaysOpen()
            .start(
                "run",
                "-j2",
                "--capacity=5",
                "--grace=0s",
                "--halt=soon,fail=2",
                "--joblog=log",
                "--",
                "sh",
                "-c",
                "case $0 in fail) exit 4;; wait) "
                    + Gate.SAY
                    + Gate.WAIT
                    + ";; *) sleep 1000; esac")) {
      // Ids of the first kind are not told; the second failure comes while the waiting one runs.
      Groups.awaitIds(gate.ids(), 1);
      HeadgateProcess.awaitText(() -> process.err(), "halted, as --halt says: 2 failed");
      gate.letThrough(1);
      assertThat(process.exitCode()).isEqualTo(75);
    }
    Map<Long, String> outcomes = Rows.once(log());
    assertThat(outcomes).containsEntry(1L, "failed(ExitStatus)").containsEntry(2L, "completed");
    assertThat(outcomes).containsEntry(3L, "failed(ExitStatus)");
    assertThat(outcomes.values())
        .isSubsetOf(
            "failed(ExitStatus)",
            "completed",
            "unstarted(aborted)",
            "interrupted",
            "refused(CLOSED)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon,fail=2", "now,fail=2"})
  void noCommandStartsAfterTheLastFailure(String when) throws Exception {
    assertThat(
            run(
                "x\n".repeat(50),
                "run",
                "-j1",
                "--capacity=5",
                "--halt",
                when,
                "--joblog=log",
                "--",
                "sh",
                "-c",
                "echo >> started; exit 1"))
        .isEqualTo(75);
    assertThat(Files.readAllLines(directory.resolve("started"))).hasSize(2);
    Map<Long, String> outcomes = Rows.once(log());
    assertThat(outcomes)
        .containsEntry(1L, "failed(ExitStatus)")
        .containsEntry(2L, "failed(ExitStatus)");
    outcomes.keySet().removeAll(List.of(1L, 2L));
    assertThat(outcomes.values()).isSubsetOf("unstarted(aborted)", "refused(CLOSED)");
  }

  @Test
  void aTimeoutIsAFailureThatHalts() throws Exception {
    assertThat(
            run(
                "1000\n".repeat(50),
                "run",
                "-j1",
                "--timeout=50ms",
                "--halt=soon,fail=2",
                "--joblog=log",
                "--",
                "sleep"))
        .isEqualTo(75);
    assertThat(Rows.once(log()).values()).filteredOn("failed(AttemptTimeout)"::equals).hasSize(2);
  }

  @Test
  void soManyFailuresHaltNowAndStopTheRunning() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("wait\nfail\n" + "more\n".repeat(100))
            .inputStaysOpen()
            .start(
                "run",
                "-j2",
                "--grace=1h",
                "--halt=now,fail=1",
                "--joblog=log",
                "--",
                "sh",
                "-c",
                "case $0 in fail) " + Gate.WAIT + "exit 4;; *) " + Gate.SAY + "sleep 1000; esac")) {
      Groups.awaitIds(gate.ids(), 1);
      gate.letThrough(1);
      assertThat(process.exitCode()).isEqualTo(75);
    }
    assertThat(Rows.once(log()))
        .containsEntry(1L, "interrupted")
        .containsEntry(2L, "failed(ExitStatus)");
  }

  @Test
  @Tag("CASE-23")
  void whatTheThirdSignalKillsHasItsRow() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc\nd")
            .start(
                "run",
                "-j2",
                "--grace=1h",
                "--cleanup=1h",
                "--joblog=log",
                "--",
                "sh",
                "-c",
                "trap '' TERM; " + Gate.SAY + "while :; do sleep 1000; done")) {
      Groups.awaitIds(gate.ids(), 2);
      process.signalUntilGone("TERM");
      assertThat(process.exitCode()).isEqualTo(143);
    }
    Map<Long, String> outcomes = Rows.once(log());
    assertThat(outcomes).hasSize(4);
    // Told by the second signal, a command may be counted as stopped before the third halts all.
    assertThat(List.of(outcomes.get(1L), outcomes.get(2L))).isSubsetOf("unfinished", "interrupted");
    assertThat(outcomes.get(4L)).isIn("unfinished", "unstarted(aborted)");
  }

  @Test
  void aTimeoutIsToldApartInTheRow() throws Exception {
    assertThat(run("1000\n", "run", "--timeout=100ms", "--joblog=log", "--", "sleep")).isEqualTo(1);
    Rows.Row row = Rows.read(log()).get(0);
    assertThat(row.outcome()).isEqualTo("failed(AttemptTimeout)");
    assertThat(row.signal()).isEqualTo(15);
  }

  @Test
  void severalLinesOfAJobAreOneRow() throws Exception {
    assertThat(run("a\nb\nc\n", "run", "-n2", "--joblog=log", "--", "echo")).isZero();
    assertThat(Rows.read(log()))
        .extracting(Rows.Row::position, Rows.Row::command)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(1L, "echo a b"),
            org.assertj.core.groups.Tuple.tuple(2L, "echo c"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "/nowhere/log", "."})
  void aJoblogThatCannotBeUsedIsToldBeforeAnythingRuns(String name) throws Exception {
    if (name.equals("log")) {
      Files.writeString(log(), "mine\n");
    }
    try (HeadgateProcess process =
        headgate()
            .input("a\n")
            .start("run", "--joblog", name, "--resume", "--", "sh", "-c", FRAGILE)) {
      assertThat(process.exitCode()).isIn(64, 74);
      assertThat(process.err().lines())
          .hasSizeLessThanOrEqualTo(2)
          .first()
          .asString()
          .contains(name);
    }
    assertThat(ran()).isEmpty();
  }

  @Test
  void aFullDiskUnderTheJoblogStopsTheRunAndTearsNoRow() throws Exception {
    // The limit of file sizes is met as a full disk would be: a write fails in its middle.
    try (HeadgateProcess process =
        headgate()
            .before("ulimit -f 2;")
            .input("line\n".repeat(500))
            .start("run", "-j2", "--joblog=log", "--", "true")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .singleElement()
          .asString()
          .contains("the joblog cannot be written", "no more is started");
      assertThat(process.err()).contains("the input was not read to its end");
    }
    assertThat(Rows.once(log())).isNotEmpty();
    // With space again, the run goes on: what has no row runs once more.
    assertThat(run("line\n".repeat(500), "run", "--joblog=log", "--resume", "--", "true")).isZero();
    assertThat(Rows.outcomes(log())).hasSize(500);
    assertThat(Rows.outcomes(log()).values()).containsOnly("completed");
  }

  @Test
  void aDeviceMayBeTheJoblogButNothingIsResumedFromIt() throws Exception {
    assertThat(run("a\n", "run", "--joblog=/dev/full", "--", "true")).isEqualTo(74);
    assertThat(run("a\n", "run", "--joblog=/dev/null", "--", "true")).isZero();
    assertThat(run("a\n", "run", "--joblog=/dev/null", "--resume", "--", "true")).isEqualTo(64);
  }

  @Test
  void aJoblogWithoutRowsIsNoEarlierRun() throws Exception {
    assertThat(fragile("", "-a", "missing")).isEqualTo(66);
    assertThat(Rows.read(log())).isEmpty();
    assertThat(fragile("a\n")).isZero();
    assertThat(Rows.once(log())).isEqualTo(Map.of(1L, "completed"));
  }

  @Test
  void aPipeIsNoJoblogAsItsReaderCouldHoldUpTheRun() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", directory + "/pipe").start().waitFor()).isZero();
    assertThat(fragile("a\n", "--halt=soon,fail=9")).isZero();
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--joblog=pipe", "--", "true")) {
      assertThat(process.exitCode()).isEqualTo(64);
      assertThat(process.err()).contains("--joblog pipe: is a pipe or a socket");
    }
  }

  @Test
  void dryRunTellsWhatTheRunWouldTell() throws Exception {
    assertThat(run("a\n", "run", "--dry-run", "--joblog=no", "--retry-failed", "--", "echo"))
        .isEqualTo(64);
    try (HeadgateProcess process =
        headgate().input("a\nb\0b\n").start("run", "--dry-run", "--", "echo")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.out()).isEqualTo("echo a\n");
      assertThat(process.err()).contains("line 2 has a zero byte");
    }
  }
}
