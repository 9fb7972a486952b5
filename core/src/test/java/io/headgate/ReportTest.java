package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The picture of the ledger, while the worker runs and after it has stopped. */
@Timeout(60)
class ReportTest {

  @Test
  @Tag("L1")
  @Tag("L9")
  @Tag("B1")
  void theEquationHoldsAtEveryInstantUnderLoad() throws Exception {
    Worker<Integer> worker =
        Worker.<Integer>builder("load")
            .concurrency(3)
            .capacity(5)
            .history(7)
            .whenFull(WhenFull.shedOldest())
            .start(
                (job, context) -> {
                  switch (job.payload() % 4) {
                    case 0 -> throw new IllegalStateException();
                    case 1 -> {
                      if (context.isCancelled()) {
                        throw new InterruptedException();
                      }
                    }
                    default -> Thread.onSpinWait();
                  }
                });
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong accepted = new AtomicLong();
    List<Aside<Boolean>> producers = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      String name = "p" + p + "-";
      producers.add(
          Aside.run(
              () -> {
                for (int i = 0; i < 8_000; i++) {
                  if (worker.submit(Job.of(name + i, i)).isAccepted()) {
                    accepted.incrementAndGet();
                  }
                  if (i % 5 == 0) {
                    CancelResult unused = worker.cancel(name + i);
                  }
                }
              }));
    }
    Aside<Long> sampler =
        Aside.call(
            () -> {
              long samples = 0;
              long ended = 0;
              do {
                Report report = assertBalanced(worker.report());
                assertThat(report.running()).isBetween(0L, 3L);
                assertThat(report.unfinished()).isBetween(0L, 8L);
                assertThat(report.outcomes()).hasSizeLessThanOrEqualTo(7);
                assertThat(report.accepted() - report.unfinished()).isGreaterThanOrEqualTo(ended);
                ended = report.accepted() - report.unfinished();
                samples++;
              } while (!over.get());
              return samples;
            });
    for (Aside<Boolean> producer : producers) {
      producer.result();
    }
    Report report = awaitSettled(worker);
    over.set(true);

    assertThat(sampler.result()).isPositive();
    assertThat(report.accepted()).isEqualTo(accepted.get());
    assertThat(report.completed()).isPositive();
    assertThat(report.failed()).isPositive();
    assertThat(report.unstarted()).isPositive();
    assertSettled(worker.drain(Duration.ofHours(1)));
  }

  @Test
  @Tag("L9")
  void aReportIsOneInstantAndNeverChanges() throws Exception {
    Worker<String> worker =
        Worker.<String>builder("frozen")
            .concurrency(1)
            .capacity(20)
            .history(2)
            .start((job, context) -> {});
    for (int i = 0; i < 3; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    assertThat(worker.offer(Job.of("", ""))).isEqualTo(Admission.refused(Reason.INVALID_ID));
    Report held = awaitSettled(worker);
    String before = held.toJson();
    List<Outcome> outcomes = List.copyOf(held.outcomes());
    for (int i = 10; i < 20; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    assertThat(worker.offer(Job.of("", ""))).isEqualTo(Admission.refused(Reason.INVALID_ID));
    Report last = assertSettled(worker.drain(Duration.ofHours(1)));

    assertThat(held.toJson()).isEqualTo(before);
    assertThat(held.outcomes()).isEqualTo(outcomes);
    assertThat(held.accepted()).isEqualTo(3);
    assertThat(held.refused()).containsEntry(Reason.INVALID_ID, 1L);
    assertThat(held.ending()).isEmpty();
    assertThat(last.accepted()).isEqualTo(13);
    assertThatThrownBy(() -> last.outcomes().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> last.abandoned().add("x"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> last.stuck().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> last.refused().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  @Tag("L9")
  @Tag("L10")
  void beforeAStopHasEndedThereIsNoEndingAndNothingIsClean() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker = Worker.<String>builder("early").concurrency(1).start(gate.handler());
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    for (int i = 0; i < 2; i++) {
      Report report = assertBalanced(worker.report());
      assertThat(report.ending()).isEmpty();
      assertThat(report.isClean()).isFalse();
      assertThat(report.abandoned()).isEmpty();
      assertThat(report.stuck()).isEmpty();
      assertThat(report.drainTime()).isZero();
      assertThat(report.cleanupTime()).isZero();
      worker.stopAdmission();
    }
    gate.open();
    assertThat(worker.drain(Duration.ofHours(1)).isClean()).isTrue();
  }

  @Test
  @Tag("L10")
  @Tag("D14")
  void theFourEndingsAreToldApart() throws Exception {
    assertThat(stopped(Ending.DRAINED).isClean()).isTrue();
    assertThat(stopped(Ending.DEADLINE).isClean()).isFalse();
    assertThat(stopped(Ending.ABORTED).isClean()).isFalse();
    assertThat(stopped(Ending.STUCK).isClean()).isFalse();
  }

  private static Report stopped(Ending ending) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("ending")
            .concurrency(1)
            .cleanup(ending == Ending.STUCK ? Duration.ZERO : HANG)
            .ticker(ManualTicker.create())
            .start(
                (job, context) -> {
                  entered.countDown();
                  switch (ending) {
                    case DRAINED -> {}
                    case DEADLINE, ABORTED -> release.await();
                    case STUCK -> {
                      while (release.getCount() > 0) {
                        Thread.onSpinWait();
                      }
                    }
                  }
                });
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);
    Report report =
        switch (ending) {
          case DRAINED -> worker.drain(Duration.ofHours(1));
          case DEADLINE, STUCK -> worker.drain(Duration.ZERO);
          case ABORTED -> worker.abort();
        };
    release.countDown();
    assertThat(assertBalanced(report).ending()).contains(ending);
    assertThat(report.unfinished()).isEqualTo(ending == Ending.STUCK ? 1 : 0);
    return report;
  }
}
