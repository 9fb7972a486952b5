package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --keep-order}: output as GNU parallel's {@code -k} gives it, and what is held for it. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeepOrderProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(80);

  @TempDir Path directory;
  private final List<Gate> gates = new ArrayList<>();
  private Path spills;

  @BeforeEach
  void makeFolderForSpills() throws IOException {
    spills = Files.createDirectory(directory.resolve("spills"));
  }

  @AfterEach
  void closeGates() throws IOException {
    for (Gate gate : gates) {
      gate.close();
    }
  }

  private HeadgateProcess.Setup headgate() {
    return before("");
  }

  private HeadgateProcess.Setup before(String script) {
    return HeadgateProcess.in(directory).before("export TMPDIR=" + spills + "; " + script);
  }

  /** A gate in a folder of its own. */
  private Gate gate(String name) throws Exception {
    Gate gate = new Gate(Files.createDirectory(directory.resolve(name)));
    gates.add(gate);
    return gate;
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(condition);
  }

  private static String numbers(int first, int last, String prefix) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(i -> prefix + i + "\n")
        .collect(Collectors.joining());
  }

  private List<String> filesOpenIn(HeadgateProcess process, Path folder) throws IOException {
    List<String> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          open.add(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException e) {
          // It was closed meanwhile.
        }
      }
    }
    open.removeIf(name -> !name.startsWith(folder.toString()));
    return open;
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  @Test
  void commandsThatEndInReverseArePrintedInOrderOnBothStreams() throws Exception {
    for (int i = 0; i <= 4; i++) {
      gate(Integer.toString(i));
    }
    try (HeadgateProcess process =
        headgate()
            .input(numbers(1, 4, ""))
            .start(
                "run",
                "-j4",
                "-k",
                "--",
                "sh",
                "-c",
                "[ $0 = 4 ] || read x < $0/gate; echo $0 >> ended; echo out$0; echo err$0 >&2;"
                    + " echo > $(($0 - 1))/gate; [ $0 != 3 ]")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(Files.readString(directory.resolve("ended"))).isEqualTo("4\n3\n2\n1\n");
      assertThat(process.out()).isEqualTo(numbers(1, 4, "out"));
      assertThat(String.join("\n", process.complaints()) + "\n").isEqualTo(numbers(1, 4, "err"));
    }
  }

  @Test
  void linesThatAreRefusedOrCannotBeRunHoldBackNobody() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("echo\n" + "x".repeat(200) + "\nno-such-command\necho\n")
            .start("run", "-j2", "-k", "--tag", "--max-line-bytes=100", "--", "{}", "{#}")) {
      assertThat(process.exitCode()).isEqualTo(127);
      assertThat(process.out()).isEqualTo("echo\t1\necho\t4\n");
    }
  }

  @Test
  void whatIsShedHoldsBackNobody() throws Exception {
    Gate first = gate("first");
    try (HeadgateProcess process =
        headgate()
            .input("1\n")
            .inputStaysOpen()
            .start(
                "run",
                "-j2",
                "--capacity=2",
                "--when-full=shed-oldest",
                "-k",
                "--joblog=log",
                "--",
                "sh",
                "-c",
                "echo $$ >> ids; [ $0 != 1 ] || read x < first/gate; echo $0")) {
      Groups.awaitIds(directory.resolve("ids"), 1);
      process.write(numbers(2, 500, "").getBytes(StandardCharsets.UTF_8));
      process.closeInput();
      Path log = directory.resolve("log");
      await(() -> Files.readString(log).contains("unstarted(shed)"));
      first.letThrough(1);
      assertThat(process.exitCode()).isEqualTo(75);
      List<Integer> printed = process.out().lines().map(Integer::valueOf).toList();
      assertThat(printed).startsWith(1).isSorted().doesNotHaveDuplicates();
      long completed = Files.readString(log).lines().filter(r -> r.contains("completed")).count();
      assertThat(printed).hasSize((int) completed);
    }
  }

  @Test
  @Tag("CASE-24")
  void largeOutputIsHeldInAFileThatNobodySeesAndThatGoesWithTheProcess() throws Exception {
    Gate first = gate("first");
    for (boolean killed : new boolean[] {false, true}) {
      Path printed = directory.resolve("printed");
      Files.deleteIfExists(printed);
      try (HeadgateProcess process =
          headgate()
              .input("1\n2\n")
              .start(
                  "run",
                  "-j2",
                  "-k",
                  "--",
                  "sh",
                  "-c",
                  "if [ $0 = 1 ]; then read x < first/gate; else seq 500000; : > printed; fi")) {
        await(() -> Files.exists(printed));
        assertThat(isEmpty(spills)).isTrue();
        assertThat(filesOpenIn(process, spills)).hasSize(1).allMatch(n -> n.endsWith("(deleted)"));
        assertThat(process.out()).isEmpty();
        if (killed) {
          process.signal("KILL");
          assertThat(process.exitCode()).isEqualTo(137);
        } else {
          first.letThrough(1);
          assertThat(process.exitCode()).isZero();
          assertThat(process.out()).isEqualTo(numbers(1, 500_000, ""));
        }
        assertThat(isEmpty(spills)).isTrue();
      }
    }
  }

  @Test
  @Tag("CASE-24")
  void noMoreIsStartedThanMayBeHeld() throws Exception {
    Gate first = gate("first");
    try (HeadgateProcess process =
        headgate()
            .input(numbers(1, 200, ""))
            .start(
                "run",
                "-j3",
                "--capacity=2",
                "-k",
                "--",
                "sh",
                "-c",
                "echo $$ >> ids; [ $0 != 1 ] || read x < first/gate; echo $0")) {
      // The first, and three that are held: with them claiming pauses.
      int started = Groups.awaitIds(directory.resolve("ids"), 4).size();
      assertThat(started).isLessThanOrEqualTo(1 + 3 + 2);
      first.letThrough(1);
      assertThat(process.exitCode()).isZero();
      assertThat(process.out()).isEqualTo(numbers(1, 200, ""));
    }
  }

  @Test
  @Tag("CASE-23")
  void aStopPrintsWhatIsHeldInOrderAlsoOfCancelledCommands() throws Exception {
    try (HeadgateProcess process =
        headgate()
            .input("1\n2\n3\n4\n")
            .inputStaysOpen()
            .start(
                "run",
                "-j4",
                "-k",
                "--",
                "sh",
                "-c",
                // The first takes no TERM, and is killed in the end.
                "[ $0 != 1 ] || trap '' TERM; echo begin$0; seq 5000; echo $$ >> ids;"
                    + " [ $0 = 3 ] || { tail -f /dev/null; tail -f /dev/null; }; echo end$0")) {
      Groups.awaitIds(directory.resolve("ids"), 4);
      process.signal("TERM");
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(75);
      String numbers = numbers(1, 5000, "");
      assertThat(process.out())
          .isEqualTo(
              "begin1\n"
                  + numbers
                  + "begin2\n"
                  + numbers
                  + "begin3\n"
                  + numbers
                  + "end3\nbegin4\n"
                  + numbers);
      assertThat(process.complaints()).isEmpty();
    }
  }

  @Test
  @Tag("CASE-24")
  void aReaderThatStopsReadingStopsTheCommands() throws Exception {
    // Opened both ways by the test, and read by nobody.
    gate("unread");
    try (HeadgateProcess process =
        headgate()
            .input(numbers(1, 200, ""))
            .redirections("> unread/gate")
            .start(
                "run",
                "-j3",
                "--capacity=2",
                "-k",
                "--",
                "sh",
                "-c",
                "echo $$ >> ids; seq 50000")) {
      // The first cannot end, and those beside it come to what may be held.
      int started = Groups.awaitIds(directory.resolve("ids"), 4).size();
      assertThat(started).isLessThanOrEqualTo(1 + 3 + 2);
      process.signal("TERM");
      process.signal("TERM");
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly(
              "headgate: standard output cannot be written: nobody read it until the stop");
      assertThat(isEmpty(spills)).isTrue();
    }
  }

  @Test
  void aFullDiskForWhatIsHeldEndsTheRunWith74() throws Exception {
    Gate first = gate("first");
    try (HeadgateProcess process =
        before("ulimit -f 200;")
            .input(numbers(1, 2, ""))
            .inputStaysOpen()
            .redirections("> /dev/null")
            .start(
                "run",
                "-j2",
                "-k",
                "--report=report",
                "--",
                "sh",
                "-c",
                "if [ $0 = 1 ]; then read x < first/gate; else seq 500000; fi")) {
      await(() -> process.err().contains("\n"));
      first.letThrough(1);
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly(
              "headgate: output cannot be held for --keep-order: "
                  + spills
                  + ": File too large; no more is started");
      // The command learns of it as in a pipeline.
      String report = HeadgateProcess.report(directory.resolve("report"));
      assertThat(HeadgateProcess.count(report, "completed")).isEqualTo(1);
      assertThat(HeadgateProcess.count(report, "failed")).isEqualTo(1);
    }
  }

  @Test
  void aFolderForSpillsThatIsNotThereIsToldWhenItIsNeeded() throws Exception {
    Gate first = gate("first");
    try (HeadgateProcess process =
        before("export TMPDIR=none;")
            .input("1\n2\n")
            .start(
                "run",
                "-j2",
                "-k",
                "--",
                "sh",
                "-c",
                "if [ $0 = 1 ]; then read x < first/gate; else seq 50000; fi")) {
      await(() -> process.err().contains("\n"));
      first.letThrough(1);
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.complaints())
          .containsExactly(
              "headgate: output cannot be held for --keep-order: none: No such file or directory;"
                  + " no more is started");
    }
  }
}
