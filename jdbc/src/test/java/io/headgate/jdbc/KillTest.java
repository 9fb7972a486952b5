package io.headgate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

  private static final String[] POLICIES = {"rerun", "hold", "fail"};

  @TempDir Path folder;

  private final Set<String> accepted = new HashSet<>();

  @Test
  @Timeout(900)
  @Tag("K1")
  @Tag("K2")
  @Tag("K3")
  @Tag("K6")
  @Tag("K8")
  @Tag("CASE-44")
  void fiftyKillsAtRandomPointsLoseNothing() throws Exception {
    kill(Integer.getInteger("headgate.kills", 50));
  }

  @Test
  @Tag("long")
  @Timeout(7_200)
  @Tag("K1")
  @Tag("K2")
  void aThousandKillsAtRandomPointsLoseNothing() throws Exception {
    kill(Integer.getInteger("headgate.kills", 1_000));
  }

  private void kill(int kills) throws Exception {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    System.out.println("KillTest: headgate.seed=" + seed);
    Random random = new Random(seed);
    Path file = null;
    for (int kill = 0; kill < kills; kill++) {
      if (kill % KILLS_PER_FILE == 0) {
        file = folder.resolve("jobs-" + kill + ".db");
        accepted.clear();
      }
      String policy = POLICIES[kill / KILLS_PER_FILE % POLICIES.length];
      runAndKill(file, "k" + kill, policy, 5 + random.nextInt(400), "-", 0);
      audit(file);
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
    Path file = folder.resolve("armed.db");
    runAndKill(file, "armed", "rerun", 0, point, times);
    if (point.equals("MIGRATION")) {
      assertThat(accepted).isEmpty();
    } else {
      audit(file);
    }
    runAndKill(file, "after", "rerun", 50, "-", 0);
    audit(file);
  }

  @Test
  @Timeout(120)
  @Tag("K3")
  @Tag("CASE-45")
  void aKillInsideARecoveryLeavesTheRestToTheNext() throws Exception {
    Path file = folder.resolve("recovery.db");
    runAndKill(file, "first", "rerun", 0, "CLAIM", 200);
    audit(file);
    long running;
    try (StoreAudit audit = StoreAudit.of(file)) {
      running = audit.number("SELECT count(*) FROM job WHERE state = 1");
    }
    if (running > 0) {
      runAndKill(file, "second", "rerun", 0, "RECOVERY", 1);
      audit(file);
    }
    runAndKill(file, "third", "rerun", 50, "-", 0);
    audit(file);
  }

  @Test
  @Timeout(120)
  void aSecondProcessIsRefusedWithThePidOfTheFirst() throws Exception {
    Path file = folder.resolve("owned.db");
    Process first = child(file, "first", "rerun", "-", 0);
    try (BufferedReader lines = reader(first)) {
      assertThat(lines.readLine()).isEqualTo("open");
      Process second = child(file, "second", "rerun", "-", 0);
      assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(new String(second.getErrorStream().readAllBytes(), UTF_8))
          .contains(file.toString())
          .contains("in use by process " + first.pid());
    } finally {
      first.destroyForcibly().waitFor();
    }
  }

  // ---- one child ----

  private void runAndKill(Path file, String run, String policy, int millis, String point, int times)
      throws IOException, InterruptedException {
    Process child = child(file, run, policy, point, times);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = reader(child)) {
      Thread killer = null;
      String line = reader.readLine();
      while (line != null) {
        lines.add(line);
        if (line.equals("open") && point.equals("-")) {
          // From here on the time is part of the chance, not a wait for something.
          killer = Thread.ofPlatform().start(() -> killAfter(child, millis));
        } else if (line.startsWith("at ")) {
          kill(child);
        }
        line = reader.readLine();
      }
      if (killer != null) {
        killer.join();
      }
    }
    child.waitFor();
    assertThat(child.exitValue())
        .as(() -> "killed, and not ended by itself: " + error(child) + lines)
        .isEqualTo(137);
    for (String line : lines) {
      if (line.startsWith("accepted ")) {
        accepted.add(line.substring("accepted ".length()));
      }
    }
    assertThat(lines).noneMatch(line -> line.startsWith("damaged"));
  }

  /** By the handle, which sends KILL and leaves the pipe open for what was said before. */
  private static void kill(Process child) {
    child.toHandle().destroyForcibly();
  }

  private static void killAfter(Process child, int millis) {
    try {
      if (!child.waitFor(millis, TimeUnit.MILLISECONDS)) {
        kill(child);
      }
    } catch (InterruptedException e) {
      kill(child);
    }
  }

  private static String error(Process child) {
    try {
      return new String(child.getErrorStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static BufferedReader reader(Process child) {
    return new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8));
  }

  private static Process child(Path file, String run, String policy, String point, int times)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:ActiveProcessorCount=2",
            "-Xmx128m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            KilledWorker.class.getName(),
            file.toString(),
            run,
            policy,
            point,
            Integer.toString(times))
        .start();
  }

  // ---- what is left ----

  private void audit(Path file) throws SQLException, IOException {
    assertThat(Files.exists(file)).isTrue();
    try (StoreAudit audit = StoreAudit.of(file)) {
      audit.holds();
      Map<String, String> places = audit.places();
      Set<String> lost = new HashSet<>(accepted);
      lost.removeAll(places.keySet());
      assertThat(lost).as("accepted and not in the store").isEmpty();
      assertThat(audit.damaged(KilledWorker::payload)).as("payloads").isEmpty();
    }
  }
}
