package io.headgate.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.jdbc.SqliteFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The progress record by itself. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProgressStoreTest {
  @TempDir Path folder;

  private Path path() {
    return folder.resolve("db");
  }

  private static long hash(long position) {
    return position * 0x9e3779b97f4a7c15L;
  }

  private static void start(ProgressStore store, long position) throws StoreFault {
    store.started(position, position, hash(position));
  }

  private long number(String sql) throws SQLException {
    try (SqliteFile file = SqliteFile.look(path());
        Statement statement = file.connection().createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  @Tag("K2")
  void whatIsRecordedIsThereForTheNext() throws Exception {
    try (ProgressStore store = ProgressStore.open(path())) {
      store.begin(false);
      start(store, 1);
      start(store, 2);
      start(store, 3);
      store.ended(1, LineState.COMPLETED);
      store.ended(2, LineState.FAILED);
    }
    try (ProgressStore store = ProgressStore.open(path())) {
      assertThat(store.block(0).rows().get(3L).state()).isEqualTo(LineState.RUNNING);
      store.begin(false);
      assertThat(store.block(0).rows().values())
          .containsExactlyInAnyOrder(
              new Row(1, 1, hash(1), LineState.COMPLETED),
              new Row(2, 2, hash(2), LineState.FAILED),
              new Row(3, 3, hash(3), LineState.UNCERTAIN));
      assertThat(store.beyond(1)).isEqualTo(2);
      assertThat(store.beyond(1, List.of(LineState.FAILED))).isEqualTo(1);
      store.begin(true);
      assertThat(store.isEmpty()).isTrue();
    }
  }

  @Test
  void aFullBlockBecomesItsDigestAndTheRowsOfWhatHasNotCompleted() throws Exception {
    long digest = Block.SEED;
    try (ProgressStore store = ProgressStore.open(path())) {
      // In any order, as commands start, and with ends before and after the block is full.
      for (long position = Block.LINES; position >= 1; position--) {
        start(store, position);
        if (position % 3 != 0) {
          store.ended(position, LineState.COMPLETED);
        }
      }
      for (long position = 1; position <= Block.LINES; position++) {
        digest = Block.digest(digest, hash(position));
      }
      Block block = store.block(0);
      assertThat(block.digest()).isEqualTo(digest);
      assertThat(block.rows()).hasSize(Block.LINES / 3);
      for (long position = 3; position <= Block.LINES; position += 3) {
        store.ended(position, position == 9 ? LineState.FAILED : LineState.COMPLETED);
      }
      start(store, Block.LINES + 1);
      assertThat(store.block(0).rows()).containsOnlyKeys(9L);
      assertThat(store.beyond(1000)).as("known lines, with rows or not").isEqualTo(25);
      assertThat(store.beyond(Block.LINES)).isEqualTo(1);
    }
    assertThat(number("SELECT count(*) FROM run_line")).isEqualTo(2);
    assertThat(number("SELECT known FROM headgate_run")).isEqualTo(Block.LINES + 1);
    assertThat(number("SELECT completed FROM headgate_run")).isEqualTo(Block.LINES - 1);
    assertThat(number("SELECT failed FROM headgate_run")).isEqualTo(1);
  }

  @Test
  @Tag("K2")
  void manyThreadsShareACommitAndNoneIsAnsweredBeforeIt() throws Exception {
    AtomicInteger commits = new AtomicInteger();
    Points counting =
        point -> {
          if (point == Points.Point.COMMITTED) {
            commits.incrementAndGet();
          }
        };
    int lines = 4_000;
    try (ProgressStore store = ProgressStore.open(path(), counting)) {
      store.begin(false);
      CountDownLatch done = new CountDownLatch(lines);
      try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
        for (long line = 1; line <= lines; line++) {
          long position = line;
          threads.execute(
              () -> {
                try {
                  start(store, position);
                  store.ended(position, LineState.COMPLETED);
                  done.countDown();
                } catch (StoreFault e) {
                  // The latch tells.
                }
              });
        }
      }
      assertThat(done.await(0, TimeUnit.SECONDS)).as("all answered, and well").isTrue();
    }
    assertThat(number("SELECT completed FROM headgate_run")).isEqualTo(lines);
    assertThat(number("SELECT count(*) FROM run_block")).isEqualTo(lines / Block.LINES);
    assertThat(commits.get()).as("of %s changes", 2 * lines).isLessThan(lines);
  }

  @Test
  void whatCannotBeCommittedIsToldToAllAndEndsAreTriedOnceMore() throws Exception {
    try (ProgressStore store = ProgressStore.open(path())) {
      store.begin(false);
      start(store, 1);
      start(store, 2);
      try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + path());
          Statement lock = other.createStatement()) {
        lock.execute("BEGIN IMMEDIATE");
        assertThatThrownBy(() -> store.ended(1, LineState.COMPLETED))
            .isInstanceOf(StoreFault.class)
            .hasMessageContaining(path().toString())
            .hasMessageContaining("is locked by another program");
        lock.execute("ROLLBACK");
      }
      assertThatThrownBy(() -> start(store, 3)).as("for good").isInstanceOf(StoreFault.class);
      assertThatThrownBy(() -> store.ended(2, LineState.FAILED)).isInstanceOf(StoreFault.class);
    }
    try (ProgressStore store = ProgressStore.open(path())) {
      assertThat(store.block(0).rows().values())
          .containsExactlyInAnyOrder(
              new Row(1, 1, hash(1), LineState.COMPLETED),
              new Row(2, 2, hash(2), LineState.FAILED));
    }
  }

  @Test
  void oneChangedLineAlwaysChangesTheDigest() {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    System.out.println("ProgressStoreTest: headgate.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      long[] hashes = random.longs(50).toArray();
      long before = digest(hashes);
      hashes[random.nextInt(hashes.length)] ^= 1L << random.nextInt(Long.SIZE);
      assertThat(digest(hashes)).isNotEqualTo(before);
      long[] swapped = hashes.clone();
      swapped[0] = hashes[1];
      swapped[1] = hashes[0];
      assertThat(digest(swapped)).isNotEqualTo(digest(hashes));
    }
  }

  private static long digest(long[] hashes) {
    long digest = Block.SEED;
    for (long hash : hashes) {
      digest = Block.digest(digest, hash);
    }
    return digest;
  }
}
