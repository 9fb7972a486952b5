package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.cli.store.Points;
import io.headgate.cli.store.ProgressStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kills a run again and again and lets the same command go on. Each command appends its line to a
 * file: in the end each line is there once, or it is uncertain, listed, and there once at most.
 *
 * <p>{@code -Dheadgate.kills=N} sets how many kills, {@code -Dheadgate.seed=N} when they come.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreKillTest {
  private static final int LINES = 3000;
  private static final String[] COMMAND = {"--", "sh", "-c", "echo \"$0\" >> ran"};

  @TempDir Path directory;

  /** The command with a store that stops at a point, for the so-manieth time, to be killed. */
  static final class Stopping {
    private Stopping() {}

    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] words) throws UsageException {
      Points.Point point = Points.Point.valueOf(words[0]);
      AtomicInteger times = new AtomicInteger(Integer.parseInt(words[1]));
      Points stop =
          at -> {
            if (at == point && times.decrementAndGet() == 0) {
              System.err.println("at " + at);
              while (true) {
                LockSupport.park();
              }
            }
          };
      StopLadder ladder = new StopLadder(code -> Runtime.getRuntime().halt(code));
      ladder.start();
      RunOptions options = RunSyntax.parse(Arrays.copyOfRange(words, 3, words.length));
      Run run =
          new Run(
              options,
              ladder,
              new Inquiry(),
              null,
              file -> ProgressStore.open(Path.of(file), stop));
      System.exit(run.execute());
    }
  }

  private static String input(int lines) {
    return IntStream.rangeClosed(1, lines).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  private HeadgateProcess.Setup headgate(int lines) {
    return HeadgateProcess.in(directory).input(input(lines));
  }

  private static String[] words(String... options) {
    List<String> words =
        new ArrayList<>(List.of("run", "-j4", "--store=db", "--joblog=log", "--report=report"));
    words.addAll(List.of(options));
    words.addAll(List.of(COMMAND));
    return words.toArray(new String[0]);
  }

  private List<Integer> ran() {
    try {
      Path file = directory.resolve("ran");
      return Files.exists(file)
          ? Files.readAllLines(file).stream().map(Integer::valueOf).toList()
          : List.of();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag("K2")
  @Tag("K3")
  @Tag("K6")
  void killedAtAnyInstantEachLineIsDoneOnceOrListedAsUncertain() throws Exception {
    storm(Integer.getInteger("headgate.kills", 25));
  }

  @Test
  @Tag("long")
  @Timeout(value = 7_200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Tag("K2")
  void killedAHundredTimesItIsTheSame() throws Exception {
    storm(Integer.getInteger("headgate.kills", 100));
  }

  private void storm(int kills) throws Exception {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    System.out.println("StoreKillTest: headgate.seed=" + seed);
    Random random = new Random(seed);
    int killed = 0;
    for (int kill = 0; kill < kills; kill++) {
      try (HeadgateProcess process = headgate(LINES).start(words())) {
        // The first half of a second is the start of the virtual machine; the rest is the run.
        if (!process.endsWithin(Duration.ofMillis(200 + random.nextInt(600)))) {
          process.signal("KILL");
          killed++;
        }
        process.exitCode();
      }
    }
    assertThat(killed).as("kills, of " + kills).isGreaterThan(kills / 2);
    endsWell(LINES);
  }

  @ParameterizedTest
  @Tag("K2")
  @Tag("K3")
  @CsvSource({
    "SCHEMA, 1",
    "BEGIN, 1",
    "START, 1",
    "START, 700",
    "END, 1",
    "END, 700",
    "COMPACT, 1",
    "COMMIT, 600",
    "COMMITTED, 2",
    "COMMITTED, 600",
  })
  void killedInsideATransactionItIsTheSame(Points.Point point, int times) throws Exception {
    int lines = 1_500;
    List<String> stopping = new ArrayList<>(List.of(point.name(), Integer.toString(times)));
    stopping.addAll(List.of(words()));
    try (HeadgateProcess process =
        headgate(lines).main(Stopping.class).start(stopping.toArray(new String[0]))) {
      HeadgateProcess.awaitText(process::err, "at " + point);
      process.signal("KILL");
      assertThat(process.exitCode()).isEqualTo(137);
    }
    endsWell(lines);
  }

  /** The same command goes on to its end, and each line is accounted for. */
  private void endsWell(int lines) throws Exception {
    Set<Integer> told = toldAsCompleted();
    int code;
    try (HeadgateProcess process = headgate(lines).start(words())) {
      code = process.exitCode();
    }
    String report = HeadgateProcess.report(directory.resolve("report"));
    Set<Integer> uncertain = uncertain(report);
    assertThat(code).isEqualTo(uncertain.isEmpty() ? 0 : 75);
    told.retainAll(uncertain);
    assertThat(told).as("told as completed, but not committed").isEmpty();
    Set<Integer> all = IntStream.rangeClosed(1, lines).boxed().collect(Collectors.toSet());
    // Commands whose run was killed end a moment after it.
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              List<Integer> ran = ran();
              assertThat(ran).as("none is run twice").doesNotHaveDuplicates();
              Set<Integer> done = new HashSet<>(ran);
              done.addAll(uncertain);
              assertThat(done).isEqualTo(all);
            });
    assertThat(
            HeadgateProcess.count(report, "skipped")
                + HeadgateProcess.count(report, "completed")
                + uncertain.size())
        .isEqualTo(lines);
    try (HeadgateProcess process = headgate(lines).start(words("--uncertain=rerun"))) {
      assertThat(process.exitCode()).as(process.err()).isZero();
    }
    List<Integer> ran = new ArrayList<>(ran());
    assertThat(new HashSet<>(ran)).isEqualTo(all);
    all.forEach(ran::remove);
    assertThat(uncertain).as("run twice at most where it is uncertain").containsAll(ran);
    try (HeadgateProcess process = headgate(lines).start(words())) {
      assertThat(process.exitCode()).isZero();
    }
    String last = HeadgateProcess.report(directory.resolve("report"));
    assertThat(HeadgateProcess.count(last, "skipped")).isEqualTo(lines);
  }

  /** The positions that the joblog has as completed; its last row may be torn. */
  private Set<Integer> toldAsCompleted() throws IOException {
    Set<Integer> positions = new HashSet<>();
    Path log = directory.resolve("log");
    for (String row : Files.exists(log) ? Files.readAllLines(log) : List.<String>of()) {
      if (row.contains("\tcompleted\t")) {
        positions.add(Integer.valueOf(row.substring(0, row.indexOf('\t'))));
      }
    }
    return positions;
  }

  private static Set<Integer> uncertain(String report) {
    Matcher list = Pattern.compile("\"uncertain\":\\[([^\\]]*)\\]").matcher(report);
    assertThat(list.find()).as(report).isTrue();
    Set<Integer> positions = new HashSet<>();
    for (Matcher id = Pattern.compile("\"(\\d+)-").matcher(list.group(1)); id.find(); ) {
      positions.add(Integer.valueOf(id.group(1)));
    }
    return positions;
  }
}
