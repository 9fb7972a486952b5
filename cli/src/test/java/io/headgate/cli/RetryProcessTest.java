package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --retries} and {@code --rate} do beside the other options. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RetryProcessTest {
  private static final String FAILS = "echo \"$1\" >>tries; echo no >&2; exit 3";

  @TempDir Path directory;

  private Peer.Ended run(String input, String... words) throws Exception {
    return Peer.in(directory).headgate(input, words);
  }

  private List<String> lines(String name) throws IOException {
    Path file = directory.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @Test
  @Tag("R5")
  void aFailureThatHaltsIsThatOfTheLastAttempt() throws Exception {
    Peer.Ended ended =
        run("a\n", "--retries", "3", "--halt", "now,fail=1", "--", "sh", "-c", FAILS, "_");
    assertThat(lines("tries")).containsExactly("a", "a", "a");
    assertThat(ended.err()).containsOnlyOnce("halted, as --halt says: 1 failed");
  }

  @Test
  @Tag("R5")
  void whatFailedAtFirstAndThenCompletedIsNoFailure() throws Exception {
    Peer.Ended ended =
        run(
            "a\n",
            "--retries=2",
            "--joblog=log",
            "--results=results",
            "--report=report",
            "--",
            "sh",
            "-c",
            "echo x >>tries; echo $(wc -l <tries); [ $(wc -l <tries) = 2 ]");
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(lines("log").get(1)).contains("\tcompleted\t");
    assertThat(lines("results/1/stdout")).as("of the last attempt").containsExactly("2");
    assertThat(lines("results/1/status")).containsExactly("0");
    assertThat(lines("report").get(0)).contains("\"outcome\":\"completed\",\"attempts\":2");
  }

  @Test
  void aCommandThatCannotBeStartedIsTriedOnce() throws Exception {
    Peer.Ended ended = run("/nowhere/tool\n", "--retries", "5", "--joblog", "log", "--", "{}", "x");
    assertThat(ended.err()).containsOnlyOnce("the command cannot be started");
    assertThat(lines("log")).hasSize(2);
    assertThat(lines("log").get(1)).contains("\tfailed(NotStarted)\t");
  }

  @Test
  @Tag("R7")
  void aStopEndsTheWaitForTheNextAttempt() throws Exception {
    try (HeadgateProcess process =
        HeadgateProcess.in(directory)
            .input("a\n")
            .start(
                "run",
                "--retries",
                "100",
                "--joblog",
                "log",
                "--delay",
                "1h",
                "--",
                "sh",
                "-c",
                FAILS,
                "_")) {
      // The second attempt is a start, too, and kept back for an hour.
      HeadgateProcess.awaitText(this::tries, "a\n");
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(1);
    }
    assertThat(lines("tries")).containsExactly("a");
    assertThat(lines("log")).hasSize(2);
    assertThat(lines("log").get(1)).contains("\tfailed(ExitStatus)\t");
  }

  private String tries() {
    try {
      return String.join("\n", lines("tries")) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Tag("R6")
  void aRateBoundsStartsAndNotHowManyRunAtOnce() throws Exception {
    // The first goes at once, and each of the others waits for the one behind it.
    String script =
        "touch \"at.$1\"; [ $1 = 3 ] || until [ -e at.$(($1+1)) ]; do sleep 0.01; done; echo $1";
    long begun = System.nanoTime();
    Peer.Ended ended = run("1\n2\n3\n", "-j3", "--rate", "5/s", "--", "sh", "-c", script, "_");
    assertThat(System.nanoTime() - begun).isGreaterThan(400_000_000L);
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.sorted()).containsExactly("1", "2", "3");
  }
}
