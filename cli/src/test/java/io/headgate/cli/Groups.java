package io.headgate.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Looks at process groups from outside. A process that only waits to be reaped does not live. */
final class Groups {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Groups() {}

  /** The ids that children wrote, one a line, as soon as there are that many. */
  static List<Integer> awaitIds(Path file, int count) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> ids(file).size() >= count);
    return ids(file);
  }

  static List<Integer> ids(Path file) {
    try {
      if (!Files.exists(file)) {
        return List.of();
      }
      String text = Files.readString(file);
      // The last line may be half written.
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Integer::valueOf).toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean lives(int group) {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes.anyMatch(process -> isOf(process, group));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static void awaitGone(List<Integer> groups) {
    for (int group : groups) {
      await()
          .alias("group " + group + " is gone")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !lives(group));
    }
  }

  private static boolean isOf(Path process, int group) {
    if (!Character.isDigit(process.getFileName().toString().charAt(0))) {
      return false;
    }
    try {
      byte[] bytes = Files.readAllBytes(process.resolve("stat"));
      String stat = new String(bytes, StandardCharsets.ISO_8859_1);
      // pid (name) state ppid pgrp; the name may hold anything.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return !fields[0].equals("Z")
          && !fields[0].equals("X")
          && Integer.parseInt(fields[2]) == group;
    } catch (IOException e) {
      return false;
    }
  }
}
