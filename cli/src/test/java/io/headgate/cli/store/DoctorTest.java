package io.headgate.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor says of stores, sound and not. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoctorTest extends StoreFixture {
  private final Told told = new Told();

  private int examine(Path file) {
    told.lines.clear();
    told.complaints.clear();
    return Doctor.examine(file, told);
  }

  @Test
  @Tag("K8")
  void soundStoresAreSaidToBe() throws Exception {
    openWithAll().close();
    assertThat(examine(run())).as(told.lines + "" + told.complaints).isZero();
    assertThat(told.lines)
        .singleElement()
        .asString()
        .contains("is sound: the progress of a run, 6 lines known, 1 completed, 1 failed");
    hold("a", "b");
    assertThat(examine(jobs())).as(told.lines + "" + told.complaints).isZero();
    assertThat(told.lines).singleElement().asString().contains("is sound: the jobs of a worker");
  }

  @Test
  void aRecordOfFullBlocksIsSound() throws Exception {
    try (ProgressStore store = ProgressStore.open(run())) {
      for (long position = 1; position <= 2 * Block.LINES + 5; position++) {
        end(store, position, position % 100 == 0 ? LineState.FAILED : LineState.COMPLETED);
      }
      assertThat(examine(run())).as("beside its owner: " + told.lines).isZero();
    }
    assertThat(examine(run())).isZero();
    assertThat(told.lines.getFirst()).contains("2053 lines known, 2033 completed, 20 failed");
  }

  @Test
  void itMayBeAskedBesideTheOwner() throws Exception {
    long self = ProcessHandle.current().pid();
    ProgressStore store = openWithAll();
    Worker<String> worker = worker(1, (job, context) -> {});
    try {
      submit(worker, "a", "b", "c");
      for (Path file : List.of(run(), jobs())) {
        assertThat(examine(file)).as(told.lines + "" + told.complaints).isZero();
        assertThat(told.lines.getFirst()).contains("in use by process " + self);
      }
    } finally {
      worker.drain(LONG);
      store.close();
    }
  }

  @Test
  void itChangesNothing() throws Exception {
    openWithAll().close();
    // As an owner that is gone leaves it.
    Files.writeString(folder.resolve("run.db.owner"), "1000000000\n");
    byte[] before = Files.readAllBytes(run());
    assertThat(examine(run())).isZero();
    assertThat(Files.readAllBytes(run())).isEqualTo(before);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("run.db", "run.db.owner");
    }
  }

  @ParameterizedTest
  @Tag("K8")
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE headgate_run SET completed = 2|the counter completed is 2, but the rows say 1",
        "UPDATE headgate_run SET failed = 0|the counter failed is 0, but the rows say 1",
        "DELETE FROM run_line WHERE position = 3|the counter known is 6, but the rows say 5",
        "UPDATE run_line SET state = 9 WHERE position = 3|state or at a position that there is not",
        "INSERT INTO run_block VALUES (0, 1)|are kept, though their digest is there",
        "INSERT INTO run_block VALUES (-4, 1)|digests are of no part of an input",
      })
  void whatIsWrongWithARunIsSaid(String change, String words) throws Exception {
    openWithAll().close();
    sql(run(), change);
    assertThat(examine(run())).isEqualTo(1);
    assertThat(told.lines).anySatisfy(line -> assertThat(line).contains(words));
    assertThat(told.lines.getLast()).contains("cure: restore a backup", "--restart");
  }

  @ParameterizedTest
  @Tag("K8")
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE counter SET accepted = accepted + 1|accepted is 3, but the outcomes and",
        "UPDATE counter SET held = 7|the counter HELD is 7, but the rows say 2",
        "DELETE FROM job_id WHERE id = 'a'|1 unfinished jobs are not in the window of ids",
        "INSERT INTO job_id VALUES ('x', 99, NULL)|1 ids of the window have no job and no outcome",
      })
  void whatIsWrongWithAStoreOfJobsIsSaid(String change, String words) throws Exception {
    hold("a", "b");
    sql(jobs(), change);
    assertThat(examine(jobs())).isEqualTo(1);
    assertThat(told.lines).anySatisfy(line -> assertThat(line).contains(words));
    assertThat(told.lines.getLast()).contains("cure: restore a backup");
  }

  @Test
  void aDamagedFileIsSaidToBe() throws Exception {
    try (ProgressStore store = ProgressStore.open(run())) {
      for (long position = 1; position < 900; position++) {
        end(store, position, LineState.COMPLETED);
      }
    }
    byte[] bytes = Files.readAllBytes(run());
    // The head is whole, and pages behind it are not.
    Arrays.fill(bytes, 3 * 4096, bytes.length, (byte) 0x5a);
    Files.write(run(), bytes);
    assertThat(examine(run())).isEqualTo(1);
    assertThat(told.complaints.toString()).contains("damaged").contains("restore a backup");
  }

  @Test
  void aFileThatCannotEvenBeReadAsAStoreIsComplainedOf() throws Exception {
    openWithAll().close();
    byte[] bytes = Files.readAllBytes(run());
    // The head is whole, and the tables are not known any more.
    Arrays.fill(bytes, 100, 4096, (byte) 0x5a);
    Files.write(run(), bytes);
    assertThat(examine(run())).isEqualTo(1);
    assertThat(told.lines).isEmpty();
    assertThat(told.complaints).singleElement().asString().contains("is damaged");
  }

  @Test
  void whatIsNoStoreIsToldApart() throws Exception {
    assertThat(examine(folder.resolve("none"))).isEqualTo(66);
    assertThat(examine(folder)).isEqualTo(66);
    Path text = Files.writeString(folder.resolve("text"), "my notes, of a page or so".repeat(200));
    assertThat(examine(text)).isEqualTo(66);
    Path other = folder.resolve("other");
    sql(other, "CREATE TABLE orders (id INTEGER)");
    assertThat(examine(other)).isEqualTo(66);
    assertThat(examine(Files.createFile(folder.resolve("empty")))).isEqualTo(66);
    openWithAll().close();
    sql(run(), "UPDATE headgate_run SET version = 9, compatible_from = 9");
    assertThat(examine(run())).isEqualTo(69);
    assertThat(told.complaints).singleElement().asString().contains("is of a newer release");
    hold("a");
    sql(jobs(), "UPDATE headgate_schema SET version = 99, compatible_from = 99");
    assertThat(examine(jobs())).isEqualTo(69);
    assertThat(told.complaints).singleElement().asString().contains("use a newer release");
  }
}
