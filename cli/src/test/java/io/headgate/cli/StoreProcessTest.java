package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.cli.store.LineState;
import io.headgate.cli.store.ProgressStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code run --store}: the same command goes on after any end of the one before. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreProcessTest extends GatedProcess {
  /** Fails for the line {@code b}, until the file {@code mended} is there. */
  private static final String FRAGILE =
      "echo \"$0\" >> ran; test \"$0\" != b || test -e mended || { echo no >&2; exit 3; }";

  /** What a run said and how it ended. */
  private record Ended(int code, String out, List<String> complaints, String report) {}

  private List<String> ran() throws IOException {
    Path file = directory.resolve("ran");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private Ended run(String input, List<String> options, String script) throws Exception {
    List<String> words = new ArrayList<>(List.of("run", "--store=db", "--report=report"));
    words.addAll(options);
    words.addAll(List.of("--", "sh", "-c", script));
    Path report = directory.resolve("report");
    Files.deleteIfExists(report);
    try (HeadgateProcess process = headgate().input(input).start(words.toArray(new String[0]))) {
      return new Ended(
          process.exitCode(),
          process.out(),
          process.complaints(),
          Files.exists(report) && Files.size(report) > 0 ? HeadgateProcess.report(report) : "");
    }
  }

  private Ended fragile(String input, String... options) throws Exception {
    return run(input, List.of(options), FRAGILE);
  }

  private static long skipped(Ended ended) {
    return HeadgateProcess.count(ended.report(), "skipped");
  }

  @Test
  @Tag("K2")
  void theSameCommandRunsOnlyWhatHasNotCompleted() throws Exception {
    assertThat(fragile("a\nc\n").code()).isZero();
    Ended again = fragile("a\nc\nd\n");
    assertThat(again.code()).isZero();
    assertThat(again.complaints()).isEmpty();
    assertThat(skipped(again)).isEqualTo(2);
    assertThat(ran()).containsExactlyInAnyOrder("a", "c", "d");
    Ended nothing = fragile("a\nc\nd\n", "--history=0");
    assertThat(nothing.code()).isZero();
    assertThat(skipped(nothing)).isEqualTo(3);
    assertThat(ran()).hasSize(3);
  }

  @Test
  void whatFailedStaysFailedUnlessItIsAskedFor() throws Exception {
    assertThat(fragile("a\nb\n").code()).isEqualTo(1);
    Ended again = fragile("a\nb\nc\n");
    assertThat(again.code()).as("skipping what had failed is no success").isEqualTo(1);
    assertThat(skipped(again)).isEqualTo(2);
    assertThat(ran()).containsExactlyInAnyOrder("a", "b", "c");
    Files.createFile(directory.resolve("mended"));
    assertThat(fragile("a\nb\nc\nd\n", "--retry-failed").code()).isEqualTo(75);
    assertThat(ran()).hasSize(4).endsWith("b");
    assertThat(fragile("a\nb\nc\nd\n", "--resume-failed").code()).isZero();
    assertThat(ran()).hasSize(5).endsWith("d");
    assertThat(fragile("a\nb\nc\nd\n").code()).isZero();
    assertThat(ran()).hasSize(5);
  }

  @Test
  void restartBeginsAnew() throws Exception {
    assertThat(fragile("a\nc\n").code()).isZero();
    Ended anew = fragile("x\na\n", "--restart");
    assertThat(anew.code()).isZero();
    assertThat(skipped(anew)).isZero();
    assertThat(ran()).containsExactlyInAnyOrder("a", "c", "x", "a");
    assertThat(skipped(fragile("x\na\n"))).isEqualTo(2);
  }

  @Test
  void aRestartThatCannotBeginForgetsNothing() throws Exception {
    assertThat(fragile("a\nc\n").code()).isZero();
    assertThat(fragile("", "--restart", "-a", "missing").code()).isEqualTo(66);
    assertThat(skipped(fragile("a\nc\n"))).isEqualTo(2);
  }

  @Test
  @Tag("CASE-25")
  void changedInputIsToldAndNeitherRunNorSkipped() throws Exception {
    assertThat(fragile("a\nc\nd\n").code()).isZero();
    Ended changed = fragile("a\nX\nd\ne\n");
    assertThat(changed.code()).isEqualTo(66);
    assertThat(changed.complaints())
        .singleElement()
        .asString()
        .contains("line 2 is not what the store has at position 2", "it was not run", "--restart");
    assertThat(skipped(changed)).isEqualTo(1);
    assertThat(ran()).hasSize(3);
  }

  /** Lines enough that some are kept as one digest. */
  private static String many(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i <= to; i++) {
      lines.append("line ").append(i).append('\n');
    }
    return lines.toString();
  }

  @Test
  @Tag("CASE-25")
  void oneChangedLineAmongThousandsIsTold() throws Exception {
    assertThat(run(many(1, 1500), List.of("-j4"), "test \"$0\" != 'line 700'").code()).isEqualTo(1);
    String changed = many(1, 299) + "other\n" + many(301, 1600);
    Ended told = run(changed, List.of(), "echo >> ran");
    assertThat(told.code()).isEqualTo(66);
    assertThat(told.complaints())
        .singleElement()
        .asString()
        .contains("is not what the store has at the positions 1 to 1024", "--restart");
    assertThat(skipped(told)).as("but for the line that failed, and is known").isEqualTo(1);
    assertThat(ran()).isEmpty();
    Ended same = run(many(1, 1500), List.of("--resume-failed"), "echo \"$0\" >> ran");
    assertThat(same.code()).isZero();
    assertThat(ran()).containsExactly("line 700");
    assertThat(skipped(same)).isEqualTo(1499);
    Ended shorter = run(many(1, 800), List.of(), "echo >> ran");
    assertThat(shorter.code()).as("it cannot be told whether it is the same").isEqualTo(66);
    assertThat(shorter.complaints())
        .singleElement()
        .asString()
        .contains("ends at position 800", "1 to 1024");
  }

  @Test
  void aShorterInputIsTold() throws Exception {
    assertThat(fragile("a\nb\nc\n").code()).isEqualTo(1);
    Ended shorter = fragile("a\n", "--resume-failed");
    assertThat(shorter.code()).isEqualTo(75);
    assertThat(shorter.complaints())
        .singleElement()
        .asString()
        .endsWith("store, which has 2 more positions; 1 of them were to be run");
    assertThat(fragile("a\n").code()).isZero();
  }

  // ---- uncertain ----

  /** Leaves the lines a, b, c with a done, b uncertain and c never started. */
  private void leaveUncertain() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc\n")
            .start(
                "run",
                "-j1",
                "--store=db",
                "--",
                "sh",
                "-c",
                "echo \"$0\" >> ran; test $0 = a || { " + Gate.SAY + Gate.WAIT + "}")) {
      Groups.awaitIds(gate.ids(), 1);
      process.signal("KILL");
      process.exitCode();
    }
    gate.letThrough(1);
    Groups.awaitGone(Groups.ids(gate.ids()));
    assertThat(ran()).containsExactly("a", "b");
  }

  @Test
  @Tag("K3")
  @Tag("K4")
  void whatAKillCaughtRunningIsHeldAndListed() throws Exception {
    leaveUncertain();
    Ended held = fragile("a\nb\nc\n");
    assertThat(held.code()).isEqualTo(75);
    assertThat(ran()).containsExactly("a", "b", "c");
    assertThat(held.report()).containsPattern("\"uncertain\":\\[\"2-[0-9a-f]{16}\"]");
    assertThat(held.complaints())
        .singleElement()
        .asString()
        .contains("1 uncertain", "headgate decide db ID rerun|complete|fail", "--uncertain rerun");
    assertThat(skipped(held)).isEqualTo(1);
  }

  @Test
  @Tag("K4")
  void uncertainLinesAreRunAgainWhereThatIsAskedFor() throws Exception {
    leaveUncertain();
    Files.createFile(directory.resolve("mended"));
    assertThat(fragile("a\nb\nc\n", "--uncertain=rerun").code()).isZero();
    assertThat(ran()).containsExactlyInAnyOrder("a", "b", "b", "c");
    assertThat(fragile("a\nb\nc\n").code()).isZero();
  }

  @Test
  @Tag("K4")
  void uncertainLinesFailWhereThatIsAskedFor() throws Exception {
    leaveUncertain();
    Ended failed = fragile("a\nb\nc\n", "--uncertain=fail");
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.report()).containsPattern("\"uncertain\":\\[\"2-[0-9a-f]{16}\"]");
    assertThat(fragile("a\nb\nc\n").code()).as("failed for good").isEqualTo(1);
    assertThat(ran()).containsExactly("a", "b", "c");
  }

  @Test
  @Tag("K7")
  @Tag("D13")
  void aDrainCostsWhatNeverStartedNothing() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc\nd\n")
            .inputStaysOpen()
            .start(
                "run",
                "-j1",
                "--capacity=9",
                "--grace=0s",
                "--store=db",
                "--report=report",
                "--",
                "sh",
                "-c",
                "echo \"$0\" >> ran; test $0 = a || { " + Gate.SAY + "sleep 1000; }")) {
      Groups.awaitIds(gate.ids(), 1);
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(75);
      assertThat(process.complaints())
          .singleElement()
          .asString()
          .contains("1 interrupted, which are uncertain for the next run", "headgate decide db");
    }
    Ended next = fragile("a\nb\nc\nd\n", "-j1", "--uncertain=hold");
    assertThat(next.code()).isEqualTo(75);
    assertThat(ran()).containsExactly("a", "b", "c", "d");
    assertThat(next.report()).contains("\"uncertain\":[\"2-");
  }

  @Test
  @Tag("D13")
  void aDrainInTimeLeavesNothingUncertain() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc\n")
            .inputStaysOpen()
            .start(
                "run",
                "-j2",
                "--capacity=0",
                "--store=db",
                "--",
                "sh",
                "-c",
                "echo \"$0\" >> ran; " + Gate.SAY + Gate.WAIT)) {
      Groups.awaitIds(gate.ids(), 2);
      process.signal("TERM");
      gate.letThrough(3);
      assertThat(process.exitCode()).isEqualTo(75);
    }
    Files.createFile(directory.resolve("mended"));
    Ended next = fragile("a\nb\nc\n");
    assertThat(next.code()).isZero();
    assertThat(ran()).containsExactlyInAnyOrder("a", "b", "c");
  }

  // ---- beside other options ----

  @Test
  void aJoblogBesideAStoreGoesOnByItself() throws Exception {
    assertThat(fragile("a\nc\n", "--joblog=log").code()).isZero();
    assertThat(fragile("a\nc\nd\n", "--joblog=log").code()).isZero();
    assertThat(Rows.once(directory.resolve("log")))
        .isEqualTo(Map.of(1L, "completed", 2L, "completed", 3L, "completed"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--store=db --resume --joblog=log|contradict each other: with a store the store says",
        "--store=db --restart --resume-failed|contradict each other",
        "--store=db --restart --retry-failed|contradict each other",
        "--store=db --restart --uncertain=rerun|contradict each other",
        "--store=db --retry-failed --uncertain=rerun|contradict each other",
        "--restart|needs --store FILE",
        "--uncertain=fail|needs --store FILE",
        "--store=db --uncertain=never|must be one of hold, rerun, fail",
        "--store=db --retry-failed|has no earlier run to take failures from",
        "--store=db --joblog=./db|name the same file",
      })
  void whatContradictsIsRefusedWithWords(String options, String words) throws Exception {
    List<String> all = new ArrayList<>(List.of("run"));
    all.addAll(List.of(options.split(" ")));
    all.addAll(List.of("--", "sh", "-c", FRAGILE));
    try (HeadgateProcess process = headgate().input("a\n").start(all.toArray(new String[0]))) {
      assertThat(process.exitCode()).isEqualTo(64);
      assertThat(process.err()).contains(words).hasLineCount(1);
    }
    assertThat(ran()).isEmpty();
  }

  @Test
  void orderAndResultsHoldOverTheRunsOfAStore() throws Exception {
    String script = "echo out \"$0\"; test \"$0\" != b || test -e mended";
    Ended first = run("a\nb\n", List.of("-k", "-j2", "--results=results"), script);
    assertThat(first.out()).isEqualTo("out a\nout b\n");
    Files.createFile(directory.resolve("mended"));
    Ended next =
        run("a\nb\nc\nd\n", List.of("-k", "-j2", "--results=results", "--resume-failed"), script);
    assertThat(next.code()).isZero();
    assertThat(next.out()).isEqualTo("out b\nout c\nout d\n");
    assertThat(directory.resolve("results/1/stdout")).hasContent("out a\n");
    assertThat(directory.resolve("results/2/status")).hasContent("0\n");
  }

  /** Waits until a line is recorded as between two attempts. */
  private void awaitSuspended() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              try (ProgressStore store = ProgressStore.look(directory.resolve("db"))) {
                return store != null && store.beyond(0, List.of(LineState.SUSPENDED)) == 1;
              }
            });
  }

  /** A command that fails and, for an hour, is not to be tried again. */
  private HeadgateProcess retrying() throws IOException {
    return headgate()
        .input("a\n")
        .inputStaysOpen()
        .start(
            "run",
            "--retries=100",
            "--delay=1h",
            "--store=db",
            "--",
            "sh",
            "-c",
            "echo \"$0\" >> ran; exit 1");
  }

  @Test
  void aLineBetweenTwoAttemptsIsRunAgainAfterAKill() throws Exception {
    try (HeadgateProcess process = retrying()) {
      awaitSuspended();
      process.signal("KILL");
      process.exitCode();
    }
    assertThat(fragile("a\n").code()).isZero();
    assertThat(ran()).containsExactly("a", "a");
  }

  @Test
  void aHaltedRunGoesOnWithWhatItNeverStarted() throws Exception {
    assertThat(fragile("a\nb\nc\nd\n", "-j1", "--capacity=1", "--halt=now,fail=1").code())
        .isEqualTo(75);
    assertThat(ran()).containsExactly("a", "b");
    assertThat(fragile("a\nb\nc\nd\n", "-j1").code()).isEqualTo(1);
    assertThat(ran()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void dryRunShowsWhatWouldBeRunAndChangesNothing() throws Exception {
    assertThat(fragile("a\nb\n").code()).isEqualTo(1);
    byte[] before = Files.readAllBytes(directory.resolve("db"));
    for (String option : List.of("--resume-failed", "--tag", "--restart")) {
      try (HeadgateProcess process =
          headgate()
              .input("a\nb\nc\n")
              .start("run", "--dry-run", "--store=db", option, "--", "echo", "{}")) {
        assertThat(process.exitCode()).as(process.err()).isZero();
        assertThat(process.out())
            .isEqualTo(
                switch (option) {
                  case "--resume-failed" -> "echo b\necho c\n";
                  case "--restart" -> "echo a\necho b\necho c\n";
                  default -> "echo c\n";
                });
      }
    }
    assertThat(Files.readAllBytes(directory.resolve("db"))).isEqualTo(before);
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--dry-run", "--store=none", "--", "echo")) {
      assertThat(process.exitCode()).isZero();
    }
    assertThat(directory.resolve("none")).doesNotExist();
  }

  @Test
  void linesThatCanNeverRunAreRefusedEachTimeAndHoldUpNothing() throws Exception {
    String input = "x".repeat(200_000) + "\na\nz\0z\n";
    assertThat(fragile(input).code()).isEqualTo(75);
    Ended again = fragile(input);
    assertThat(again.code()).isEqualTo(75);
    assertThat(skipped(again)).as("what ran, and what failed").isEqualTo(2);
    assertThat(ran()).containsExactly("a");
  }

  @Test
  void equalLinesAreDoneByTheirTwins() throws Exception {
    assertThat(fragile("a\nc\na\n", "--id=line", "-j1").code()).isZero();
    assertThat(skipped(fragile("a\nc\na\n", "--id=line"))).isEqualTo(3);
    assertThat(ran()).containsExactly("a", "c");
  }

  // ---- the file ----

  @Test
  void aSecondProcessIsRefusedWithThePidOfTheFirst() throws Exception {
    try (HeadgateProcess first =
        headgate()
            .input("a\n")
            .start("run", "--store=db", "--", "sh", "-c", Gate.SAY + Gate.WAIT)) {
      Groups.awaitIds(gate.ids(), 1);
      Path other = Files.createDirectory(directory.resolve("other"));
      try (HeadgateProcess second =
          HeadgateProcess.in(other)
              .input("a\n")
              .start("run", "--store=../db", "--", "sh", "-c", "echo >> ran")) {
        assertThat(second.exitCode()).isEqualTo(69);
        assertThat(second.complaints())
            .singleElement()
            .asString()
            .contains("in use by process " + first.pid());
      }
      assertThat(other.resolve("ran")).doesNotExist();
      gate.letThrough(1);
      assertThat(first.exitCode()).isZero();
    }
  }
}
