package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signals at random instants. After each run three accounts must agree: the joblog, the report, and
 * a file that the commands themselves write. What it does not claim: that every instant was met.
 *
 * <p>{@code -Dheadgate.storm.seed=N} repeats the signals of a run, though not their exact instants;
 * {@code -Dheadgate.storm.runs=N} says how many runs.
 */
@Tag("D13")
@Tag("L1")
@Tag("L10")
@Tag("CASE-22")
@Tag("CASE-23")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SignalStormTest {
  private static final int RUNS = Integer.getInteger("headgate.storm.runs", 200);
  private static final long SEED = Long.getLong("headgate.storm.seed", System.nanoTime());
  private static final int LINES = 60;
  private static final int AT_ONCE = 3;
  private static final String INPUT =
      IntStream.rangeClosed(1, LINES).mapToObj(i -> i + "\n").collect(Collectors.joining());

  /** What a command writes: its group when it starts, and that it came to its end. */
  private static final String COMMAND =
      "echo \"start $0 $$\" >> side; sleep 0.01; test \"$0\" != 7 || exit 3;"
          + " echo \"end $0 $$\" >> side";

  @TempDir Path root;
  private final AtomicInteger reports = new AtomicInteger();
  private final AtomicInteger stopped = new AtomicInteger();

  @Test
  void threeAccountsAgreeWheneverASignalComes() throws Exception {
    System.out.println("storm: -Dheadgate.storm.seed=" + SEED);
    try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
      List<CompletableFuture<Void>> runs = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        int number = i;
        runs.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    run(number);
                  } catch (Exception e) {
                    throw new IllegalStateException("run " + number + " of seed " + SEED, e);
                  } catch (AssertionError e) {
                    throw new AssertionError("run " + number + " of seed " + SEED, e);
                  }
                },
                pool));
      }
      CompletableFuture.allOf(runs.toArray(new CompletableFuture<?>[0])).join();
    }
    // A storm that always comes too early or too late would prove nothing.
    assertThat(stopped.get()).isGreaterThan(RUNS / 8);
    assertThat(reports.get()).isGreaterThan(RUNS / 8);
  }

  @Test
  @Tag("CASE-25")
  void killedAtAnyInstantARunIsResumedWithoutALineLostOrDoneTwice() throws Exception {
    System.out.println("kills: -Dheadgate.storm.seed=" + SEED);
    Random random = new Random(SEED);
    for (int i = 0; i < RUNS / 8; i++) {
      Path directory = Files.createDirectory(root.resolve("kill" + i));
      try (HeadgateProcess process = start(directory, false)) {
        var _ = endsBefore(anInstant(random), process, directory);
        process.signal("KILL");
        assertThat(process.exitCode()).isIn(137, 1);
      }
      Groups.awaitGone(started(directory).values().stream().flatMap(List::stream).toList());
      checkResumed(directory);
    }
  }

  private void run(int number) throws Exception {
    Random random = new Random(SEED + number);
    Path directory = Files.createDirectory(root.resolve("run" + number));
    int code;
    String said;
    int signals = 1 + random.nextInt(4) / 2 + random.nextInt(5) / 4;
    try (HeadgateProcess process = start(directory, false)) {
      boolean gone = endsBefore(anInstant(random), process, directory);
      for (int i = 0; i < signals && !gone; i++) {
        process.signal(List.of("TERM", "INT", "HUP").get(random.nextInt(3)));
        gone = process.endsWithin(Duration.ofMillis(random.nextInt(60)));
      }
      code = process.exitCode();
      said = process.out() + process.err();
    }
    Groups.awaitGone(started(directory).values().stream().flatMap(List::stream).toList());
    check(directory, code, said);
    if (number % 5 == 0) {
      checkResumed(directory);
    }
  }

  /** How long after its start is told by the joblog; below zero, from the start of the process. */
  private static int anInstant(Random random) {
    return random.nextInt(4) == 0 ? -random.nextInt(400) : random.nextInt(300);
  }

  /** Whether the run ends by itself before a signal is to be sent. */
  private static boolean endsBefore(int instant, HeadgateProcess process, Path directory)
      throws InterruptedException {
    if (instant > 0) {
      // However slow the machine is, most signals come while lines are read and commands run.
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(2))
          .until(() -> Files.exists(directory.resolve("log")) || !process.isAlive());
    }
    return process.endsWithin(Duration.ofMillis(Math.abs(instant)));
  }

  private static HeadgateProcess start(Path directory, boolean resume) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "run", "-j3", "--grace=100ms", "--cleanup=2s", "--joblog=log", "--report=report"));
    if (resume) {
      words.add("--resume");
    }
    words.addAll(List.of("--", "sh", "-c", COMMAND));
    return HeadgateProcess.in(directory).input(INPUT).start(words.toArray(new String[0]));
  }

  /** The groups that started for each line, in the side file. */
  private static Map<Long, List<Integer>> started(Path directory) throws IOException {
    return side(directory, "start");
  }

  private static Map<Long, List<Integer>> side(Path directory, String kind) throws IOException {
    Path file = directory.resolve("side");
    Map<Long, List<Integer>> groups = new HashMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(" ", -1);
        if (words[0].equals(kind)) {
          groups
              .computeIfAbsent(Long.valueOf(words[1]), key -> new ArrayList<>())
              .add(Integer.valueOf(words[2]));
        }
      }
    }
    return groups;
  }

  private void check(Path directory, int code, String said) throws IOException {
    Path log = directory.resolve("log");
    Map<Long, List<Integer>> started = started(directory);
    Map<Long, List<Integer>> ended = side(directory, "end");
    if (!Files.exists(log) || Files.size(log) == 0) {
      // The signal came before the handlers were there.
      assertThat(started).isEmpty();
      if (said.contains("Error occurred during initialization of VM")) {
        // The virtual machine's own answer in the first milliseconds of its life.
        assertThat(code).isEqualTo(1);
        return;
      }
      assertThat(code).as("%s", said).isIn(129, 130, 143, 75);
      return;
    }
    Map<Long, String> rows = Rows.once(log);
    assertThat(rows.keySet())
        .as("a row for every line that was read")
        .isEqualTo(positionsUpTo(rows.size()));
    assertThat(rows.keySet()).as("every command has its row").containsAll(started.keySet());
    rows.forEach(
        (position, outcome) -> {
          int starts = started.getOrDefault(position, List.of()).size();
          boolean end = ended.containsKey(position);
          switch (outcome.replaceAll("\\(.*", "")) {
            case "completed" -> assertThat(starts == 1 && end).as(position + outcome).isTrue();
            case "failed" -> {
              assertThat(position).isEqualTo(7);
              assertThat(starts).isEqualTo(1);
            }
            case "unstarted", "refused" -> assertThat(starts).as(position + outcome).isZero();
            case "interrupted", "unfinished" ->
                assertThat(starts).as(position + outcome).isLessThanOrEqualTo(1);
            default -> throw new AssertionError(outcome);
          }
        });
    Path report = directory.resolve("report");
    if (Files.exists(report) && Files.size(report) > 0) {
      checkReport(HeadgateProcess.report(report), rows, code);
    } else {
      assertThat(code).as("halted by the third signal").isIn(130, 143);
    }
  }

  private void checkReport(String report, Map<Long, String> rows, int code) {
    reports.incrementAndGet();
    for (String kind : List.of("completed", "failed", "interrupted", "unstarted", "unfinished")) {
      assertThat(HeadgateProcess.count(report, kind))
          .as(kind)
          .isEqualTo(rows.values().stream().filter(outcome -> outcome.startsWith(kind)).count());
    }
    List<String> abandoned =
        rows.entrySet().stream()
            .filter(row -> row.getValue().matches("interrupted|unfinished|unstarted.*"))
            .map(row -> Long.toString(row.getKey()))
            .toList();
    assertThat(HeadgateProcess.abandoned(report))
        .map(id -> id.substring(0, id.indexOf('-')))
        .containsExactlyInAnyOrderElementsOf(abandoned);
    boolean all =
        rows.size() == LINES && abandoned.isEmpty() && !rows.containsValue("refused(CLOSED)");
    if (code == 130 || code == 143) {
      // The third signal came when the report was written, and before the process had ended.
      return;
    }
    assertThat(HeadgateProcess.count(report, "exitCode")).isEqualTo(code);
    if (code == 1) {
      assertThat(all).isTrue();
    } else {
      assertThat(code).isEqualTo(75);
      stopped.incrementAndGet();
    }
  }

  private static void checkResumed(Path directory) throws Exception {
    Path log = directory.resolve("log");
    Map<Long, String> before = Files.exists(log) && Files.size(log) > 0 ? Rows.once(log) : Map.of();
    Map<Long, List<Integer>> startedBefore = started(directory);
    try (HeadgateProcess process = start(directory, true)) {
      assertThat(process.exitCode()).isEqualTo(1);
    }
    Map<Long, String> after = Rows.outcomes(log);
    assertThat(after.keySet()).isEqualTo(positionsUpTo(LINES));
    Map<Long, List<Integer>> startedAfter = started(directory);
    after.forEach(
        (position, outcome) -> {
          assertThat(outcome).isEqualTo(position == 7 ? "failed(ExitStatus)" : "completed");
          boolean done = before.getOrDefault(position, "").matches("completed|failed.*");
          int more =
              startedAfter.get(position).size()
                  - startedBefore.getOrDefault(position, List.of()).size();
          assertThat(more)
              .as("starts of %s, which was %s", position, before.get(position))
              .isEqualTo(done ? 0 : 1);
        });
  }

  private static Set<Long> positionsUpTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().collect(Collectors.toCollection(TreeSet::new));
  }
}
