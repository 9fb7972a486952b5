package io.headgate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether an answer follows a sync of the log, by the system calls of a process, which {@code
 * strace} lists. A store that only promises durability answers as well, and as fast as a disk that
 * is not asked; here it fails.
 */
class FsyncTest {

  /** A checkpoint syncs too, and so does a new log. */
  private static final int OTHER_SYNCS = 8;

  private static final Pattern SYNC = Pattern.compile("\\b(fsync|fdatasync)\\(\\d+<[^>]*-wal>");
  private static final Pattern SAID = Pattern.compile("SAID ([A-Z]+)(?: (\\d+) OF (\\d+))?");

  @TempDir Path folder;

  @Test
  @Timeout(180)
  @Tag("K2")
  @Tag("CASE-56")
  void everyAnswerFollowsASyncOfTheLogAndEveryGroupHasOne() throws Exception {
    List<String> calls = calls();
    int syncs = 0;
    int answers = 0;
    int syncsTogether = 0;
    int groups = 0;
    String phase = "";
    for (String call : calls) {
      Matcher said = SAID.matcher(call);
      if (isSync(call)) {
        syncs++;
        syncsTogether += phase.equals("TOGETHER") ? 1 : 0;
      } else if (said.find()) {
        switch (said.group(1)) {
          case "BEGIN" -> syncs = 0;
          case "ACCEPTED" -> {
            answers++;
            assertThat(syncs).as("syncs before answer " + answers).isPositive();
            syncs = 0;
          }
          case "GROUPS" -> {
            groups = Integer.parseInt(said.group(2));
            assertThat(said.group(3)).as("accepted").isEqualTo(Integer.toString(9 * answers));
          }
          default -> {}
        }
        phase = said.group(1);
      }
    }
    assertThat(answers).isEqualTo(SyncedWorker.ALONE);
    assertThat(groups).isPositive();
    assertThat(syncsTogether).as("one for each group").isBetween(groups, groups + OTHER_SYNCS);
  }

  /** A call that another one interrupts is in two lines; its end counts. */
  private static boolean isSync(String call) {
    return call.contains("resumed>")
        ? call.contains("fsync resumed") || call.contains("fdatasync resumed")
        : SYNC.matcher(call).find() && !call.contains("unfinished ...");
  }

  private List<String> calls() throws Exception {
    Path log = folder.resolve("calls");
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(
                "strace",
                "-f",
                "-y",
                "-s",
                "64",
                "-e",
                "trace=fsync,fdatasync,write",
                "-o",
                log.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                SyncedWorker.class.getName(),
                folder.resolve("jobs.db").toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile())
            .start();
    assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(() -> read(errors)).isZero();
    return Files.readAllLines(log, UTF_8);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
