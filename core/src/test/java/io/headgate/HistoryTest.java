package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounded history of outcomes, and the window of duplicates that it carries. */
@Timeout(60)
class HistoryTest {

  @Test
  @Tag("H1")
  @Tag("H2")
  void latestOutcomesOfAllKindsShareOneHistory() throws Exception {
    HandlerGate<String> gate = HandlerGate.before(HistoryTest::handle);
    try (Worker<String> worker = worker(3, gate)) {
      finish(worker, gate, "completed-1");
      finish(worker, gate, "fails-1");
      finish(worker, gate, "completed-2");
      assertKept(worker, 0, "completed-1", "fails-1", "completed-2");
      worker.offer(Job.of("interrupted", ""));
      assertThat(gate.awaitEntered(4, LedgerAssert.HANG)).isTrue();
      worker.offer(Job.of("unstarted", ""));
      worker.cancel("unstarted");
      assertKept(worker, 1, "fails-1", "completed-2", "unstarted");
      worker.cancel("interrupted");
      LedgerAssert.awaitSettled(worker);
      assertKept(worker, 2, "completed-2", "unstarted", "interrupted");
      finish(worker, gate, "fails-2");
      assertKept(worker, 3, "unstarted", "interrupted", "fails-2");
      Report report = worker.report();
      assertThat(report.completed()).isEqualTo(2);
      assertThat(report.failed()).isEqualTo(2);
      assertThat(report.interrupted()).isOne();
      assertThat(report.unstarted()).isOne();
      assertThat(report.outcomes())
          .hasExactlyElementsOfTypes(
              Outcome.Unstarted.class, Outcome.Interrupted.class, Outcome.Failed.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 15, 16, 17, 33, 100})
  @Tag("H1")
  @Tag("H2")
  void countersAreOfALifetimeWhateverIsKept(int history) throws Exception {
    HandlerGate<String> gate = HandlerGate.before(HistoryTest::handle);
    gate.open();
    try (Worker<String> worker = worker(history, gate)) {
      for (int i = 1; i <= 250; i++) {
        worker.offer(Job.of((i % 2 == 0 ? "fails-" : "completed-") + i, ""));
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
        assertThat(worker.report().outcomes()).hasSize(Math.min(i, history));
      }
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.completed()).isEqualTo(125);
      assertThat(report.failed()).isEqualTo(125);
      assertThat(report.omittedOutcomes()).isEqualTo(250 - history);
      assertThat(report.outcomes()).last().extracting(Outcome::jobId).isEqualTo("fails-250");
      assertThat(report.outcomes())
          .first()
          .extracting(Outcome::jobId)
          .asString()
          .endsWith("-" + (251 - history));
    }
  }

  @Test
  @Tag("H3")
  @Tag("H4")
  void idLeavesWithItsOutcomeAndMayThenBeUsedAgain() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    gate.open();
    try (Worker<String> worker = worker(3, gate)) {
      for (String id : List.of("a", "b", "c")) {
        finish(worker, gate, id);
      }
      assertThat(worker.offer(Job.of("a", ""))).isEqualTo(Admission.refused(Reason.DUPLICATE));
      assertThat(worker.outcome("a")).contains(new Outcome.Completed("a", 1));
      finish(worker, gate, "d");
      assertThat(worker.outcome("a")).isEmpty();
      assertThat(worker.offer(Job.of("b", ""))).isEqualTo(Admission.refused(Reason.DUPLICATE));
      finish(worker, gate, "a");
      assertKept(worker, 2, "c", "d", "a");
      assertThat(worker.report().accepted()).isEqualTo(5);
      // Many ids again and again: the window slides over equal names without losing one.
      for (int i = 0; i < 400; i++) {
        finish(worker, gate, "again-" + i % 5);
        assertThat(worker.offer(Job.of("again-" + i % 5, "")))
            .isEqualTo(Admission.refused(Reason.DUPLICATE));
      }
    }
  }

  @Test
  @Tag("H4")
  void duplicatesAreSeenAmongWaitingRunningAndRemembered() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(1, gate)) {
      Admission duplicate = Admission.refused(Reason.DUPLICATE);
      worker.offer(Job.of("x", ""));
      worker.offer(Job.of("y", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      assertThat(worker.offer(Job.of("x", ""))).as("running").isEqualTo(duplicate);
      assertThat(worker.offer(Job.of("y", ""))).as("waiting").isEqualTo(duplicate);
      gate.pass(1);
      assertThat(gate.awaitEntered(2, LedgerAssert.HANG)).isTrue();
      assertThat(worker.offer(Job.of("x", ""))).as("remembered").isEqualTo(duplicate);
      gate.pass(1);
      LedgerAssert.awaitSettled(worker);
      assertThat(worker.offer(Job.of("x", "")).isAccepted()).as("forgotten").isTrue();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(3);
    }
  }

  @Test
  @Tag("H4")
  void windowIsOfThisWorkerAlone() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    gate.open();
    for (int i = 0; i < 2; i++) {
      try (Worker<String> worker = worker(10, gate)) {
        assertThat(worker.offer(Job.of("same", "")).isAccepted()).isTrue();
        LedgerAssert.awaitSettled(worker);
      }
    }
  }

  @Test
  @Tag("H5")
  void withoutHistoryAnIdIsFreeAsSoonAsItsJobEnds() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    gate.open();
    try (Worker<String> worker = worker(0, gate)) {
      for (int i = 0; i < 1_000; i++) {
        finish(worker, gate, "same");
        assertThat(worker.outcome("same")).isEmpty();
      }
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.completed()).isEqualTo(1_000);
      assertThat(report.outcomes()).isEmpty();
      assertThat(report.omittedOutcomes()).isEqualTo(1_000);
      assertThat(worker.cancel("same")).isEqualTo(CancelResult.UNKNOWN);
    }
  }

  @Test
  @Tag("H5")
  void unboundedHistoryKeepsAllAndSaysThatItsMemoryIsUnbounded() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    gate.open();
    try (Worker<String> worker = worker(Worker.UNBOUNDED, gate)) {
      for (int i = 0; i < 3_000; i++) {
        finish(worker, gate, "job-" + i);
      }
      for (int i = 0; i < 3_000; i++) {
        assertThat(worker.offer(Job.of("job-" + i, "")))
            .isEqualTo(Admission.refused(Reason.DUPLICATE));
      }
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.outcomes()).hasSize(3_000);
      assertThat(report.omittedOutcomes()).isZero();
      assertThat(worker.memoryBound().isInfinite()).isTrue();
    }
  }

  @Test
  @Tag("H6")
  void refusedInterruptedAndTimedOutJobsLeaveNoTraceInTheWindow() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(10, gate)) {
      worker.offer(Job.of("holder", ""));
      worker.offer(Job.of("waiting", ""));
      assertThat(worker.offer(Job.of("refused", "")).isAccepted()).isFalse();
      assertThat(worker.offer(Job.of("timed-out", ""), Duration.ofNanos(1)))
          .is(refusedFor(Reason.TIMED_OUT));
      WaitingProducer producer =
          WaitingProducer.offering(worker, Job.of("interrupted", ""), WaitingProducer.FOR_EVER);
      WaitingProducer.awaitWaiting(worker, 1);
      producer.interrupt();
      assertThat(producer.endsInterrupted()).isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
      for (String id : List.of("refused", "timed-out", "interrupted")) {
        assertThat(worker.outcome(id)).isEmpty();
        assertThat(worker.cancel(id)).isEqualTo(CancelResult.UNKNOWN);
        finish(worker, gate, id);
      }
    }
  }

  @Test
  @Tag("L9")
  void reportIsAPictureThatNothingChangesLater() throws Exception {
    HandlerGate<String> gate = HandlerGate.before(HistoryTest::handle);
    gate.open();
    try (Worker<String> worker = worker(3, gate)) {
      finish(worker, gate, "a");
      finish(worker, gate, "fails");
      worker.offer(Job.of("a", ""));
      Report picture = worker.report();
      String json = picture.toJson();
      List<Outcome> outcomes = List.copyOf(picture.outcomes());
      for (int i = 0; i < 100; i++) {
        finish(worker, gate, "later-" + i);
        worker.offer(Job.of("later-" + i, ""));
      }
      assertThat(picture.toJson()).isEqualTo(json);
      assertThat(picture.outcomes()).isEqualTo(outcomes);
      assertThat(picture.accepted()).isEqualTo(2);
      assertThat(picture.refused()).containsEntry(Reason.DUPLICATE, 1L);
      assertThatThrownBy(() -> picture.outcomes().clear())
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> picture.refused().clear())
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> picture.refused().put(Reason.FULL, 1L))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> picture.abandoned().add("x"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> picture.stuck().clear())
          .isInstanceOf(UnsupportedOperationException.class);
      LedgerAssert.assertBalanced(picture);
    }
  }

  private static void handle(Job<String> job, JobContext context) {
    if (job.id().startsWith("fails")) {
      throw new IllegalStateException(job.id());
    }
  }

  private static void finish(Worker<String> worker, HandlerGate<String> gate, String id)
      throws InterruptedException {
    assertThat(worker.offer(Job.of(id, "")).isAccepted()).as(id).isTrue();
    gate.pass(1);
    assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
  }

  private static void assertKept(Worker<String> worker, long omitted, String... ids) {
    Report report = LedgerAssert.assertBalanced(worker.report());
    assertThat(report.outcomes()).extracting(Outcome::jobId).containsExactly(ids);
    assertThat(report.omittedOutcomes()).isEqualTo(omitted);
  }

  private static Worker<String> worker(int history, HandlerGate<String> gate) {
    return Worker.<String>builder("history")
        .concurrency(1)
        .capacity(1)
        .history(history)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }
}
