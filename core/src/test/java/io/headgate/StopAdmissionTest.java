package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing admission, which every stop begins with. */
@Timeout(60)
class StopAdmissionTest {

  private final HandlerGate<String> gate = HandlerGate.closed();

  private Worker<String> full(String name) throws InterruptedException {
    Worker<String> worker =
        Worker.<String>builder(name)
            .concurrency(1)
            .capacity(1)
            .whenFull(WhenFull.waitUpTo(Duration.ofHours(1)))
            .start(gate.handler());
    assertThat(worker.offer(Job.of("runs", "")).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    assertThat(worker.offer(Job.of("waits", "")).isAccepted()).isTrue();
    return worker;
  }

  @Test
  @Tag("D1")
  void admissionClosesAtOnceOnAFullWorkerAndTakesNoPlace() throws Exception {
    Worker<String> worker = full("full");

    worker.stopAdmission();

    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);
    assertThat(worker.offer(Job.of("late", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
    Report report = assertBalanced(worker.report());
    assertThat(report.accepted()).isEqualTo(2);
    assertThat(report.waiting()).isEqualTo(1);
    assertThat(report.running()).isEqualTo(1);
    gate.open();
    assertThat(awaitSettled(worker).completed()).isEqualTo(2);
    assertThat(worker.drain(Duration.ofHours(1)).isClean()).isTrue();
  }

  @Test
  @Tag("D2")
  void everyWaitingProducerWakesWithClosed() throws Exception {
    Worker<String> worker = full("producers");
    List<Aside<Admission>> producers = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      Job<String> job = Job.of("p" + i, "");
      producers.add(
          Aside.call(
              i % 2 == 0 ? () -> worker.submit(job) : () -> worker.offer(job, Duration.ofDays(1))));
    }
    Aside.until(() -> worker.report().waitingProducers() == 32);

    worker.stopAdmission();

    for (Aside<Admission> producer : producers) {
      assertThat(producer.result()).isEqualTo(Admission.refused(Reason.CLOSED));
    }
    Report report = assertBalanced(worker.report());
    assertThat(report.waitingProducers()).isZero();
    assertThat(report.accepted()).isEqualTo(2);
    assertThat(report.refused()).containsEntry(Reason.CLOSED, 32L);
    assertThat(worker.abort().unfinished()).isZero();
  }

  @Test
  @Tag("D1")
  void closingAgainAndFromManyThreadsChangesNothing() throws Exception {
    Worker<String> worker = full("again");
    List<Aside<Boolean>> callers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      callers.add(Aside.run(worker::stopAdmission));
    }
    for (Aside<Boolean> caller : callers) {
      caller.result();
    }
    worker.stopAdmission();

    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);
    assertThat(worker.report().unfinished()).isEqualTo(2);
    gate.open();
    Report report = assertSettled(worker.drain(Duration.ofHours(1)));
    worker.stopAdmission();
    assertThat(worker.state()).isEqualTo(WorkerState.STOPPED);
    assertThat(worker.drain(Duration.ZERO)).isSameAs(report);
  }

  @Test
  @Tag("D3")
  void aStopThatIsOnlyPreparedHasClosedNothing() throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("prepared").concurrency(1).capacity(9).start((job, context) -> {})) {
      Runnable stop = worker::stopAdmission;
      assertThat(worker.offer(Job.of("before", "")).isAccepted()).isTrue();

      stop.run();

      assertThat(worker.offer(Job.of("after", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
      assertThat(awaitSettled(worker).completed()).isEqualTo(1);
    }
  }

  @Test
  @Tag("D1")
  @Tag("A1")
  void nothingIsAcceptedOnceTheCallHasReturned() throws Exception {
    for (int round = 0; round < 300; round++) {
      Worker<String> worker =
          Worker.<String>builder("race").concurrency(2).capacity(50).start((job, context) -> {});
      AtomicBoolean closed = new AtomicBoolean();
      AtomicLong accepted = new AtomicLong();
      List<Aside<Boolean>> producers = new ArrayList<>();
      for (int p = 0; p < 2; p++) {
        String name = "p" + p + "-";
        producers.add(
            Aside.run(
                () -> {
                  for (int i = 0; ; i++) {
                    boolean closedBefore = closed.get();
                    Admission answer = worker.offer(Job.of(name + i, ""));
                    if (answer.isAccepted()) {
                      assertThat(closedBefore).as("accepted after the close").isFalse();
                      accepted.incrementAndGet();
                    } else if (answer.equals(Admission.refused(Reason.CLOSED))) {
                      return;
                    }
                  }
                }));
      }
      Aside.until(() -> accepted.get() > 0);
      worker.stopAdmission();
      closed.set(true);
      for (Aside<Boolean> producer : producers) {
        producer.result();
      }
      Report report = assertSettled(worker.drain(Duration.ofHours(1)));
      assertThat(report.accepted()).isEqualTo(accepted.get());
      assertThat(report.completed()).isEqualTo(accepted.get());
    }
  }
}
