package io.headgate.cli.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code headgate jobs} lists. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListingTest extends StoreFixture {
  private final Told told = new Told();

  private List<String> list(Path file, Listing.Place place) {
    told.lines.clear();
    assertThat(Listing.list(file, place, 0, 100, false, false, told)).isZero();
    return told.lines.subList(1, told.lines.size());
  }

  @ParameterizedTest
  @CsvSource({
    "ANY, 2 failed;3 held;4 suspended;5 waiting;6 running",
    "HELD, 3 held",
    "WAITING, 5 waiting",
    "SUSPENDED, 4 suspended",
    "RUNNING, 6 running",
    "ENDED, 2 failed",
  })
  void theLinesOfARunAreListedByState(Listing.Place place, String expected) throws Exception {
    try (ProgressStore store = openWithAll()) {
      assertThat(store.sums().known()).isEqualTo(6);
      List<String> rows = new ArrayList<>();
      for (String row : expected.split(";", -1)) {
        long position = Long.parseLong(row.split(" ", -1)[0]);
        rows.add(id(position) + "\t" + row.split(" ", -1)[1] + "\t" + (position + 1));
      }
      assertThat(list(run(), place)).isEqualTo(rows);
    }
  }

  @Test
  void whatNobodyRunsAnyMoreIsHeld() throws Exception {
    openWithAll().close();
    Files.writeString(folder.resolve("run.db.owner"), "1000000000\n");
    assertThat(list(run(), Listing.Place.HELD))
        .containsExactly(id(3) + "\theld\t4", id(6) + "\theld\t7");
    assertThat(list(run(), Listing.Place.RUNNING)).isEmpty();
  }

  @Test
  void aListIsPagedByKey() throws Exception {
    try (ProgressStore store = ProgressStore.open(run())) {
      for (long position = 1; position <= 1_200; position++) {
        end(store, position, LineState.FAILED);
      }
    }
    assertThat(Listing.list(run(), Listing.Place.ANY, 0, 1_100, true, false, told)).isZero();
    assertThat(told.lines).hasSize(1_100);
    assertThat(told.lines.getFirst())
        .isEqualTo("{\"key\":1,\"id\":\"" + id(1) + "\",\"state\":\"failed\",\"line\":2}");
    assertThat(told.complaints).singleElement().asString().contains("--after 1100");
    assertThat(Listing.list(run(), Listing.Place.ANY, 1_100, 100, true, false, told)).isZero();
    assertThat(told.lines).hasSize(1_200).doesNotHaveDuplicates();
    assertThat(told.complaints).as("no more").hasSize(1);
  }

  @Test
  void theJobsOfAWorkerAreListedByStateAndPayloadsOnlyWhenAskedFor() throws Exception {
    hold("a", "odd\u00e9 \"b\"");
    assertThat(list(jobs(), Listing.Place.HELD))
        .containsExactly(
            "1\ta\theld\t1\t1\t12\tUncertainStart: the job was interrupted by a stop",
            "2\todd\u00e9 \"b\"\theld\t1\t1\t19\tUncertainStart: the job was interrupted by a stop");
    assertThat(list(jobs(), Listing.Place.ANY)).hasSize(2);
    assertThat(list(jobs(), Listing.Place.WAITING)).isEmpty();
    told.lines.clear();
    assertThat(Listing.list(jobs(), Listing.Place.HELD, 1, 100, true, true, told)).isZero();
    assertThat(told.lines)
        .containsExactly(
            "{\"key\":2,\"id\":\"odd\u00e9 \\\"b\\\"\",\"state\":\"held\",\"attempts\":1,"
                + "\"uncertainStarts\":1,\"bytes\":19,\"errorType\":\"UncertainStart\","
                + "\"errorMessage\":\"the job was interrupted by a stop\",\"payloadBase64\":\""
                + Base64.getEncoder().encodeToString("payload of odd\u00e9 \"b\"".getBytes(UTF_8))
                + "\"}");
  }

  @Test
  void endsAreListedWithTheirErrors() throws Exception {
    Worker<String> worker =
        worker(
            1,
            (job, context) -> {
              if (job.id().equals("b")) {
                throw new IllegalStateException("two\nlines\tand a tab");
              }
            });
    submit(worker, "a", "b");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    worker.drain(LONG);
    List<String> ended = list(jobs(), Listing.Place.ENDED);
    assertThat(ended).hasSize(2);
    assertThat(ended.get(0)).contains("\ta\tcompleted\t");
    assertThat(ended.get(1))
        .contains("\tb\tfailed\t", "IllegalStateException: two\\nlines\\tand a tab");
  }
}
