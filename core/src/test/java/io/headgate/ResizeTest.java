package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static io.headgate.WaitingProducer.FOR_EVER;
import static io.headgate.WaitingProducer.awaitWaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Other limits while running. */
@Tag("CASE-14")
@Timeout(60)
class ResizeTest {

  private final HandlerGate<String> gate = HandlerGate.closed();

  @Test
  @Tag("B1")
  void moreConcurrencyStartsWhatWaits() throws Exception {
    try (Worker<String> worker = worker(1, 4)) {
      offerAll(worker, 0, 5);
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      worker.setConcurrency(3);
      assertThat(gate.awaitEntered(3, LedgerAssert.HANG)).isTrue();
      assertThat(worker.report().running()).isEqualTo(3);
      offerAll(worker, 5, 7);
      assertThat(worker.offer(job(7))).is(refusedFor(Reason.FULL));
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(7);
    }
  }

  @Test
  @Tag("B1")
  void lessConcurrencyTakesEffectAsJobsEndAndNeverBlocks() throws Exception {
    try (Worker<String> worker = worker(3, 3)) {
      offerAll(worker, 0, 6);
      assertThat(gate.awaitEntered(3, LedgerAssert.HANG)).isTrue();
      worker.setConcurrency(1);
      Report report = LedgerAssert.assertBalanced(worker.report());
      assertThat(report.running()).as("nobody is cut off").isEqualTo(3);
      assertThat(report.unfinished()).as("nobody is thrown out").isEqualTo(6);
      assertThat(worker.offer(job(6))).is(refusedFor(Reason.FULL));
      gate.pass(2);
      awaitUnfinished(worker, 4);
      assertThat(worker.report().running()).isOne();
      assertThat(gate.entered()).as("no place came free yet").hasSize(3);
      assertThat(worker.offer(job(6))).is(refusedFor(Reason.FULL));
      gate.pass(1);
      assertThat(gate.awaitEntered(4, LedgerAssert.HANG)).isTrue();
      assertThat(worker.report().running()).isOne();
      assertThat(worker.offer(job(6)).isAccepted()).isTrue();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(7);
    }
  }

  @Test
  @Tag("B1")
  void lessCapacityCountsAtOnceForAdmissionAndEndsNobody() throws Exception {
    try (Worker<String> worker = worker(1, 5)) {
      offerAll(worker, 0, 4);
      worker.setCapacity(1);
      assertThat(worker.report().unfinished()).isEqualTo(4);
      assertThat(worker.offer(job(4))).is(refusedFor(Reason.FULL));
      gate.pass(2);
      awaitUnfinished(worker, 2);
      assertThat(worker.offer(job(4))).is(refusedFor(Reason.FULL));
      gate.pass(1);
      awaitUnfinished(worker, 1);
      assertThat(worker.offer(job(4)).isAccepted()).isTrue();
      assertThat(worker.offer(job(5))).is(refusedFor(Reason.FULL));
      worker.setCapacity(0);
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(5);
      assertThat(worker.report().unstarted()).isZero();
    }
  }

  @Test
  @Tag("A3")
  void moreCapacityWakesAllProducersThatFit() throws Exception {
    try (Worker<String> worker = worker(1, 0)) {
      worker.offer(job(0));
      WaitingProducer[] producers = new WaitingProducer[5];
      for (int i = 0; i < 5; i++) {
        producers[i] = WaitingProducer.offering(worker, job(i + 1), FOR_EVER);
        awaitWaiting(worker, i + 1);
      }
      worker.setCapacity(3);
      for (int i = 0; i < 3; i++) {
        assertThat(producers[i].answer().isAccepted()).isTrue();
      }
      awaitWaiting(worker, 2);
      worker.setConcurrency(3);
      assertThat(producers[3].answer().isAccepted()).isTrue();
      assertThat(producers[4].answer().isAccepted()).isTrue();
      assertThat(gate.awaitEntered(3, LedgerAssert.HANG)).isTrue();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(6);
    }
  }

  @Test
  @Tag("CASE-10")
  void badLimitsAreRefusedWithTheirValueAndChangeNothing() throws Exception {
    try (Worker<String> worker = worker(1, 1)) {
      assertThatThrownBy(() -> worker.setConcurrency(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("concurrency")
          .hasMessageContaining("0");
      assertThatThrownBy(() -> worker.setConcurrency(WorkerBuilder.MAX_CONCURRENCY + 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(WorkerBuilder.MAX_CONCURRENCY + 1))
          .hasMessageContaining(String.valueOf(WorkerBuilder.MAX_CONCURRENCY));
      assertThatThrownBy(() -> worker.setCapacity(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("capacity")
          .hasMessageContaining("-1");
      offerAll(worker, 0, 2);
      assertThat(worker.offer(job(2))).is(refusedFor(Reason.FULL));
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  private void awaitUnfinished(Worker<String> worker, long unfinished) {
    org.awaitility.Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(LedgerAssert.HANG)
        .until(() -> worker.report().unfinished() == unfinished);
  }

  private void offerAll(Worker<String> worker, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(worker.offer(job(i)).isAccepted()).as("job %d", i).isTrue();
    }
  }

  private static Job<String> job(int number) {
    return Job.of("job-" + number, "");
  }

  private Worker<String> worker(int concurrency, int capacity) {
    return Worker.<String>builder("resize")
        .concurrency(concurrency)
        .capacity(capacity)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }
}
