package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static io.headgate.WaitingProducer.FOR_EVER;
import static io.headgate.WaitingProducer.awaitWaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Producers that wait for room: what they are, who is woken, what they are told. */
@Timeout(60)
class ProducerWaitingTest {

  @Test
  @Tag("A2")
  void waitingProducerHasSubmittedNothing() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = byteWorker(1, 0, 100, gate)) {
      assertThat(worker.offer(Job.of("holder", 10L)).isAccepted()).isTrue();
      WaitingProducer producer = WaitingProducer.offering(worker, Job.of("w", 30L), FOR_EVER);
      awaitWaiting(worker, 1);
      Report report = LedgerAssert.assertBalanced(worker.report());
      assertThat(report.accepted()).isOne();
      assertThat(report.unfinished()).isOne();
      assertThat(report.waitingBytes() + report.runningBytes()).isEqualTo(10);
      assertThat(report.waitingProducerBytes()).isEqualTo(30);
      assertThat(worker.cancel("w")).isEqualTo(CancelResult.UNKNOWN);
      assertThat(worker.outcome("w")).isEmpty();
      // Its id reserves nothing: another may use it and gets what any newcomer gets.
      assertThat(worker.offer(Job.of("w", 1L))).is(refusedFor(Reason.FULL));
      gate.pass(1);
      assertThat(producer.answer().isAccepted()).isTrue();
      assertThat(worker.report().waitingProducerBytes()).isZero();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isEqualTo(2);
    }
  }

  @Test
  @Tag("A2")
  @Tag("A3")
  void ofTwoWaitersWithOneIdTheFirstAcceptedWins() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(1, 1, gate)) {
      worker.offer(Job.of("a", ""));
      worker.offer(Job.of("b", ""));
      WaitingProducer first = WaitingProducer.offering(worker, Job.of("twin", "1"), FOR_EVER);
      awaitWaiting(worker, 1);
      WaitingProducer second = WaitingProducer.offering(worker, Job.of("twin", "2"), FOR_EVER);
      awaitWaiting(worker, 2);
      gate.pass(1);
      assertThat(first.answer().isAccepted()).isTrue();
      gate.pass(1);
      assertThat(second.refusal()).isEqualTo(Reason.DUPLICATE);
      gate.open();
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.accepted()).isEqualTo(3);
      assertThat(report.outcomes()).extracting(Outcome::jobId).containsExactly("a", "b", "twin");
    }
  }

  @Test
  @Tag("A2")
  @Tag("A3")
  void wokenWaiterWhoseIdWasTakenMeanwhileIsToldDuplicate() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = byteWorker(1, 5, 10, gate)) {
      worker.offer(Job.of("holder", 8L));
      WaitingProducer producer = WaitingProducer.offering(worker, Job.of("twin", 5L), FOR_EVER);
      awaitWaiting(worker, 1);
      assertThat(worker.offer(Job.of("twin", 1L)).isAccepted()).isTrue();
      gate.pass(1);
      assertThat(producer.refusal()).isEqualTo(Reason.DUPLICATE);
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isEqualTo(2);
    }
  }

  @Test
  @Tag("A3")
  void waitersAreAdmittedInTheOrderInWhichTheyCame() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(1, 0, gate)) {
      worker.offer(Job.of("holder", ""));
      List<String> ids = new ArrayList<>();
      List<WaitingProducer> producers = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        ids.add("w" + i);
        producers.add(WaitingProducer.offering(worker, Job.of("w" + i, ""), FOR_EVER));
        awaitWaiting(worker, i);
      }
      // Nobody else comes, and each is admitted before the next place comes free.
      for (WaitingProducer producer : producers) {
        gate.pass(1);
        assertThat(producer.answer().isAccepted()).isTrue();
      }
      gate.open();
      LedgerAssert.awaitSettled(worker);
      assertThat(gate.entered().subList(1, 21)).containsExactlyElementsOf(ids);
    }
  }

  @Test
  @Tag("A3")
  void newcomerMayTakeThePlaceAndTheWokenWaitsOn() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    int overtaken = 0;
    try (Worker<String> worker = worker(1, 1, gate)) {
      worker.offer(Job.of("holder", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      for (int i = 0; i < 300; i++) {
        assertThat(worker.offer(Job.of("old-" + i, "")).isAccepted()).isTrue();
        Job<String> patient = Job.of("patient-" + i, "");
        WaitingProducer producer = WaitingProducer.offering(worker, patient, FOR_EVER);
        awaitWaiting(worker, 1);
        // The cancel gives the place back and wakes the producer, who has yet to be scheduled.
        assertThat(worker.cancel("old-" + i)).isEqualTo(CancelResult.UNSTARTED);
        Admission newcomer = worker.offer(Job.of("new-" + i, ""));
        if (newcomer.isAccepted()) {
          overtaken++;
          assertThat(worker.report().waitingProducers()).isOne();
          assertThat(worker.cancel("new-" + i)).isEqualTo(CancelResult.UNSTARTED);
        } else {
          assertThat(newcomer).is(refusedFor(Reason.FULL));
        }
        assertThat(producer.answer().isAccepted()).isTrue();
        assertThat(worker.cancel("patient-" + i)).isEqualTo(CancelResult.UNSTARTED);
      }
      assertThat(overtaken).as("a wake-up reserves no place").isPositive();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A3")
  void bigWaiterThatStillDoesNotFitPassesTheWakeUpToTheSmallOneBehindIt() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("big-first")
            .concurrency(1)
            .capacity(10)
            .capacityBytes(10, weight -> weight)
            .maxWaitingBytes(100)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      worker.offer(Job.of("holder", 5L));
      worker.offer(Job.of("leaves", 3L));
      WaitingProducer big = WaitingProducer.offering(worker, Job.of("big", 9L), FOR_EVER);
      awaitWaiting(worker, 1);
      WaitingProducer small = WaitingProducer.offering(worker, Job.of("small", 4L), FOR_EVER);
      awaitWaiting(worker, 2);
      assertThat(worker.cancel("leaves")).isEqualTo(CancelResult.UNSTARTED);
      assertThat(small.answer().isAccepted()).isTrue();
      assertThat(big.hasAnswer()).isFalse();
      assertThat(worker.report().waitingProducers()).isOne();
      gate.pass(2);
      assertThat(big.answer().isAccepted()).isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A3")
  void oneReleaseOfManyBytesAdmitsEveryWaiterThatFits() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = byteWorker(1, 20, 100, gate)) {
      worker.offer(Job.of("holder", 100L));
      List<WaitingProducer> producers = new ArrayList<>();
      for (int i = 1; i <= 10; i++) {
        producers.add(WaitingProducer.offering(worker, Job.of("w" + i, 10L), FOR_EVER));
        awaitWaiting(worker, i);
      }
      gate.pass(1);
      for (WaitingProducer producer : producers) {
        assertThat(producer.answer().isAccepted()).isTrue();
      }
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(11);
    }
  }

  @Test
  @Tag("A9")
  @Tag("CASE-4")
  @Tag("CASE-5")
  void waitListOfFiveHoldsFive() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("five")
            .concurrency(1)
            .capacity(0)
            .capacityBytes(100, weight -> weight)
            .maxWaitingProducers(5)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      worker.offer(Job.of("holder", 1L));
      List<WaitingProducer> all = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        all.add(WaitingProducer.offering(worker, Job.of("w" + i, 2L), FOR_EVER));
      }
      awaitWaiting(worker, 5);
      List<WaitingProducer> waiting = new ArrayList<>();
      await()
          .atMost(LedgerAssert.HANG)
          .until(() -> all.stream().filter(WaitingProducer::hasAnswer).count() == 59);
      for (WaitingProducer producer : all) {
        if (producer.hasAnswer()) {
          assertThat(producer.refusal()).isEqualTo(Reason.TOO_MANY_WAITERS);
        } else {
          waiting.add(producer);
        }
      }
      Report report = worker.report();
      assertThat(report.waitingProducers()).isEqualTo(5);
      assertThat(report.waitingProducerBytes()).isEqualTo(10);
      assertThat(report.refused()).containsOnly(Map.entry(Reason.TOO_MANY_WAITERS, 59L));
      gate.open();
      for (WaitingProducer producer : waiting) {
        assertThat(producer.answer().isAccepted()).isTrue();
      }
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isEqualTo(6);
    }
  }

  @Test
  @Tag("A9")
  void bytesOfWaitingProducersAreBoundedByTheBudgetUnlessSetApart() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = byteWorker(1, 5, 10, gate)) {
      worker.offer(Job.of("holder", 10L));
      WaitingProducer first = WaitingProducer.offering(worker, Job.of("w1", 6L), FOR_EVER);
      awaitWaiting(worker, 1);
      assertThat(worker.offer(Job.of("w2", 5L), FOR_EVER)).is(refusedFor(Reason.TOO_MANY_WAITERS));
      WaitingProducer second = WaitingProducer.offering(worker, Job.of("w3", 4L), FOR_EVER);
      awaitWaiting(worker, 2);
      assertThat(worker.report().waitingProducerBytes()).isEqualTo(10);
      gate.open();
      assertThat(first.answer().isAccepted()).isTrue();
      assertThat(second.answer().isAccepted()).isTrue();
      LedgerAssert.awaitSettled(worker);
    }
    HandlerGate<Long> other = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("apart")
            .concurrency(1)
            .capacity(5)
            .capacityBytes(10, weight -> weight)
            .maxWaitingBytes(3)
            .grace(Duration.ZERO)
            .start(other.handler())) {
      worker.offer(Job.of("holder", 10L));
      assertThat(worker.offer(Job.of("w1", 4L), FOR_EVER)).is(refusedFor(Reason.TOO_MANY_WAITERS));
      WaitingProducer fits = WaitingProducer.offering(worker, Job.of("w2", 3L), FOR_EVER);
      awaitWaiting(worker, 1);
      other.open();
      assertThat(fits.answer().isAccepted()).isTrue();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A10")
  void handlerThatOffersToItsOwnFullWorkerIsToldFullAtOnce() throws Exception {
    AtomicReference<Worker<String>> self = new AtomicReference<>();
    ConcurrentHashMap<String, Admission> answers = new ConcurrentHashMap<>();
    try (Worker<String> worker =
        Worker.<String>builder("self")
            .concurrency(1)
            .capacity(1)
            .whenFull(WhenFull.waitUpTo(FOR_EVER))
            .start(
                (job, context) -> {
                  if (job.id().equals("parent")) {
                    Worker<String> own = self.get();
                    answers.put("1", own.offer(Job.of("child-1", ""), FOR_EVER));
                    answers.put("2", own.offer(Job.of("child-2", ""), FOR_EVER));
                    answers.put("3", own.submit(Job.of("child-3", "")));
                    answers.put("4", own.submitTracked(Job.of("child-4", "")).admission());
                  }
                })) {
      self.set(worker);
      assertThat(worker.offer(Job.of("parent", "")).isAccepted()).isTrue();
      Report report = LedgerAssert.awaitSettled(worker);
      Admission full = Admission.refused(Reason.FULL);
      assertThat(answers)
          .containsEntry("1", Admission.accepted())
          .containsEntry("2", full)
          .containsEntry("3", full)
          .containsEntry("4", full);
      assertThat(report.completed()).isEqualTo(2);
    }
  }

  @Test
  @Tag("A10")
  void handlerOfAnotherWorkerMayWait() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> target = worker(1, 0, gate);
        Worker<String> source =
            Worker.<String>builder("source")
                .concurrency(1)
                .start((job, context) -> target.submitOrThrow(job))) {
      target.offer(Job.of("holder", ""));
      AtomicReference<Admission> told = new AtomicReference<>();
      try (Worker<String> patient =
          Worker.<String>builder("patient")
              .concurrency(1)
              .start((job, context) -> told.set(target.offer(job, FOR_EVER)))) {
        patient.offer(Job.of("job", ""));
        awaitWaiting(target, 1);
        gate.open();
        LedgerAssert.awaitSettled(patient);
      }
      assertThat(told.get().isAccepted()).isTrue();
      LedgerAssert.awaitSettled(target);
      assertThat(source.report().accepted()).isZero();
    }
  }

  private static Worker<String> worker(int concurrency, int capacity, HandlerGate<String> gate) {
    return Worker.<String>builder("waiting")
        .concurrency(concurrency)
        .capacity(capacity)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }

  private static Worker<Long> byteWorker(
      int concurrency, int capacity, long bytes, HandlerGate<Long> gate) {
    return Worker.<Long>builder("waiting")
        .concurrency(concurrency)
        .capacity(capacity)
        .capacityBytes(bytes, weight -> weight)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }
}
