package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Outcome;
import io.headgate.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Held and failed jobs are listed, and somebody decides on them. */
class StoredJobsTest extends StoreFixture {

  private final List<String> done = new CopyOnWriteArrayList<>();

  /** Leaves the jobs held, as interrupted by a stop. */
  private void hold(String... ids) throws Exception {
    Worker<String> worker = start(store().uncertain(Uncertain.HOLD), staying);
    worker.setConcurrency(ids.length);
    submit(worker, ids);
    entered.acquire(ids.length);
    worker.drain(Duration.ZERO);
  }

  private Worker<String> working() {
    return start(store(), (job, context) -> done.add(job.id() + "=" + job.payload()));
  }

  @Test
  @Tag("K4")
  void aHeldJobIsRunAgainCompletedOrFailedAsSomebodyDecides() throws Exception {
    hold("a", "b", "c", "d");
    StoredJobs jobs = store().jobs();
    assertThat(jobs.held(0, 10)).extracting(StoredJob::id).containsExactly("a", "b", "c", "d");
    assertThat(jobs.held(jobs.held(0, 2).getLast().key(), 10))
        .as("the next page")
        .extracting(StoredJob::id)
        .containsExactly("c", "d");
    assertThat(jobs.held(0, 1).getFirst().uncertainStarts()).isEqualTo(1);
    assertThat(jobs.decide("a", Decision.RERUN)).isTrue();
    assertThat(jobs.decide("b", Decision.COMPLETE)).isTrue();
    assertThat(jobs.decide("c", Decision.FAIL)).isTrue();
    assertThat(jobs.decide("b", Decision.RERUN)).as("it has its outcome").isFalse();
    assertThat(jobs.decide("nobody", Decision.RERUN)).isFalse();
    Worker<String> worker = working();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("a=payload of a");
    assertThat(worker.outcome("b")).contains(new Outcome.Completed("b", 1));
    assertThat(worker.outcome("c").orElseThrow()).isInstanceOf(Outcome.Failed.class);
    assertThat(worker.report().held()).isEqualTo(1);
    assertThat(worker.report().accepted()).isEqualTo(4);
  }

  @Test
  @Tag("K4")
  void aFailedJobIsAcceptedAnewWithItsIdAndPayload() throws Exception {
    Worker<String> first =
        start(
            store(),
            (job, context) -> {
              throw new IllegalStateException("no");
            });
    submit(first, "a", "b");
    assertThat(first.awaitIdle(LONG)).isTrue();
    first.drain(LONG);
    StoredJobs jobs = store().jobs();
    assertThat(jobs.failed(0, 10)).extracting(StoredJob::id).containsExactlyInAnyOrder("a", "b");
    assertThat(jobs.failed(0, 10).getFirst().error().orElseThrow().message()).isEqualTo("no");
    assertThat(jobs.requeue("a")).isTrue();
    assertThat(jobs.requeue("a")).as("it is no failed one any more").isFalse();
    Worker<String> second = working();
    assertThat(second.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("a=payload of a");
    assertThat(second.report().accepted()).as("accepted anew").isEqualTo(3);
    assertThat(second.report().failed()).isEqualTo(2);
  }

  @Test
  void whileAWorkerUsesTheStoreItIsListedAndNotDecidedOn() {
    Worker<String> worker = working();
    submit(worker, "a");
    StoredJobs jobs = store().jobs();
    assertThat(jobs.held(0, 10)).isEmpty();
    assertThatThrownBy(() -> jobs.decide("a", Decision.FAIL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("in use by process");
  }

  @Test
  void aStoreThatIsNotThereIsNotMade() {
    assertThatThrownBy(() -> store().jobs().held(0, 1)).hasMessageContaining("there is no store");
    assertThat(file()).doesNotExist();
  }
}
