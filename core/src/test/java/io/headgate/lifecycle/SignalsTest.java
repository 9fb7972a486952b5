package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real signals to a real process. */
final class SignalsTest {

  private static final String[] BOTH_RUN = {"ready", "running a0", "running b0"};
  private static final String[] BOTH_DRAIN = {"first DRAINING", "second DRAINING"};
  private static final String[] BOTH_CANCEL = {"first CANCELLING", "second CANCELLING"};

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT", "HUP"})
  @Tag("D13")
  @Tag("CASE-21")
  void firstSignalClosesAdmissionAndLetsAcceptedJobsEnd(String signal) throws Exception {
    try (Program program = Program.start()) {
      program.awaitLines(BOTH_RUN).signal(signal).awaitLines(BOTH_DRAIN).go();

      assertThat(program.exitCode()).isZero();
      assertThat(program.words())
          .contains("ready Health[started true, READY, live true]", "running a2", "running b2")
          .endsWith("report DRAINED abandoned []", "report DRAINED abandoned []");
    }
  }

  @Test
  @Tag("D14")
  @Tag("CASE-22")
  void stopThatAbandonsJobsExitsWith75AndNamesThem() throws Exception {
    try (Program program = Program.start("no-grace")) {
      program.awaitLines(BOTH_RUN).signal("TERM");

      assertThat(program.exitCode()).isEqualTo(75);
      assertThat(program.words())
          .endsWith(
              "report DEADLINE abandoned [a0, a1, a2]", "report DEADLINE abandoned [b0, b1, b2]");
    }
  }

  @Test
  @Tag("D13")
  @Tag("CASE-21")
  void secondSignalCancels() throws Exception {
    try (Program program = Program.start()) {
      program.awaitLines(BOTH_RUN).signal("TERM").awaitLines(BOTH_DRAIN).signal("INT");

      assertThat(program.exitCode()).isEqualTo(75);
      assertThat(program.words())
          .endsWith(
              "report ABORTED abandoned [a0, a1, a2]", "report ABORTED abandoned [b0, b1, b2]");
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM,143", "INT,130"})
  @Tag("D13")
  @Tag("CASE-21")
  void thirdSignalHaltsWithItsNumber(String signal, int status) throws Exception {
    try (Program program = Program.start("stubborn")) {
      program.awaitLines(BOTH_RUN).signal("TERM").awaitLines(BOTH_DRAIN);
      program.signal("TERM").awaitLines(BOTH_CANCEL).awaitLines("ignored by a0", "ignored by b0");
      program.signal(signal);

      assertThat(program.exitCode()).isEqualTo(status);
      assertThat(program.words()).endsWith("before halt");
    }
  }

  @Test
  @Tag("D14")
  @Tag("CASE-21")
  void stuckHandlerEndsTheProcessBy75WithoutItsHooks() throws Exception {
    try (Program program = Program.start("stubborn", "no-cleanup", "hung-hook")) {
      program.awaitLines(BOTH_RUN).signal("TERM").awaitLines(BOTH_DRAIN).signal("TERM");

      assertThat(program.exitCode()).isEqualTo(75);
      assertThat(program.said())
          .doesNotContain("hangs")
          .containsSubsequence(
              "report STUCK abandoned [a0, a1, a2]", "report STUCK abandoned [b0, b1, b2]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hung-hook", "exiting-hook"})
  @Tag("CASE-21")
  void hookThatNeverEndsIsCutShortWithTheStatusOfTheStop(String hook) throws Exception {
    try (Program program = Program.start(hook, "short-exit")) {
      program.awaitLines(BOTH_RUN).go().signal("TERM");

      assertThat(program.exitCode()).isZero();
    }
  }

  @Test
  @Tag("D13")
  @Tag("CASE-21")
  void thirdSignalHaltsWhileAHookHangs() throws Exception {
    try (Program program = Program.start("hung-hook")) {
      program.awaitLines(BOTH_RUN).go().signal("TERM").awaitLine("hangs");
      program.signal("INT").signal("TERM");

      assertThat(program.exitCode()).isEqualTo(143);
      assertThat(program.words()).endsWith("before halt");
    }
  }

  @Test
  @Tag("D13")
  void thirdSignalHaltsWhileMainHangsAfterTheStop() throws Exception {
    try (Program program = Program.start("main-goes-on", "hung-main")) {
      program.awaitLines(BOTH_RUN).go().signal("TERM").awaitLine("hangs");
      program.signal("TERM").signal("TERM");

      assertThat(program.exitCode()).isEqualTo(143);
    }
  }

  @Test
  @Tag("D12")
  @Tag("D17")
  void nothingKeepsTheProcessOnceTheStopIsOver() throws Exception {
    try (Program program = Program.start("main-goes-on")) {
      program.awaitLines(BOTH_RUN).signal("TERM").awaitLines(BOTH_DRAIN).go();

      assertThat(program.exitCode()).isZero();
      assertThat(program.said()).contains("report DRAINED abandoned []");
    }
  }

  @ParameterizedTest
  @CsvSource({"up", "installed", "added"})
  @Tag("D13")
  void signalDuringStartUpEndsTheProcessByItsRules(String stage) throws Exception {
    try (Program program = Program.start()) {
      program.awaitLine(stage).signal("TERM").go();

      // 143 is the JVM's own answer, until the handlers are there.
      assertThat(program.exitCode()).isIn("up".equals(stage) ? List.of(0, 143) : List.of(0));
      assertThat(program.said()).noneMatch(line -> line.contains("DEADLINE"));
    }
  }

  @Test
  @Tag("D13")
  void nothingIsAcceptedAfterASignalDuringStartUp() throws Exception {
    try (Program program = Program.start("slow-start", "main-goes-on")) {
      program.awaitLine("installed").signal("TERM");
      program.go();

      assertThat(program.exitCode()).isNotEqualTo(143);
      assertThat(program.said()).noneMatch(line -> line.startsWith("Accepted"));
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM,143", "INT,130", "HUP,129"})
  @Tag("D17")
  void closingRestoresTheHandlersOfTheJvm(String signal, int status) throws Exception {
    try (Program program = Program.start("closed")) {
      program.awaitLine("hangs").signal(signal);

      assertThat(program.exitCode()).isEqualTo(status);
      assertThat(program.words()).containsExactly("up", "installed", "closed", "hangs");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xrs", "--limit-modules=java.logging"})
  @Tag("D17")
  void whereSignalsCannotBeHandledOneLineSaysSo(String jvmOption) throws Exception {
    try (Program program = Program.start(List.of(jvmOption))) {
      program.awaitLines(BOTH_RUN).signal("TERM");

      assertThat(program.exitCode()).isEqualTo(143);
      assertThat(program.said())
          .filteredOn(line -> line.contains("cannot be handled here"))
          .singleElement()
          .asString()
          .contains("TERM (", "INT (", "HUP (");
    }
  }
}
