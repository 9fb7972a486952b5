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
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A store whose processes are killed one after the other, and what they said was accepted. Used by
 * one thread.
 */
final class KilledStore {

  private static final int EXIT_OF_A_KILLED_PROCESS = 137;

  final Path file;

  private final Children children;
  private final Set<String> accepted = new HashSet<>();

  KilledStore(Children children, Path file) {
    this.children = children;
    this.file = file;
  }

  Set<String> accepted() {
    return accepted;
  }

  /** Kills the next process some time after it has opened the store. */
  void killAfter(long micros, String run, String policy) throws Exception {
    runAndKill(run, policy, micros, "-", 0);
  }

  /** Kills the next process at a point, when it is there for that many times. */
  void killAt(String point, int times, String run, String policy) throws Exception {
    runAndKill(run, policy, 0, point, times);
  }

  private void runAndKill(String run, String policy, long micros, String point, int times)
      throws IOException, InterruptedException {
    Process child = children.start(file, run, policy, point, times);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
      Thread killer = null;
      String line = reader.readLine();
      while (line != null) {
        lines.add(line);
        if (line.equals("open") && point.equals("-")) {
          // From here on the time is part of the chance, not a wait for something.
          killer = Thread.ofPlatform().start(() -> killAfter(child, micros));
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
        .as(() -> "killed, and not ended by itself: " + errors() + lines)
        .isEqualTo(EXIT_OF_A_KILLED_PROCESS);
    for (String line : lines) {
      if (line.startsWith("accepted ")) {
        accepted.add(line.substring("accepted ".length()));
      }
    }
    assertThat(lines).noneMatch(line -> line.startsWith("damaged"));
  }

  private String errors() {
    try {
      return Files.readString(file.resolveSibling("errors"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** By the handle, which sends KILL and leaves the pipe open for what was said before. */
  private static void kill(Process child) {
    child.toHandle().destroyForcibly();
  }

  private static void killAfter(Process child, long micros) {
    try {
      if (!child.waitFor(micros, TimeUnit.MICROSECONDS)) {
        kill(child);
      }
    } catch (InterruptedException e) {
      kill(child);
    }
  }

  /** Holds what is left to the rules. */
  void audit() throws SQLException {
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
