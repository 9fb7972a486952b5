package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Acceptance as one step, and the calls that never wait. */
@Timeout(60)
class OfferAdmissionTest {

  private static final int PRODUCERS = 10;

  @Test
  @Tag("A1")
  void acceptedJobIsInTheLedgerWhenTheCallReturns() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = start(1, 50, gate)) {
      for (int i = 1; i <= 51; i++) {
        assertThat(worker.offer(job(i)).isAccepted()).isTrue();
        Report report = LedgerAssert.assertBalanced(worker.report());
        assertThat(report.accepted()).isEqualTo(i);
        assertThat(report.unfinished()).isEqualTo(i);
      }
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A1")
  void oneOfTenProducersWithTheSameIdIsAccepted() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    int rounds = 500;
    try (Worker<String> worker = start(1, rounds, gate)) {
      List<Admission> answers = new ArrayList<>();
      ConcurrentLinkedQueue<Admission> told = new ConcurrentLinkedQueue<>();
      race(rounds, round -> told.add(worker.offer(job(round))));
      answers.addAll(told);
      assertThat(answers.stream().filter(Admission::isAccepted)).hasSize(rounds);
      assertThat(worker.report().refused())
          .containsOnly(Map.entry(Reason.DUPLICATE, (PRODUCERS - 1L) * rounds));
      assertThat(worker.report().accepted()).isEqualTo(rounds);
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A1")
  void producersThatRaceAStopAreToldWhatTheLedgerSays() throws Exception {
    for (int round = 0; round < 1_500; round++) {
      try (Worker<String> worker =
          Worker.<String>builder("race")
              .concurrency(2)
              .capacity(4)
              .history(Worker.UNBOUNDED)
              .start((job, context) -> {})) {
        checkRaceWithStop(worker);
      }
    }
  }

  private static void checkRaceWithStop(Worker<String> worker) throws Exception {
    ConcurrentHashMap<String, Admission> answers = new ConcurrentHashMap<>();
    CyclicBarrier start = new CyclicBarrier(PRODUCERS + 1);
    List<Thread> producers = new ArrayList<>();
    for (int p = 0; p < PRODUCERS; p++) {
      String name = "p" + p;
      boolean patient = p % 2 == 0;
      producers.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  start.await();
                  for (int i = 0; i < 3; i++) {
                    Job<String> job = Job.of(name + "-" + i, "");
                    answers.put(
                        job.id(),
                        patient ? worker.offer(job, WaitingProducer.FOR_EVER) : worker.offer(job));
                  }
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              }));
    }
    start.await();
    worker.stopAdmission();
    assertThat(worker.offer(Job.of("late", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
    long acceptedAtStop = worker.report().accepted();
    for (Thread producer : producers) {
      assertThat(producer.join(LedgerAssert.HANG)).isTrue();
    }
    Report report = LedgerAssert.awaitSettled(worker);
    assertThat(answers).hasSize(PRODUCERS * 3);
    assertThat(report.accepted()).as("nothing accepted after the stop").isEqualTo(acceptedAtStop);
    List<String> told =
        answers.entrySet().stream()
            .filter(e -> e.getValue().isAccepted())
            .map(Map.Entry::getKey)
            .toList();
    assertThat(report.outcomes())
        .extracting(Outcome::jobId)
        .containsExactlyInAnyOrderElementsOf(told);
  }

  @Test
  @Tag("A5")
  void offerAnswersAFullWorkerAtOnceWhateverSubmitWouldDo() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker =
        Worker.<String>builder("full")
            .concurrency(1)
            .capacity(1)
            .whenFull(WhenFull.waitUpTo(WaitingProducer.FOR_EVER))
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      assertThat(worker.offer(job(1)).isAccepted()).isTrue();
      assertThat(worker.offer(job(2)).isAccepted()).isTrue();
      assertThat(worker.offer(job(3))).is(refusedFor(Reason.FULL));
      assertThat(worker.offer(job(3), Duration.ZERO)).is(refusedFor(Reason.FULL));
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A5")
  void offerDoesNotQueueUpBehindAThousandWaitingProducers() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    int waiting = 1_000;
    try (Worker<String> worker =
        Worker.<String>builder("crowd")
            .concurrency(1)
            .capacity(0)
            .maxWaitingProducers(waiting)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      assertThat(worker.offer(job(0)).isAccepted()).isTrue();
      List<WaitingProducer> producers = new ArrayList<>();
      for (int i = 1; i <= waiting; i++) {
        producers.add(WaitingProducer.offering(worker, job(i), WaitingProducer.FOR_EVER));
      }
      WaitingProducer.awaitWaiting(worker, waiting);
      assertThat(worker.offer(job(waiting + 1))).is(refusedFor(Reason.FULL));
      assertThat(worker.report().waitingProducers()).isEqualTo(waiting);
      worker.stopAdmission();
      for (WaitingProducer producer : producers) {
        assertThat(producer.refusal()).isEqualTo(Reason.CLOSED);
      }
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isOne();
    }
  }

  private interface Round {
    void play(int round) throws Exception;
  }

  /** All producers play each round at the same moment. */
  private static void race(int rounds, Round round) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(PRODUCERS);
    ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < PRODUCERS; p++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < rounds; i++) {
                        barrier.await(30, TimeUnit.SECONDS);
                        round.play(i);
                      }
                    } catch (Throwable t) {
                      faults.add(t);
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(LedgerAssert.HANG)).isTrue();
    }
    assertThat(faults).isEmpty();
  }

  private static Worker<String> start(int concurrency, int capacity, HandlerGate<String> gate) {
    return Worker.<String>builder("offers")
        .concurrency(concurrency)
        .capacity(capacity)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }

  private static Job<String> job(int number) {
    return Job.of("job-" + number, "payload");
  }
}
