package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a flag means what it means for GNU parallel, the output is the same. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelComparisonTest {
  private static final List<String> SHOW = List.of("printf", "<%s>\\n");
  // Passes, fails, is killed in two ways.
  private static final String ENDS = "exit 0\nexit 3\nkill -15 $$\nkill -9 $$\n";

  @TempDir Path directory;
  private Peer peer;

  @BeforeEach
  void thisDirectory() {
    peer = Peer.in(directory);
  }

  private static org.junit.jupiter.params.provider.Arguments row(
      String what, String input, String options, List<String> command) {
    return arguments(what, input, List.of(options.split(" ")), command);
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> flagsOfBoth() {
    String odd = "a b\n \t'c' \"d\"\\\n$HOME * ;\n-n\n{} {.}\n\r\n";
    String paths =
        String.join(
            "\n",
            List.of(
                "a",
                "/d/a.b.c",
                "dir/",
                "/",
                ".hidden",
                "d/.hidden",
                "a.",
                "d.x/f",
                "//",
                "a//b",
                "a b.c",
                "./x.y/",
                "/x",
                "d/.h.x",
                "..",
                "...",
                "a..",
                ".",
                "d//"));
    List<String> parts = List.of("printf", "%s|%s|%s|%s|%s\\n", "{}", "{.}", "{/}", "{//}", "{/.}");
    return Stream.of(
        row("{} {.} {/} {//} {/.}", paths, "-j1", parts),
        row("placeholders within words", paths, "-j1", List.of("echo", "-{/.}:{.}{}", "{//}.{/}")),
        row("{#}", "a\nb\nc\n", "-j2", List.of("echo", "{#}", "x{#}y", "{}")),
        row("{#} without a place for the line", "a\nb\n", "-j2", List.of("echo", "{#}")),
        row("{#} with -n", "1\n2\n3\n4\n5\n", "-n2", List.of("echo", "{#}", "{}")),
        row("-n", "a/1\nb/2\nc/3\n", "-n2", List.of("echo", "{/}", "of", "{}")),
        row("--max-args", "a\nb\nc\n", "--max-args=2", SHOW),
        row("no place for the line", "a\nb\n", "-j4", List.of("echo", "got")),
        row("a name from the line", "echo\n", "-j1", List.of("{}", "hi")),
        row("-j", "1\n2\n3\n4\n5\n6\n", "-j 3", SHOW),
        row("--jobs", "1\n2\n3\n4\n5\n6\n", "--jobs=3", SHOW),
        row("-P", "1\n2\n3\n", "-P2", SHOW),
        row("-0", "a\0\0b c\nd\0e", "-0", SHOW),
        row("-d", "a,b,,c\n", "-d ,", SHOW),
        row("-d as a tab", "a b\tc", "-d \\t", SHOW),
        row("-I", "a b\nd/e\n", "-I %", List.of("printf", "<%s>\\n", "x%y%", "{}", "{/}")),
        row("-a", "", "-a data", SHOW),
        row("--tag", "a b\nc\n", "--tag", List.of("echo")),
        row(
            "--tag with several lines of output",
            "a\nb\n",
            "--tag -j1",
            List.of("printf", "%s\\n2\\n")),
        row("no newline at the end", "a\nb", "-j1", SHOW),
        row("blanks, quotes, dollars", odd, "-j1", SHOW),
        row("bytes that are no text", "a\377\303\251\200\n\1\177\n", "-j1", SHOW),
        row("no input", "", "-j1", SHOW));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("flagsOfBoth")
  void aFlagOfBothGivesTheSameOutput(
      String what, String input, List<String> options, List<String> command) throws Exception {
    Files.writeString(directory.resolve("data"), "one\ntwo three\nfour");
    // Without -q a shell of parallel's would read the command.
    List<String> theirs = new ArrayList<>(List.of("-q"));
    theirs.addAll(options);
    theirs.addAll(command);
    List<String> ours = new ArrayList<>(options);
    ours.add("--");
    ours.addAll(command);
    Peer.Ended parallel = peer.parallel(input, theirs.toArray(new String[0]));
    Peer.Ended headgate = peer.headgate(input, ours.toArray(new String[0]));
    assertThat(parallel.code()).as(parallel.err()).isZero();
    assertThat(headgate.code()).as(headgate.err()).isZero();
    assertThat(headgate.sorted()).isEqualTo(parallel.sorted());
  }

  @Test
  void keptOrderIsThatOfTheInput() throws Exception {
    // Each waits for the one behind it, so that they end in the opposite order.
    String script =
        "[ $1 = 3 ] || until [ -e $0.$(($1+1)) ]; do sleep 0.01; done; echo $1; touch $0.$1";
    Peer.Ended parallel =
        peer.parallel("1\n2\n3\n", "-k", "-j3", "-q", "sh", "-c", script, "theirs");
    Peer.Ended headgate = peer.headgate("1\n2\n3\n", "-k", "-j3", "--", "sh", "-c", script, "ours");
    assertThat(parallel.out()).isEqualTo("1\n2\n3\n");
    assertThat(headgate.out()).isEqualTo(parallel.out());
    assertThat(peer.headgate("1\n", "--keep-order", "--", "echo").out()).isEqualTo("1\n");
  }

  @Test
  void aCommandThatFailsIsRunSoManyTimesInAllAndHasOneRow() throws Exception {
    String script = "echo \"$1\" >>\"$0\"; [ $1 = b ] || exit 3; [ $(grep -c b \"$0\") = 2 ]";
    String[] parallelWords = {
      "--retries", "3", "--joblog", "their.log", "-q", "sh", "-c", script, "theirs"
    };
    Peer.Ended parallel = peer.parallel("a\nb\n", parallelWords);
    Peer.Ended headgate =
        peer.headgate(
            "a\nb\n", "--retries", "3", "--joblog", "our.log", "--", "sh", "-c", script, "ours");
    assertThat(lines("theirs")).containsExactly("a", "a", "a", "b", "b");
    assertThat(lines("ours")).isEqualTo(lines("theirs"));
    assertThat(parallel.code()).isEqualTo(1);
    assertThat(headgate.code()).as(headgate.err()).isEqualTo(1);
    assertThat(lines("their.log")).hasSize(3);
    assertThat(lines("our.log")).hasSize(3);
  }

  @Test
  void aCommandBeyondItsTimeIsRunAgainToo() throws Exception {
    String script = "echo x >>\"$0\"; exec sleep 60";
    String[] parallelWords = {"--retries", "2", "--timeout", "1", "-q", "sh", "-c", script, "p"};
    Peer.Ended parallel = peer.parallel("a\n", parallelWords);
    Peer.Ended headgate =
        peer.headgate("a\n", "--retries", "2", "--timeout", "300ms", "--", "sh", "-c", script, "h");
    assertThat(lines("p")).hasSize(2);
    assertThat(lines("h")).hasSize(2);
    assertThat(parallel.code()).isEqualTo(1);
    assertThat(headgate.code()).as(headgate.err()).isEqualTo(1);
  }

  @Test
  void startsAreADelayApart() throws Exception {
    long begun = System.nanoTime();
    Peer.Ended parallel = peer.parallel("1\n2\n3\n", "-j3", "--delay", "0.4", "-q", "echo");
    long theirs = System.nanoTime() - begun;
    begun = System.nanoTime();
    Peer.Ended headgate = peer.headgate("1\n2\n3\n", "-j3", "--delay", "400ms", "--", "echo");
    long ours = System.nanoTime() - begun;
    assertThat(headgate.sorted()).isEqualTo(parallel.sorted());
    // From below only: no load can make it shorter.
    assertThat(theirs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(800));
    assertThat(ours).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(800));
  }

  private List<String> lines(String name) throws Exception {
    return Files.readAllLines(directory.resolve(name)).stream().sorted().toList();
  }

  @Test
  void theIdiomForAShellDoesWhatParallelDoesWithQuotedLines() throws Exception {
    String input = "a b\n'c'; echo d\n$HOME\n";
    Peer.Ended parallel = peer.parallel(input, "printf '<%s>' {} | tr a-z A-Z; echo");
    Peer.Ended headgate =
        peer.headgate(input, "--", "sh", "-c", "printf '<%s>' \"$1\" | tr a-z A-Z", "_", "{}");
    assertThat(parallel.sorted()).contains("<A B>", "<$HOME>");
    assertThat(headgate.sorted()).isEqualTo(parallel.sorted());
  }

  @Test
  void aDryRunPrintsLinesThatAShellReadsAsTheSameWords() throws Exception {
    String input = "a b\nc'd\n\"x\\y\n$HOME;*?\n~\n!#&|<>()[]{}^=\n\377\n-n\n";
    Peer.Ended parallel = peer.parallel(input, "-j1", "-q", "--dry-run", "show", "<%s>", "{}");
    Peer.Ended headgate = peer.headgate(input, "--dry-run", "--", "show", "<%s>", "{}");
    assertThat(parallel.out().lines()).hasSize(8);
    assertThat(evaluated(headgate.out())).isEqualTo(evaluated(parallel.out()));
    assertThat(headgate.out().lines()).hasSize(8);
  }

  /** What a shell makes of lines of commands. */
  private String evaluated(String commands) throws Exception {
    Files.write(
        directory.resolve("commands"),
        commands.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    Peer.Ended ended =
        peer.sh("show() { for w; do printf '[%s]' \"$w\"; done; echo; }; . ./commands");
    assertThat(ended.err()).isEmpty();
    return ended.out();
  }

  @Test
  void aJoblogHasTheColumnsOfParallel() throws Exception {
    Peer.Ended parallel = peer.parallel(ENDS, "--joblog", "theirs", "-q", "sh", "-c", "{}");
    Peer.Ended headgate = peer.headgate(ENDS, "--joblog", "ours", "--", "sh", "-c", "{}");
    assertThat(parallel.code()).isEqualTo(3);
    assertThat(headgate.code()).isEqualTo(1);
    assertThat(rows("ours")).hasSize(5).isEqualTo(rows("theirs"));
  }

  /** Position, exit value, signal and command of a joblog's rows, in the input's order. */
  private List<String> rows(String joblog) throws Exception {
    return Files.readAllLines(directory.resolve(joblog)).stream()
        .map(row -> row.split("\t", -1))
        .map(cells -> String.join(" | ", cells[0], cells[6], cells[7], cells[8]))
        .sorted()
        .toList();
  }

  @Test
  void resumeRunsWhatTheJoblogHasNot() throws Exception {
    String[] theirs = {"--joblog", "theirs", "--resume", "-q", "sh", "-c", "echo ran; {}"};
    String[] ours = {"--joblog", "ours", "--resume", "--", "sh", "-c", "echo ran; {}"};
    assertThat(peer.headgate(ENDS, ours).sorted())
        .isEqualTo(peer.parallel(ENDS, theirs).sorted())
        .hasSize(4);
    assertThat(peer.headgate(ENDS + "echo new\n", ours).sorted())
        .isEqualTo(peer.parallel(ENDS + "echo new\n", theirs).sorted())
        .containsExactly("new", "ran");
  }

  @Test
  void resumeFailedRunsWhatFailedTooAndARowIsAdded() throws Exception {
    String[] theirs = {"--joblog", "theirs", "--resume-failed", "-q", "sh", "-c", "echo ran; {}"};
    String[] ours = {"--joblog", "ours", "--resume-failed", "--", "sh", "-c", "echo ran; {}"};
    String more = ENDS + "echo new\n";
    assertThat(peer.headgate(ENDS, ours).sorted())
        .isEqualTo(peer.parallel(ENDS, theirs).sorted())
        .hasSize(4);
    assertThat(peer.headgate(more, ours).sorted())
        .isEqualTo(peer.parallel(more, theirs).sorted())
        .containsExactly("new", "ran", "ran", "ran", "ran");
    assertThat(rows("ours")).hasSize(9).isEqualTo(rows("theirs"));
  }

  @Test
  void aCommandBeyondItsTimeoutIsEndedAndTheOthersRun() throws Exception {
    String input = "sleep 1000\necho done\n";
    Peer.Ended parallel =
        peer.parallel(input, "-j1", "--timeout", "1", "--joblog", "theirs", "-q", "sh", "-c", "{}");
    Peer.Ended headgate =
        peer.headgate(input, "-j1", "--timeout=1s", "--joblog=ours", "--", "sh", "-c", "{}");
    assertThat(parallel.out()).isEqualTo("done\n");
    assertThat(headgate.out()).isEqualTo("done\n");
    assertThat(headgate.code()).isEqualTo(parallel.code()).isEqualTo(1);
    assertThat(cell("ours", 1, 7)).isEqualTo(cell("theirs", 1, 7)).isEqualTo("15");
  }

  private String cell(String joblog, long position, int column) throws Exception {
    return Files.readAllLines(directory.resolve(joblog)).stream()
        .filter(row -> row.startsWith(position + "\t"))
        .map(row -> row.split("\t", -1)[column])
        .findFirst()
        .orElse("none");
  }

  @Test
  void haltSoonLetsTheRunningEndAndRunsFewMore() throws Exception {
    // The first runs until the second has failed; the others would leave a file each.
    String input =
        "until [ -e $0.f ]; do sleep 0.01; done; sleep 0.5; touch $0.ended\n"
            + "touch $0.f; exit 1\n"
            + "echo late\n".repeat(2000);
    Peer.Ended parallel =
        peer.parallel(input, "-j2", "--halt", "soon,fail=1", "-q", "sh", "-c", "{}", "theirs");
    Peer.Ended headgate =
        peer.headgate(input, "-j2", "--halt", "soon,fail=1", "--", "sh", "-c", "{}", "ours");
    assertThat(parallel.code()).isNotZero();
    assertThat(headgate.code()).isEqualTo(75);
    assertThat(directory.resolve("theirs.ended")).exists();
    assertThat(directory.resolve("ours.ended")).exists();
    assertThat(parallel.out().lines()).hasSizeLessThan(2000);
    assertThat(headgate.out().lines()).hasSizeLessThan(2000);
  }

  @Test
  void haltNowEndsTheRunning() throws Exception {
    String input =
        "touch $0.begun; sleep 1000; touch $0.ended\n"
            + "until [ -e $0.begun ]; do sleep 0.01; done; exit 1\n"
            + "echo late\n".repeat(2000);
    Peer.Ended parallel =
        peer.parallel(input, "-j2", "--halt", "now,fail=1", "-q", "sh", "-c", "{}", "theirs");
    Peer.Ended headgate =
        peer.headgate(input, "-j2", "--halt", "now,fail=1", "--", "sh", "-c", "{}", "ours");
    assertThat(parallel.code()).isNotZero();
    assertThat(headgate.code()).isEqualTo(75);
    assertThat(directory.resolve("theirs.ended")).doesNotExist();
    assertThat(directory.resolve("ours.ended")).doesNotExist();
    assertThat(parallel.out().lines()).hasSizeLessThan(2000);
    assertThat(headgate.out().lines()).hasSizeLessThan(2000);
  }
}
