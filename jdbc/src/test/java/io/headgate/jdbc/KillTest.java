package io.headgate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kills a process under load, again and again, and looks at what it left. After each kill: every id
 * that was told to be accepted is waiting, due, suspended, uncertain, held or has exactly one
 * outcome; the counters equal the rows; no id is there twice; the payloads are whole.
 *
 * <p>{@code -Dheadgate.kills=N} sets how many kills, {@code -Dheadgate.seed=N} when they come.
 */
class KillTest {

  /** Kills of one file before the next begins with an empty one. */
  private static final int KILLS_PER_FILE = 10;

  /** Files at a time, each with one process: while one starts, another runs. */
  private static final int LANES = 3;

  private static final String[] POLICIES = {"rerun", "hold", "fail"};

  @TempDir static Path folder;

  private static Children children;

  @BeforeAll
  static void prepare() throws Exception {
    children = new Children(folder);
  }

  private static KilledStore store(String name) {
    return new KilledStore(children, folder.resolve(name + ".db"));
  }

  @Test
  @Timeout(900)
  @Tag("K1")
  @Tag("K2")
  @Tag("K3")
  @Tag("K6")
  @Tag("K8")
  @Tag("CASE-44")
  void threeHundredKillsAtRandomPointsLoseNothing() throws Exception {
    kill(Integer.getInteger("headgate.kills", 300));
  }

  @Test
  @Tag("long")
  @Timeout(7_200)
  @Tag("K1")
  @Tag("K2")
  void aThousandKillsAtRandomPointsLoseNothing() throws Exception {
    kill(Integer.getInteger("headgate.kills", 1_000));
  }

  private static void kill(int kills) throws Exception {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    System.out.println("KillTest: headgate.seed=" + seed);
    List<FutureTask<Void>> lanes = new ArrayList<>();
    for (int lane = 0; lane < LANES; lane++) {
      int first = lane * kills / LANES;
      int end = (lane + 1) * kills / LANES;
      Random random = new Random(seed + lane);
      FutureTask<Void> task = new FutureTask<>(() -> kill(first, end, random), null);
      lanes.add(task);
      Thread.ofPlatform().daemon().start(task);
    }
    for (FutureTask<Void> lane : lanes) {
      lane.get();
    }
  }

  private static void kill(int first, int end, Random random) {
    try {
      KilledStore store = store("jobs-" + first);
      for (int kill = first; kill < end; kill++) {
        int ofThis = kill - first;
        if (ofThis % KILLS_PER_FILE == 0) {
          store = store("jobs-" + kill);
        }
        String policy = POLICIES[ofThis / KILLS_PER_FILE % POLICIES.length];
        // Many soon after the open, where recovery and the first commits are; some late.
        long micros = random.nextInt(kill % 8 == 0 ? 250_000 : 40_000);
        store.killAfter(micros, "k" + kill, policy);
        store.audit();
      }
    } catch (Exception e) {
      throw new AssertionError("a kill between " + first + " and " + end, e);
    }
  }

  @ParameterizedTest
  @Timeout(120)
  @CsvSource({
    "MIGRATION, 1",
    "ADMIT, 40",
    "CLAIM, 30",
    "SETTLE, 30",
    "COMMIT, 50",
    "COMMITTED, 50",
  })
  @Tag("K1")
  @Tag("K2")
  @Tag("K8")
  void aKillInsideATransactionLosesNothing(String point, int times) throws Exception {
    KilledStore store = store("armed-" + point);
    store.killAt(point, times, "armed", "rerun");
    if (point.equals("MIGRATION")) {
      assertThat(store.accepted()).isEmpty();
    } else {
      store.audit();
    }
    store.killAfter(50_000, "after", "rerun");
    store.audit();
  }

  @Test
  @Timeout(120)
  @Tag("K3")
  @Tag("CASE-45")
  void aKillInsideARecoveryLeavesTheRestToTheNext() throws Exception {
    KilledStore store = store("recovery");
    store.killAt("CLAIM", 200, "first", "rerun");
    store.audit();
    long running;
    try (StoreAudit audit = StoreAudit.of(store.file)) {
      running = audit.number("SELECT count(*) FROM job WHERE state = 1");
    }
    if (running > 0) {
      store.killAt("RECOVERY", 1, "second", "rerun");
      store.audit();
    }
    store.killAfter(50_000, "third", "rerun");
    store.audit();
  }

  @Test
  @Timeout(120)
  void aSecondProcessIsRefusedWithThePidOfTheFirst() throws Exception {
    Path file = folder.resolve("owned.db");
    Process first = children.start(file, "first", "rerun", "-", 0);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(first.getInputStream(), UTF_8))) {
      assertThat(lines.readLine()).isEqualTo("open");
      Path errors = folder.resolve("errors");
      Files.deleteIfExists(errors);
      Process second = children.start(file, "second", "rerun", "-", 0);
      assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(errors))
          .contains(file.toString())
          .contains("in use by process " + first.pid());
    } finally {
      first.destroyForcibly().waitFor();
    }
  }
}
