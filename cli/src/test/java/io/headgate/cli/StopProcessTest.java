package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real signals to the real command. After each test no child may be left. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StopProcessTest extends GatedProcess {
  /** Runs until it is told to stop. */
  private static final String ENDLESS = Gate.SAY + "sleep 1000";

  /** Runs until it is killed. */
  private static final String STUBBORN =
      "trap '' TERM; " + Gate.SAY + "while :; do sleep 1000; done";

  private String report() throws IOException {
    return HeadgateProcess.report(directory.resolve("report"));
  }

  private static long count(String report, String key) {
    return HeadgateProcess.count(report, key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT", "HUP"})
  @Tag("D13")
  @Tag("CASE-18")
  void theFirstSignalLetsAcceptedWorkEndWell(String signal) throws Exception {
    // That the last line has no newline tells that its job starts after the end of input was seen.
    try (HeadgateProcess process =
        headgate()
            .input("a\nb")
            .start("run", "-j2", "--report=report", "--", "sh", "-c", Gate.SAY + Gate.WAIT)) {
      Groups.awaitIds(gate.ids(), 2);
      process.signal(signal);
      gate.letThrough(2);
      assertThat(process.exitCode()).isZero();
      assertThat(process.err()).isEmpty();
      String report = report();
      assertThat(count(report, "completed")).isEqualTo(2);
      assertThat(count(report, "signals")).isEqualTo(1);
      assertThat(report).contains("\"isClean\":true", "\"endOfInput\":true");
    }
  }

  @Test
  @Tag("D13")
  @Tag("D14")
  @Tag("CASE-22")
  void termWithAFullBacklogEndsWhatIsAcceptedAndTellsThatInputIsLeft() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("line\n".repeat(1000))
            .inputStaysOpen()
            .start(
                "run",
                "-j2",
                "--capacity=2",
                "--report=report",
                "--",
                "sh",
                "-c",
                Gate.SAY + Gate.WAIT)) {
      Groups.awaitIds(gate.ids(), 2);
      process.signal("TERM");
      gate.letThrough(8);
      assertThat(process.exitCode()).isEqualTo(75);
      String report = report();
      assertThat(count(report, "accepted")).isBetween(2L, 8L);
      assertThat(count(report, "completed")).isEqualTo(count(report, "accepted"));
      assertThat(report).contains("\"endOfInput\":false");
      assertThat(process.err()).contains("the input was not read to its end");
    }
  }

  @Test
  @Tag("D4")
  @Tag("D14")
  @Tag("L10")
  @Tag("CASE-23")
  void atTheDeadlineTheRunningAreToldAndTheWaitingNeverStart() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("1\n2\n3\n4")
            .start(
                "run",
                "-j1",
                "--capacity=3",
                "--history=1",
                "--grace=0s",
                "--report=report",
                "--",
                "sh",
                "-c",
                ENDLESS)) {
      Groups.awaitIds(gate.ids(), 1);
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(75);
      String report = report();
      long accepted = count(report, "accepted");
      assertThat(count(report, "interrupted")).isEqualTo(1);
      assertThat(count(report, "unstarted")).isEqualTo(accepted - 1);
      List<String> positions = new ArrayList<>();
      for (long position = 1; position <= accepted; position++) {
        positions.add(Long.toString(position));
      }
      assertThat(HeadgateProcess.abandoned(report))
          .map(id -> id.substring(0, id.indexOf('-')))
          .isEqualTo(positions);
      assertThat(report).contains("\"isClean\":false");
    }
  }

  @Test
  @Tag("D13")
  @Tag("CASE-21")
  void theSecondSignalCancelsAtOnce() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb")
            .start("run", "-j2", "--grace=1h", "--report=report", "--", "sh", "-c", ENDLESS)) {
      Groups.awaitIds(gate.ids(), 2);
      // Two of one kind could become one while the first is pending.
      process.signal("TERM").signal("INT");
      assertThat(process.exitCode()).isEqualTo(75);
      String report = report();
      assertThat(count(report, "interrupted")).isEqualTo(2);
      assertThat(count(report, "signals")).isEqualTo(2);
      assertThat(report).contains("\"ending\":\"ABORTED\"");
    }
  }

  @Test
  @Tag("D13")
  @Tag("CASE-21")
  @Tag("CASE-23")
  void theThirdSignalKillsAllAndHalts() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\n".repeat(100))
            .inputStaysOpen()
            .start("run", "-j3", "--grace=1h", "--cleanup=1h", "--", "sh", "-c", STUBBORN)) {
      Groups.awaitIds(gate.ids(), 3);
      process.signalUntilGone("TERM");
      assertThat(process.exitCode()).isEqualTo(143);
    }
  }

  @Test
  void theThirdThatIsIntHaltsWithItsOwnCode() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a")
            .start("run", "--grace=1h", "--cleanup=1h", "--", "sh", "-c", STUBBORN)) {
      Groups.awaitIds(gate.ids(), 1);
      process.signalUntilGone("INT");
      assertThat(process.exitCode()).isEqualTo(130);
    }
  }

  @Test
  @Tag("D5")
  @Tag("D6")
  void aChildThatIgnoresTermIsKilledWithinTheCleanup() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb")
            .start(
                "run",
                "-j2",
                "--grace=0s",
                "--cleanup=2s",
                "--report=report",
                "--",
                "sh",
                "-c",
                STUBBORN)) {
      Groups.awaitIds(gate.ids(), 2);
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(75);
      String report = report();
      assertThat(count(report, "interrupted")).isEqualTo(2);
      assertThat(report).contains("\"stuck\":[]");
    }
  }

  @Test
  @Tag("L4")
  @Tag("CASE-17")
  void whatEndsByItselfDuringADrainIsNotInterrupted() throws Exception {
    String script = "trap 'exit $0' TERM; " + Gate.SAY + "sleep 1000 & wait";
    try (HeadgateProcess process =
        headgate()
            .input("0\n5")
            .start("run", "-j2", "--grace=0s", "--report=report", "--", "sh", "-c", script)) {
      Groups.awaitIds(gate.ids(), 2);
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(1);
      String report = report();
      assertThat(count(report, "completed")).isEqualTo(1);
      assertThat(count(report, "failed")).isEqualTo(1);
      assertThat(report).contains("\"errorType\":\"io.headgate.cli.ExitStatus\"", "exit status 5");
    }
  }

  @Test
  @Tag("D13")
  void aStopDoesNotWaitForInputThatDoesNotCome() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\n")
            .inputStaysOpen()
            .start("run", "-j2", "--report=report", "--", "sh", "-c", Gate.SAY)) {
      Groups.awaitIds(gate.ids(), 1);
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(75);
      assertThat(count(report(), "completed")).isEqualTo(1);
    }
  }

  @Test
  void whereHupIsIgnoredAsUnderNohupItStaysIgnored() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a")
            .before("trap '' HUP;")
            .start("run", "--report=report", "--", "sh", "-c", Gate.SAY + Gate.WAIT)) {
      Groups.awaitIds(gate.ids(), 1);
      process.signal("HUP");
      gate.letThrough(1);
      assertThat(process.exitCode()).isZero();
      assertThat(count(report(), "signals")).isZero();
    }
  }

  @Test
  void endsOfChildrenAreSeenWhereTheParentIgnoresThem() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("true\nfalse\n")
            .before("set -- env --ignore-signal=CHLD \"$@\";")
            .start("run", "--report=report", "--", "{}")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(count(report(), "completed")).isEqualTo(1);
      assertThat(report()).contains("exit status 1");
    }
  }

  /** One signal at each instant of the start: it either ends the process or starts a stop. */
  @ParameterizedTest
  @ValueSource(ints = {0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 600})
  @Tag("D13")
  @Tag("CASE-26")
  void noSignalDuringTheStartIsLost(int millis) throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("a\nb\nc\n")
            .inputStaysOpen()
            .start("run", "-j2", "--grace=0s", "--cleanup=2s", "--", "sh", "-c", ENDLESS)) {
      assertThat(process.endsWithin(Duration.ofMillis(millis))).isFalse();
      process.signal("TERM");
      // 143 while the virtual machine has not handed signals to us yet.
      assertThat(process.exitCode()).isIn(75, 143);
      Groups.awaitGone(Groups.ids(gate.ids()));
    }
  }
}
