package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bar of the real command on a real terminal. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BarProcessTest {
  /** Says what it got, and waits to be let through. */
  private static final String GATED = " -- sh -c 'echo got $0; " + Gate.SAY + Gate.WAIT + "' {} ";

  private static final String STUBBORN =
      " -- sh -c 'trap \"\" TERM; " + Gate.SAY + "while :; do sleep 1000; done' ";

  private static final String ERASE = "\033[K";

  @TempDir Path directory;
  private Gate gate;

  @BeforeEach
  void makeGate() throws Exception {
    gate = new Gate(directory);
    Files.writeString(directory.resolve("input"), "a\nb\n");
  }

  @AfterEach
  void noChildIsLeft() throws IOException {
    Groups.awaitGone(Groups.ids(gate.ids()));
    gate.close();
  }

  private TerminalProcess start(String script) throws IOException {
    return TerminalProcess.start(directory, script);
  }

  @Test
  void itShowsHowFarAFileIsDoneAndIsGoneAtTheEnd() throws Exception {
    try (TerminalProcess process = start("./headgate run --bar -j1" + GATED + "< input")) {
      process.awaitText("0%, 0 completed, 0 failed, 1 running");
      gate.letThrough(1);
      process.awaitText("50%, 1 completed, 0 failed, 1 running");
      process.awaitText("ETA ");
      gate.letThrough(1);
      assertThat(process.exitCode()).isZero();
      assertThat(process.lines()).containsExactly("got a", "got b");
    }
  }

  @Test
  void itComesByItselfWhereARunLasts() throws Exception {
    try (TerminalProcess process = start("./headgate run -j1 -a input" + GATED)) {
      process.awaitText("0 completed");
      gate.letThrough(2);
      assertThat(process.exitCode()).isZero();
      assertThat(process.lines()).containsExactly("got a", "got b");
    }
  }

  /** Without a file the input is the terminal. */
  @ParameterizedTest
  @ValueSource(strings = {"--no-bar -a input", "-a input 2> errors", ""})
  void itDoesNotComeWhereNobodyWantsIt(String words) throws Exception {
    try (TerminalProcess process =
        start("./headgate run -j2 " + words + " -- sh -c 'sleep 2; echo got $0'")) {
      process.type("a\nb\n\004");
      assertThat(process.exitCode()).isZero();
      assertThat(process.text())
          .contains("got a", "got b")
          .doesNotContain("completed")
          .doesNotContain(ERASE);
      Path errors = directory.resolve("errors");
      assertThat(!Files.exists(errors) || Files.size(errors) == 0).isTrue();
    }
  }

  @Test
  @Tag("CASE-24")
  void outputIsWholeAndAPipeHasNoEstimate() throws Exception {
    try (TerminalProcess process =
        start(
            "seq 200 | ./headgate run --bar -j4 -- sh -c 'test $0 != 9 || sleep 2; echo out $0;"
                + " echo err $0 >&2'")) {
      assertThat(process.exitCode()).isZero();
      assertThat(process.text()).contains(" completed").doesNotContain("ETA", "%");
      List<String> expected =
          IntStream.rangeClosed(1, 200)
              .boxed()
              .flatMap(i -> Stream.of("out " + i, "err " + i))
              .toList();
      assertThat(process.lines()).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void aTotalThatIsGivenIsBelieved() throws Exception {
    try (TerminalProcess process =
        start("printf '%s\\n' a b c d | ./headgate run --bar --total 4 -j1" + GATED)) {
      gate.letThrough(1);
      process.awaitText("25%, 1 completed, 0 failed, 1 running");
      process.awaitText("ETA ");
      gate.letThrough(3);
      assertThat(process.exitCode()).isZero();
    }
  }

  @Test
  @Tag("CASE-24")
  void anEndlessInputIsNotReadAhead() throws Exception {
    try (TerminalProcess process =
        start("yes | ./headgate run --bar -j2 --capacity=2 --report=report" + GATED)) {
      process.awaitText("2 running");
      Groups.awaitIds(gate.ids(), 2);
      process.signal("TERM");
      gate.letThrough(8);
      assertThat(process.exitCode()).isEqualTo(75);
      String report = HeadgateProcess.report(directory.resolve("report"));
      assertThat(HeadgateProcess.count(report, "lines")).isLessThanOrEqualTo(8);
      List<String> lines = Screen.after(process.text(), 500);
      assertThat(lines.get(lines.size() - 2)).startsWith("headgate: ").contains(" accepted: ");
      assertThat(lines.get(lines.size() - 1)).isEmpty();
      assertThat(process.text()).doesNotContain("%");
    }
  }

  @Test
  @Tag("CASE-21")
  void theThirdSignalTakesItAway() throws Exception {
    try (TerminalProcess process =
        start("./headgate run --bar -j2 --grace=1h --cleanup=1h" + STUBBORN + "< input")) {
      Groups.awaitIds(gate.ids(), 2);
      process.awaitText("2 running");
      process.signalUntilGone("TERM");
      assertThat(process.exitCode()).isEqualTo(143);
      assertThat(Screen.after(process.text(), 500)).noneMatch(line -> line.contains("running"));
    }
  }

  @Test
  void aKillLeavesTheTerminalAsItWas() throws Exception {
    try (TerminalProcess process =
        start(
            "stty -g > before; ./headgate run --bar -j1"
                + GATED
                + "< input & wait $!; stty -g > after")) {
      Groups.awaitIds(gate.ids(), 1);
      process.awaitText("1 running");
      process.signal("KILL");
      assertThat(process.exitCode()).isZero();
      assertThat(Files.readString(directory.resolve("after")))
          .isNotBlank()
          .isEqualTo(Files.readString(directory.resolve("before")));
    } finally {
      gate.letThrough(1);
    }
  }
}
