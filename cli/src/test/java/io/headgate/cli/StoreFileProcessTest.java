package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Worker;
import io.headgate.jdbc.Codec;
import io.headgate.jdbc.JdbcBacklog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that cannot be used is told in one line, with the file and the cure, and 69. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreFileProcessTest {
  @TempDir Path directory;

  private Path db() {
    return directory.resolve("db");
  }

  private void sql(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + db());
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private List<String> ran() {
    Path file = directory.resolve("ran");
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HeadgateProcess start(String before, String input) throws IOException {
    return HeadgateProcess.in(directory)
        .before(before)
        .input(input)
        .start("run", "-j2", "--store=db", "--", "sh", "-c", "echo \"$0\" >> ran");
  }

  private int run(String input) throws Exception {
    try (HeadgateProcess process = start("", input)) {
      return process.exitCode();
    }
  }

  /** What the file is, and what is said of it. */
  enum Unusable {
    TEXT("is not a SQLite file: give another path"),
    DAMAGED("is damaged"),
    NEWER("is of a newer release"),
    OTHER("is a database of another program: give another path"),
    JOBS("holds the jobs of a worker, not of a run: give another path"),
    NO_FOLDER("its folder does not exist, create it"),
    A_FOLDER("is a folder: give the path of a file");

    private final String words;

    Unusable(String words) {
      this.words = words;
    }
  }

  private void make(Unusable what) throws Exception {
    switch (what) {
      case TEXT -> Files.writeString(db(), "my notes, which are longer than a page".repeat(200));
      case DAMAGED -> {
        assertThat(run("a\n")).isZero();
        Files.delete(directory.resolve("ran"));
        byte[] bytes = Files.readAllBytes(db());
        Arrays.fill(bytes, 100, bytes.length, (byte) 0x5a);
        Files.write(db(), bytes);
      }
      case NEWER -> {
        assertThat(run("a\n")).isZero();
        Files.delete(directory.resolve("ran"));
        sql("UPDATE headgate_run SET version = 9, compatible_from = 9");
      }
      case OTHER -> sql("CREATE TABLE orders (id INTEGER)");
      case JOBS ->
          Worker.<String>builder("jobs")
              .concurrency(1)
              .backlog(JdbcBacklog.sqlite(db(), Codec.text()))
              .start((job, context) -> {})
              .drain(Duration.ofSeconds(30));
      case NO_FOLDER -> Files.createSymbolicLink(db(), directory.resolve("nowhere/db"));
      case A_FOLDER -> Files.createDirectory(db());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoStoreOfARunIsToldAndLeftAlone(Unusable what) throws Exception {
    if (what == Unusable.NO_FOLDER) {
      try (HeadgateProcess process =
          HeadgateProcess.in(directory)
              .input("a\n")
              .start("run", "--store=nowhere/db", "--", "true")) {
        assertThat(process.exitCode()).isEqualTo(69);
        assertThat(process.complaints()).singleElement().asString().contains(what.words);
      }
      return;
    }
    make(what);
    byte[] before = Files.isRegularFile(db()) ? Files.readAllBytes(db()) : new byte[0];
    try (HeadgateProcess process = start("", "a\n")) {
      assertThat(process.exitCode()).isEqualTo(69);
      assertThat(process.complaints()).singleElement().asString().contains("db", what.words);
    }
    assertThat(ran()).isEmpty();
    if (before.length > 0) {
      assertThat(Files.readAllBytes(db())).isEqualTo(before);
    }
  }

  @Test
  void aNewerStoreThatSaysItIsCompatibleIsUsed() throws Exception {
    assertThat(run("a\n")).isZero();
    sql("UPDATE headgate_run SET version = 9, compatible_from = 1");
    assertThat(run("a\nb\n")).isZero();
    assertThat(ran()).containsExactly("a", "b");
  }

  @Test
  void aStoreThatAnotherProgramLocksIsTold() throws Exception {
    assertThat(run("a\n")).isZero();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + db());
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      try (HeadgateProcess process = start("", "a\nb\n")) {
        assertThat(process.exitCode()).isEqualTo(69);
        assertThat(process.complaints())
            .singleElement()
            .asString()
            .contains(db().toString(), "is locked by another program");
      }
      statement.execute("ROLLBACK");
    }
    assertThat(run("a\nb\n")).isZero();
    assertThat(ran()).containsExactly("a", "b");
  }

  @Test
  @Tag("K2")
  void anEndThatCannotBeRecordedCountsNowhereAsCompleted() throws Exception {
    String[] words = {
      "run",
      "-j1",
      "--store=db",
      "--joblog=log",
      "--report=report",
      "--",
      "sh",
      "-c",
      "echo \"$0\" >> ran; test $0 = a || while test ! -e go; do sleep 0.1; done"
    };
    try (HeadgateProcess process = HeadgateProcess.in(directory).input("a\nb\nc\n").start(words);
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + db());
        Statement statement = connection.createStatement()) {
      HeadgateProcess.awaitText(() -> String.join(" ", ran()), "a b");
      statement.execute("BEGIN IMMEDIATE");
      Files.createFile(directory.resolve("go"));
      assertThat(process.exitCode()).isEqualTo(69);
      statement.execute("ROLLBACK");
    }
    assertThat(Rows.once(directory.resolve("log")))
        .containsEntry(1L, "completed")
        .containsEntry(2L, "uncertain");
    String report = HeadgateProcess.report(directory.resolve("report"));
    assertThat(HeadgateProcess.count(report, "completed")).isEqualTo(1);
    assertThat(report).contains("its end could not be recorded");
    try (HeadgateProcess next = HeadgateProcess.in(directory).input("a\nb\nc\n").start(words)) {
      assertThat(next.exitCode()).as("the line is held").isEqualTo(75);
    }
    assertThat(ran()).containsExactly("a", "b", "c");
  }

  @Test
  @Tag("K8")
  void aFullDiskStopsTheRunAndLosesNothing() throws Exception {
    StringBuilder input = new StringBuilder();
    for (int i = 1; i <= 1400; i++) {
      input.append(i).append('\n');
    }
    // The limit of file sizes is met as a full disk would be; the log of the store grows first.
    try (HeadgateProcess process = start("ulimit -f 3000;", input.toString())) {
      assertThat(process.exitCode()).isEqualTo(69);
      // One line for the store, and one for each of the two lines that came too late, at most.
      assertThat(process.complaints().get(0))
          .contains("the store db cannot be", "ulimit -f", "no more is started");
      assertThat(process.complaints()).hasSizeLessThanOrEqualTo(2);
    }
    List<String> before = ran();
    assertThat(before).isNotEmpty().doesNotHaveDuplicates().hasSizeLessThan(1400);
    // With space again it goes on. What ended while nothing could be written is held, if anything.
    int code = run(input.toString());
    assertThat(code).isIn(0, 75);
    assertThat(ran()).doesNotHaveDuplicates();
    if (code == 0) {
      assertThat(new HashSet<>(ran())).hasSize(1400);
    } else {
      assertThat(1400 - new TreeSet<>(ran()).size())
          .as("uncertain, at most those at once")
          .isLessThan(3);
    }
  }

  @Test
  void aDiskThatIsFullAtTheStartIsTold() throws Exception {
    try (HeadgateProcess process = start("ulimit -f 1;", "a\n")) {
      assertThat(process.exitCode()).isEqualTo(69);
      assertThat(process.complaints()).singleElement().asString().contains("db", "TMPDIR");
    }
    assertThat(ran()).isEmpty();
    assertThat(run("a\n")).as("nothing half written is in the way").isZero();
  }
}
