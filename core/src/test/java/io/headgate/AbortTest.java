package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An abort is a policy, not a successful drain. */
@Timeout(60)
class AbortTest {

  private static final Duration GRACE = Duration.ofSeconds(10);

  private final ManualTicker ticker = ManualTicker.create();
  private final HandlerGate<String> gate = HandlerGate.closed();

  private Worker<String> worker(int concurrency, int capacity, int history) {
    return Worker.<String>builder("abort")
        .concurrency(concurrency)
        .capacity(capacity)
        .history(history)
        .ticker(ticker)
        .start(gate.handler());
  }

  private static List<String> fill(Worker<String> worker, int jobs) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      // Neither sorted by name nor by hash, so that only the order of admission can be told.
      String id = "job-" + (i * 37 % 101);
      assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
      ids.add(id);
    }
    return ids;
  }

  @Test
  @Tag("D7")
  void withoutGraceTheWaitingIsDiscardedAndTheRunningIsCancelledAndAwaited() throws Exception {
    Worker<String> worker = worker(2, 2, 100);
    List<String> ids = fill(worker, 4);
    assertThat(gate.awaitEntered(2, HANG)).isTrue();

    Report report = assertSettled(worker.abort());

    assertThat(report.interrupted()).isEqualTo(2);
    assertThat(report.unstarted()).isEqualTo(2);
    assertThat(report.ending()).contains(Ending.ABORTED);
    assertThat(report.isClean()).isFalse();
    assertThat(report.abandoned()).isEqualTo(ids);
    assertThat(report.drainTime()).isZero();
  }

  @Test
  @Tag("D7")
  void withGraceTheRunningGoesOnUntilItIsOver() throws Exception {
    Worker<String> worker = worker(2, 2, 100);
    List<String> ids = fill(worker, 4);
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    Aside<Report> abort = Aside.call(() -> worker.abort(GRACE));
    Aside.until(() -> worker.report().unstarted() == 2);
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(GRACE.minusNanos(1));
    gate.pass(1);
    Aside.until(() -> worker.report().completed() == 1);
    Report before = assertBalanced(worker.report());
    assertThat(before.running()).isEqualTo(1);
    assertThat(before.ending()).isEmpty();

    ticker.advance(Duration.ofNanos(1));
    Report report = assertSettled(abort.result());

    assertThat(report.completed()).isEqualTo(1);
    assertThat(report.interrupted()).isEqualTo(1);
    assertThat(report.abandoned()).hasSize(3).endsWith(ids.get(2), ids.get(3));
    assertThat(report.drainTime()).isEqualTo(GRACE);
    assertThat(report.ending()).contains(Ending.ABORTED);
  }

  @Test
  @Tag("D7")
  @Tag("D14")
  void anAbortThatAbandonedNothingIsAnAbortAllTheSame() throws Exception {
    Worker<String> worker = worker(1, 0, 100);
    fill(worker, 1);
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Report> abort = Aside.call(() -> worker.abort(GRACE));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();

    gate.open();
    Report report = assertSettled(abort.result());

    assertThat(report.completed()).isEqualTo(1);
    assertThat(report.abandoned()).isEmpty();
    assertThat(report.ending()).contains(Ending.ABORTED);
  }

  @Test
  @Tag("L10")
  @Tag("H2")
  void everyAbandonedIdIsListedInAdmissionOrderWhateverTheHistoryKeeps() throws Exception {
    Worker<String> worker = worker(1, 50, 1);
    List<String> ids = fill(worker, 51);
    assertThat(gate.awaitEntered(1, HANG)).isTrue();

    Report report = assertSettled(worker.abort());

    assertThat(report.abandoned()).isEqualTo(ids);
    assertThat(report.outcomes()).hasSize(1);
    assertThat(report.omittedOutcomes()).isEqualTo(50);
    assertThat(report.unstarted()).isEqualTo(50);
    assertThat(report.interrupted()).isEqualTo(1);
  }

  @Test
  @Tag("L10")
  void anEarlierEndIsNotAbandoned() throws Exception {
    Worker<String> worker = worker(1, 50, 0);
    List<String> ids = fill(worker, 20);
    gate.pass(5);
    assertThat(gate.awaitEntered(6, HANG)).isTrue();
    assertThat(worker.cancel(ids.get(7))).isEqualTo(CancelResult.UNSTARTED);

    Report report = assertSettled(worker.abort());

    List<String> expected = new ArrayList<>(ids.subList(5, 20));
    expected.remove(ids.get(7));
    assertThat(report.abandoned()).isEqualTo(expected);
    assertThat(report.outcomes()).isEmpty();
    assertThat(report.completed()).isEqualTo(5);
  }
}
