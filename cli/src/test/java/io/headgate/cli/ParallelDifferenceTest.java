package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where Headgate differs from GNU parallel on purpose: one test for each difference. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelDifferenceTest {
  private static final String SHOW = "<%s>\\n";

  @TempDir Path directory;
  private Peer peer;

  @BeforeEach
  void thisDirectory() {
    peer = Peer.in(directory);
  }

  @Test
  void noShellReadsTheCommandWhereParallelStartsOne() throws Exception {
    assertThat(peer.parallel("a\n", "echo $((1+1)) {} >&1 | tr a b").out()).isEqualTo("2 b\n");
    assertThat(peer.headgate("a\n", "--", "echo", "$((1+1))", "{}", "|", "tr").out())
        .isEqualTo("$((1+1)) a | tr\n");
  }

  @Test
  void linesAreNoCommandsWhereParallelRunsThem() throws Exception {
    assertThat(peer.parallel("echo hi\n").out()).isEqualTo("hi\n");
    Peer.Ended headgate = peer.headgate("echo hi\n");
    assertThat(headgate.code()).isEqualTo(64);
    assertThat(headgate.err()).contains("the command is missing");
    assertThat(peer.headgate("echo hi\n", "--", "sh", "-c", "{}").out()).isEqualTo("hi\n");
  }

  @Test
  void emptyLinesAreSkippedWhereParallelRunsThem() throws Exception {
    assertThat(peer.parallel("a\n\nb\n", "-k", "-q", "printf", SHOW).out())
        .isEqualTo("<a>\n<>\n<b>\n");
    assertThat(peer.headgate("a\n\nb\n", "-j1", "--", "printf", SHOW).out())
        .isEqualTo("<a>\n<b>\n");
    assertThat(peer.headgate("a\n\nb\n", "-j1", "-d\\n", "--", "printf", SHOW).out())
        .isEqualTo("<a>\n<>\n<b>\n");
  }

  @Test
  void aFailedRunIs1WhereParallelCountsFailures() throws Exception {
    assertThat(peer.parallel("a\nb\nc\n", "false").code()).isEqualTo(3);
    assertThat(peer.headgate("a\nb\nc\n", "--", "false").code()).isEqualTo(1);
  }

  @Test
  void aRunThatHaltsIs75WhereParallelHasTheStatusOfTheCommand() throws Exception {
    String[] command = {"sh", "-c", "exit 7"};
    String input = "a\n".repeat(500);
    assertThat(
            peer.parallel(input, "-j1", "--halt", "now,fail=1", "-q", "sh", "-c", command[2])
                .code())
        .isEqualTo(7);
    assertThat(
            peer.headgate(input, "-j1", "--halt", "now,fail=1", "--", "sh", "-c", command[2])
                .code())
        .isEqualTo(75);
  }

  @Test
  void aMissingCommandIsToldOnceWhereParallelFailsEveryLine() throws Exception {
    Peer.Ended parallel = peer.parallel("a\nb\n", "no-such-command");
    assertThat(parallel.code()).isEqualTo(2);
    assertThat(parallel.err().lines()).hasSizeGreaterThan(1);
    Peer.Ended headgate = peer.headgate("a\nb\n", "--joblog=log", "--", "no-such-command");
    assertThat(headgate.code()).isEqualTo(127);
    assertThat(headgate.err()).startsWith("headgate: no-such-command: command not found\n");
  }

  @Test
  void outputOfEveryAttemptComesWhereParallelPrintsTheLast() throws Exception {
    String script = "echo out; exit 1";
    assertThat(peer.parallel("a\n", "--retries", "3", "-q", "sh", "-c", script).out())
        .isEqualTo("out\n");
    assertThat(peer.headgate("a\n", "--retries", "3", "--", "sh", "-c", script).out())
        .isEqualTo("out\nout\nout\n");
  }

  @Test
  void attemptsAreANumberWhereParallelGoesOnForEverWith0() throws Exception {
    String script = "echo x >>tries; [ $(wc -l <tries) -ge 5 ]";
    assertThat(peer.parallel("a\n", "--retries", "0", "-q", "sh", "-c", script).code()).isZero();
    assertThat(peer.headgate("a\n", "--retries", "0", "--", "sh", "-c", script).code())
        .isEqualTo(64);
  }

  @Test
  void keptOrderAndRetriesExcludeEachOtherWhereParallelHasBoth() throws Exception {
    assertThat(peer.parallel("a\nb\n", "-k", "--retries", "2", "-q", "echo").out())
        .isEqualTo("a\nb\n");
    Peer.Ended headgate = peer.headgate("a\nb\n", "-k", "--retries", "2", "--", "echo");
    assertThat(headgate.code()).isEqualTo(64);
    assertThat(headgate.err()).contains("--retries and --keep-order contradict each other");
  }

  @Test
  void durationsHaveAUnitWhereParallelCountsSeconds() throws Exception {
    assertThat(peer.parallel("0\n", "--timeout", "9", "sleep").code()).isZero();
    Peer.Ended headgate = peer.headgate("0\n", "--timeout", "9", "--", "sleep");
    assertThat(headgate.code()).isEqualTo(64);
    assertThat(headgate.err()).contains("the unit is missing");
  }

  @Test
  void onlyFailuresHaltWhereParallelKnowsMoreReasons() throws Exception {
    for (String when : List.of("now,success=1", "soon,fail=10%", "now,done=1", "2")) {
      assertThat(peer.parallel("a\n", "--halt", when, "true").code()).isZero();
      Peer.Ended headgate = peer.headgate("a\n", "--halt", when, "--", "true");
      assertThat(headgate.code()).isEqualTo(64);
      assertThat(headgate.err()).contains("must be soon,fail=N or now,fail=N");
    }
  }

  @Test
  void partsOfTheProcessorsAreCountedByTheShellWhereParallelCountsThem() throws Exception {
    for (String jobs : List.of("+1", "50%", "0")) {
      assertThat(peer.parallel("a\n", "-j", jobs, "echo").out()).isEqualTo("a\n");
      Peer.Ended headgate = peer.headgate("a\n", "-j", jobs, "--", "echo");
      assertThat(headgate.code()).isEqualTo(64);
      assertThat(headgate.err()).contains("not known here");
    }
  }

  @Test
  void aJoblogEndsWithOutcomeIdAndHashWhereThatOfParallelHasNone() throws Exception {
    peer.parallel("a\n", "--joblog", "theirs", "echo");
    peer.headgate("a\n", "--joblog", "ours", "--", "echo");
    String theirs = Files.readAllLines(directory.resolve("theirs")).get(0);
    List<String> ours = Files.readAllLines(directory.resolve("ours"));
    assertThat(ours.get(0)).isEqualTo(theirs + "\tOutcome\tId\tHash");
    assertThat(ours.get(1)).contains("\techo a\tcompleted\t1-");
  }

  @Test
  @Tag("CASE-23")
  void whatAHaltKilledHasARowWhereParallelLeavesItOut() throws Exception {
    String input =
        "touch $0.begun; sleep 1000\nuntil [ -e $0.begun ]; do sleep 0.01; done; exit 1\n";
    String[] theirs = {"--halt", "now,fail=1", "--joblog", "theirs", "-q", "sh", "-c", "{}", "p"};
    String[] ours = {"--halt", "now,fail=1", "--joblog", "ours", "--", "sh", "-c", "{}", "h"};
    peer.parallel(input, prepend("-j2", theirs));
    peer.headgate(input, prepend("-j2", ours));
    assertThat(positions("theirs")).containsExactly("2");
    assertThat(positions("ours")).containsExactly("1", "2");
    assertThat(Files.readString(directory.resolve("ours"))).contains("\tinterrupted\t1-");
  }

  private static String[] prepend(String first, String... others) {
    String[] all = new String[others.length + 1];
    all[0] = first;
    System.arraycopy(others, 0, all, 1, others.length);
    return all;
  }

  private List<String> positions(String joblog) throws Exception {
    return Files.readAllLines(directory.resolve(joblog)).stream()
        .skip(1)
        .map(row -> row.substring(0, row.indexOf('\t')))
        .sorted()
        .toList();
  }

  @Test
  void aTimeoutHasExitval0WhereParallelHasMinus1() throws Exception {
    peer.parallel("1000\n", "--timeout", "1", "--joblog", "theirs", "sleep");
    peer.headgate("1000\n", "--timeout", "1s", "--joblog", "ours", "--", "sleep");
    assertThat(Files.readAllLines(directory.resolve("theirs")).get(1)).contains("\t-1\t15\t");
    assertThat(Files.readAllLines(directory.resolve("ours")).get(1))
        .contains("\t0\t15\t", "failed(AttemptTimeout)");
  }

  @Test
  void anOldJoblogIsKeptWhereParallelReplacesIt() throws Exception {
    peer.parallel("a\n", "--joblog", "theirs", "echo");
    peer.parallel("b\n", "--joblog", "theirs", "echo");
    assertThat(Files.readString(directory.resolve("theirs"))).doesNotContain("echo a");
    peer.headgate("a\n", "--joblog", "ours", "--", "echo");
    Peer.Ended again = peer.headgate("b\n", "--joblog", "ours", "--", "echo");
    assertThat(again.code()).isEqualTo(64);
    assertThat(again.err()).contains("--resume");
    assertThat(Files.readString(directory.resolve("ours"))).contains("echo a");
  }

  @Test
  @Tag("CASE-25")
  void changedInputIsToldWhereParallelSkipsTheWrongLine() throws Exception {
    peer.parallel("a\nb\n", "--joblog", "theirs", "echo");
    assertThat(peer.parallel("new\na\nb\n", "--joblog", "theirs", "--resume", "echo").out())
        .as("new is skipped, b is run twice")
        .isEqualTo("b\n");
    peer.headgate("a\nb\n", "-j1", "--joblog", "ours", "--", "echo");
    Peer.Ended headgate =
        peer.headgate("new\na\nb\n", "-j1", "--joblog", "ours", "--resume", "--", "echo");
    assertThat(headgate.out()).isEmpty();
    assertThat(headgate.code()).isEqualTo(66);
    assertThat(headgate.err()).contains("line 1 is not what the joblog has");
  }

  @Test
  void resumingIs1WhereSomethingHadFailedAndParallelHas0() throws Exception {
    peer.parallel("a\n", "--joblog", "theirs", "false");
    assertThat(peer.parallel("a\n", "--joblog", "theirs", "--resume", "false").code()).isZero();
    peer.headgate("a\n", "--joblog", "ours", "--", "false");
    assertThat(peer.headgate("a\n", "--joblog", "ours", "--resume", "--", "false").code())
        .isEqualTo(1);
  }

  @Test
  void retryFailedReadsTheInputAgainWhereParallelReadsTheJoblog() throws Exception {
    String script = "[ -e fixed ] && echo ran $1";
    String input = "a\n";
    peer.parallel(input, "--joblog", "theirs", "-q", "sh", "-c", script, "_");
    peer.headgate(input, "--joblog", "ours", "--", "sh", "-c", script, "_");
    Files.createFile(directory.resolve("fixed"));
    assertThat(peer.parallel("", "--retry-failed", "--joblog", "theirs").out())
        .isEqualTo("ran a\n");
    assertThat(
            peer.headgate(
                    input, "--retry-failed", "--joblog", "ours", "--", "sh", "-c", script, "_")
                .out())
        .isEqualTo("ran a\n");
  }

  @Test
  void severalLinesNeedAWordOfTheirOwnWhereParallelJoinsThem() throws Exception {
    assertThat(peer.parallel("a\nb\n", "-n2", "echo", "x{}y").out()).isEqualTo("xa by\n");
    Peer.Ended headgate = peer.headgate("a\nb\n", "-n2", "--", "echo", "x{}y");
    assertThat(headgate.code()).isEqualTo(64);
    assertThat(headgate.err()).contains("must be a word of its own");
  }

  @Test
  void aLineThatIsTooLongIsRefusedAloneWhereParallelEndsTheRun() throws Exception {
    String input = "x".repeat(140_000) + "\nok\n";
    Peer.Ended parallel = peer.parallel(input, "-j1", "echo");
    assertThat(parallel.out()).isEmpty();
    assertThat(parallel.code()).isEqualTo(255);
    Peer.Ended headgate = peer.headgate(input, "--", "echo");
    assertThat(headgate.out()).isEqualTo("ok\n");
    assertThat(headgate.code()).isEqualTo(75);
  }

  @Test
  void aLineWithAZeroByteFailsWhereParallelChangesIt() throws Exception {
    assertThat(peer.parallel("a\0b\n", "-q", "printf", SHOW).out()).isEqualTo("<a\\0b>\n");
    Peer.Ended headgate = peer.headgate("a\0b\n", "--", "printf", SHOW);
    assertThat(headgate.out()).isEmpty();
    assertThat(headgate.code()).isEqualTo(1);
  }

  @Test
  void resultsAreNamedByPositionWhereParallelNamesThemByTheLine() throws Exception {
    String script = "echo out $1; echo bad $1 >&2";
    peer.parallel("a b\n", "--results", "theirs", "-q", "sh", "-c", script, "_");
    peer.headgate("a b\n", "--results", "ours", "--", "sh", "-c", script, "_");
    for (String file : List.of("stdout", "stderr")) {
      assertThat(Files.readString(directory.resolve("ours/1/" + file)))
          .isEqualTo(Files.readString(directory.resolve("theirs/1/a b/" + file)))
          .endsWith(" a b\n");
    }
    assertThat(directory.resolve("ours/1/status")).exists();
  }

  @Test
  void aFileOfTheNumberAtOnceHasItsOwnOptionWhereParallelTakesItWithJ() throws Exception {
    Files.writeString(directory.resolve("number"), "2\n");
    assertThat(peer.parallel("a\n", "-j", "number", "echo").out()).isEqualTo("a\n");
    assertThat(peer.headgate("a\n", "-j", "number", "--", "echo").code()).isEqualTo(64);
    assertThat(peer.headgate("a\n", "--jobs-file", "number", "--", "echo").out()).isEqualTo("a\n");
  }

  @Test
  void linesOfOutputComeAtOnceWhereParallelWaitsForTheEnd() throws Exception {
    // The first writes before the second, and ends after it.
    String script =
        "case $1 in a) echo a; touch $0.1; until [ -e $0.2 ]; do sleep 0.01; done;;"
            + " b) until [ -e $0.1 ]; do sleep 0.01; done; sleep 0.3; echo b; sleep 0.3;"
            + " touch $0.2; sleep 0.3;; esac; echo end $1";
    assertThat(peer.parallel("a\nb\n", "-j2", "-q", "sh", "-c", script, "p").out().lines())
        .containsSubsequence("a", "end a")
        .satisfies(lines -> assertThat(lines.indexOf("end a")).isEqualTo(lines.indexOf("a") + 1));
    List<String> ours =
        peer.headgate("a\nb\n", "-j2", "--", "sh", "-c", script, "h").out().lines().toList();
    assertThat(ours).containsSubsequence("a", "b", "end a");
  }

  @Test
  void lastLinesOfOutputGetANewlineWhereParallelAddsNone() throws Exception {
    assertThat(peer.parallel("a\nb\n", "-k", "-q", "printf", "%s").out()).isEqualTo("ab");
    assertThat(peer.headgate("a\nb\n", "-j1", "--", "printf", "%s").out()).isEqualTo("a\nb\n");
  }

  @Test
  void placeholdersOfColumnsAndSlotsStayAsTheyAreWhereParallelReplacesThem() throws Exception {
    assertThat(peer.parallel("a\n", "-q", "echo", "{1}", "{%}").out()).isEqualTo("a 1\n");
    assertThat(peer.headgate("a\n", "--", "echo", "{1}", "{%}", "{}").out())
        .isEqualTo("{1} {%} a\n");
  }

  @Test
  void inputIsNeverOnTheCommandLineWhereParallelHasThreeColons() throws Exception {
    assertThat(peer.parallel("", "echo", ":::", "a").out()).isEqualTo("a\n");
    assertThat(peer.headgate("b\n", "--", "echo", ":::", "a").out()).isEqualTo("::: a b\n");
    Peer.Ended headgate = peer.headgate("", ":::", "a");
    assertThat(headgate.code()).isEqualTo(64);
    assertThat(headgate.err()).contains("on standard input, or with -a FILE");
  }
}
