package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where Headgate differs from {@code xargs} on purpose: one test for each difference. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class XargsDifferenceTest {
  private static final String SHOW = "<%s>\\n";

  @TempDir Path directory;
  private Peer peer;

  @BeforeEach
  void thisDirectory() {
    peer = Peer.in(directory);
  }

  @Test
  void aLineIsOneArgumentWhereXargsSplitsAtBlanks() throws Exception {
    assertThat(peer.xargs("a b\n", "printf", SHOW).out()).isEqualTo("<a>\n<b>\n");
    assertThat(peer.headgate("a b\n", "--", "printf", SHOW).out()).isEqualTo("<a b>\n");
  }

  @Test
  void quotesAndBackslashesAreOrdinaryWhereXargsReadsThem() throws Exception {
    assertThat(peer.xargs("\"a\" \\b\n", "printf", SHOW).out()).isEqualTo("<a>\n<b>\n");
    assertThat(peer.xargs("don't\n", "printf", SHOW).code()).isEqualTo(1);
    assertThat(peer.headgate("\"a\" \\b\ndon't\n", "-j1", "--", "printf", SHOW).out())
        .isEqualTo("<\"a\" \\b>\n<don't>\n");
  }

  @Test
  void blanksAtTheFrontStayWhereXargsStripsThem() throws Exception {
    assertThat(peer.xargs("  a\n", "-I{}", "printf", SHOW, "{}").out()).isEqualTo("<a>\n");
    assertThat(peer.headgate("  a\n", "-I{}", "--", "printf", SHOW, "{}").out())
        .isEqualTo("<  a>\n");
  }

  @Test
  void aCommandGetsOneLineWhereXargsGivesAllThatFit() throws Exception {
    assertThat(peer.xargs("a\nb\n", "echo").out()).isEqualTo("a b\n");
    assertThat(peer.headgate("a\nb\n", "-j1", "--", "echo").out()).isEqualTo("a\nb\n");
  }

  @Test
  void withoutInputNothingRunsWhereXargsRunsOnce() throws Exception {
    assertThat(peer.xargs("", "echo", "once").out()).isEqualTo("once\n");
    assertThat(peer.headgate("", "--", "echo", "once").out()).isEmpty();
  }

  @Test
  void asManyRunAtOnceAsThereAreProcessorsWhereXargsRunsOne() throws Exception {
    String waitForTwo =
        "touch $1; for i in 1 2 3 4 5 6 7 8 9; do [ -e a ] && [ -e b ] && echo met && exit;"
            + " sleep 0.05; done";
    assertThat(peer.xargs("a\nb\n", "-n1", "sh", "-c", waitForTwo, "_").sorted())
        .containsExactly("met");
    Files.delete(directory.resolve("a"));
    Files.delete(directory.resolve("b"));
    String untilTwo = "touch $1; until [ -e a ] && [ -e b ]; do sleep 0.01; done; echo met";
    assertThat(
            peer.headgateAfter(
                    "export JDK_JAVA_OPTIONS=-XX:ActiveProcessorCount=2;",
                    "a\nb\n",
                    "--",
                    "sh",
                    "-c",
                    untilTwo,
                    "_")
                .sorted())
        .containsExactly("met", "met");
  }

  @Test
  void aFailedRunIs1WhereXargsHas123To125() throws Exception {
    assertThat(peer.xargs("a\n", "false").code()).isEqualTo(123);
    assertThat(peer.xargs("a\n", "sh", "-c", "kill -9 $$").code()).isEqualTo(125);
    assertThat(peer.headgate("a\n", "--", "false").code()).isEqualTo(1);
    assertThat(peer.headgate("a\n", "--", "sh", "-c", "kill -9 $$").code()).isEqualTo(1);
  }

  @Test
  void status255IsAFailureLikeOthersWhereXargsEndsTheRun() throws Exception {
    String[] command = {"sh", "-c", "echo $1; exit 255", "_"};
    Peer.Ended xargs = peer.xargs("a\nb\n", "-n1", "sh", "-c", command[2], "_");
    assertThat(xargs.out()).isEqualTo("a\n");
    assertThat(xargs.code()).isEqualTo(124);
    Peer.Ended headgate = peer.headgate("a\nb\n", "--", "sh", "-c", command[2], "_");
    assertThat(headgate.sorted()).containsExactly("a", "b");
    assertThat(headgate.code()).isEqualTo(1);
  }

  @Test
  void aLineThatIsTooLongIsRefusedAloneWhereXargsEndsTheRun() throws Exception {
    String input = "x".repeat(140_000) + "\nok\n";
    Peer.Ended xargs = peer.xargs(input, "-d\\n", "-n1", "echo");
    assertThat(xargs.out()).isEmpty();
    assertThat(xargs.code()).isEqualTo(1);
    Peer.Ended headgate = peer.headgate(input, "--", "echo");
    assertThat(headgate.out()).isEqualTo("ok\n");
    assertThat(headgate.code()).isEqualTo(75);
  }

  @Test
  void aLineWithAZeroByteFailsWhereXargsCutsIt() throws Exception {
    assertThat(peer.xargs("a\0b\n", "-d\\n", "printf", SHOW).out()).isEqualTo("<a>\n");
    Peer.Ended headgate = peer.headgate("a\0b\n", "--", "printf", SHOW);
    assertThat(headgate.out()).isEmpty();
    assertThat(headgate.code()).isEqualTo(1);
  }

  @Test
  void aLineThatTheCommandDoesNotNameIsAppendedWhereXargsDropsIt() throws Exception {
    assertThat(peer.xargs("a\n", "-I%", "echo", "got").out()).isEqualTo("got\n");
    assertThat(peer.headgate("a\n", "-I%", "--", "echo", "got").out()).isEqualTo("got a\n");
  }

  @Test
  void severalLinesFillATokenWhereXargsTakesOneOfTheTwoOptions() throws Exception {
    assertThat(peer.xargs("a\nb\n", "-n2", "-I%", "echo", "%", "end").out())
        .isEqualTo("a end\nb end\n");
    assertThat(peer.headgate("a\nb\n", "-n2", "-I%", "--", "echo", "%", "end").out())
        .isEqualTo("a b end\n");
  }

  @Test
  void theNameMayComeFromTheLineWhereXargsTakesItAsItIs() throws Exception {
    assertThat(peer.xargs("true\n", "-I{}", "{}").code()).isEqualTo(127);
    assertThat(peer.headgate("true\n", "--", "{}").code()).isZero();
  }

  @Test
  void linesOfTwoCommandsNeverMixWhereThoseOfXargsDo() throws Exception {
    String script =
        "case $1 in a) printf [; touch $0.1; until [ -e $0.2 ]; do sleep 0.01; done; echo ];;"
            + " b) until [ -e $0.1 ]; do sleep 0.01; done; echo b; touch $0.2;; esac";
    assertThat(peer.xargs("a\nb\n", "-P2", "-n1", "sh", "-c", script, "theirs").out())
        .isEqualTo("[b\n]\n");
    assertThat(peer.headgate("a\nb\n", "-P2", "--", "sh", "-c", script, "ours").sorted())
        .containsExactly("[]", "b");
  }

  @Test
  @Tag("CASE-23")
  void aStopLeavesNoCommandBehindWhereXargsLeavesThemRunning() throws Exception {
    String script = "echo $$ >$1; exec sleep 1000";
    Process xargs = peer.start("theirs\n", List.of("xargs", "-n1", "sh", "-c", script, "_"));
    long left = awaitPid("theirs");
    try {
      xargs.destroy();
      xargs.waitFor();
      assertThat(ProcessHandle.of(left)).isPresent();
    } finally {
      ProcessHandle.of(left).ifPresent(ProcessHandle::destroyForcibly);
    }
    try (HeadgateProcess headgate =
        HeadgateProcess.in(directory)
            .input("ours\n")
            .start("run", "--grace=0s", "--", "sh", "-c", script, "_")) {
      long command = awaitPid("ours");
      headgate.signal("TERM");
      assertThat(headgate.exitCode()).isEqualTo(75);
      assertThat(ProcessHandle.of(command)).isEmpty();
    }
  }

  private long awaitPid(String name) {
    Path file = directory.resolve(name);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(file) && Files.readString(file).endsWith("\n"));
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRunWithoutABoundIsRefusedWhereXargsHasP0() throws Exception {
    assertThat(peer.xargs("a\n", "-P0", "echo").out()).isEqualTo("a\n");
    Peer.Ended headgate = peer.headgate("a\n", "-P0", "--", "echo");
    assertThat(headgate.code()).isEqualTo(64);
    assertThat(headgate.err()).contains("without a bound");
  }

  @Test
  void theCommandComesAfterTwoDashesWhereXargsTakesItAtOnce() throws Exception {
    assertThat(peer.xargs("a\n", "echo").out()).isEqualTo("a\n");
    Peer.Ended headgate = peer.headgate("a\n", "echo");
    assertThat(headgate.code()).isEqualTo(64);
    assertThat(headgate.err()).contains("come after --");
  }

  @Test
  void emptyLinesAreSkippedWhereXargsByLinesPassesThem() throws Exception {
    assertThat(peer.xargs("a\n\n", "-d\\n", "-n1", "printf", SHOW).out()).isEqualTo("<a>\n<>\n");
    assertThat(peer.headgate("a\n\n", "--", "printf", SHOW).out()).isEqualTo("<a>\n");
    assertThat(peer.headgate("a\n\n", "-j1", "-d\\n", "--", "printf", SHOW).out())
        .isEqualTo("<a>\n<>\n");
  }

  @Test
  void lastLinesOfOutputGetANewlineWhereXargsAddsNone() throws Exception {
    assertThat(peer.xargs("a\nb\n", "-n1", "printf", "%s").out()).isEqualTo("ab");
    assertThat(peer.headgate("a\nb\n", "-j1", "--", "printf", "%s").out()).isEqualTo("a\nb\n");
  }

  @Test
  void longLinesOfOutputAreCutWhereXargsPassesThemWhole() throws Exception {
    String line = "x".repeat(100_000) + "\n";
    assertThat(peer.xargs(line, "-n1", "echo").out()).isEqualTo(line);
    assertThat(peer.headgate(line, "--", "echo").out())
        .isEqualTo("x".repeat(65_536) + "\n" + "x".repeat(100_000 - 65_536) + "\n");
  }
}
