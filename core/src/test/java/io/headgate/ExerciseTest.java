package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The exercise of the first seed: two gated workers, capacity two. Four jobs are admitted, the
 * fifth is refused, admission stops, and every accepted id ends in the ledger.
 */
@Timeout(60)
class ExerciseTest {

  private final ManualTicker ticker = ManualTicker.create();
  private final HandlerGate<String> gate = HandlerGate.closed();
  private final Worker<String> worker =
      Worker.<String>builder("exercise")
          .concurrency(2)
          .capacity(2)
          .ticker(ticker)
          .start(gate.handler());

  private Aside<Admission> blockedProducer;

  @BeforeEach
  void fourAreAdmittedTheFifthIsRefusedAndAProducerWaits() throws Exception {
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    assertThat(worker.offer(Job.of("b", "")).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    assertThat(worker.offer(Job.of("c", "")).isAccepted()).isTrue();
    assertThat(worker.offer(Job.of("d", "")).isAccepted()).isTrue();

    assertThat(worker.offer(Job.of("e", ""))).is(refusedFor(Reason.FULL));

    blockedProducer = Aside.call(() -> worker.offer(Job.of("f", ""), Duration.ofHours(1)));
    Aside.until(() -> worker.report().waitingProducers() == 1);

    Report full = assertBalanced(worker.report());
    assertThat(full.accepted()).isEqualTo(4);
    assertThat(full.running()).isEqualTo(2);
    assertThat(full.waiting()).isEqualTo(2);
  }

  @Test
  @Tag("B1")
  @Tag("D1")
  @Tag("D2")
  @Tag("L1")
  void allFourAreDrained() throws Exception {
    worker.stopAdmission();

    assertThat(blockedProducer.result()).isEqualTo(Admission.refused(Reason.CLOSED));
    gate.open();
    assertThat(worker.awaitIdle(HANG)).isTrue();
    Report report = assertSettled(worker.drain(Duration.ofHours(1)));

    assertThat(report.accepted()).isEqualTo(4);
    assertThat(report.completed()).isEqualTo(4);
    assertThat(report.outcomes())
        .containsExactlyInAnyOrder(
            new Outcome.Completed("a", 1),
            new Outcome.Completed("b", 1),
            new Outcome.Completed("c", 1),
            new Outcome.Completed("d", 1));
    assertThat(report.refused()).containsOnlyKeys(Reason.FULL, Reason.CLOSED);
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.abandoned()).isEmpty();
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @Tag("D2")
  @Tag("D7")
  @Tag("D14")
  void anAbortWithGraceCompletesWhatRunsAndLeavesWhatWaits() throws Exception {
    Aside<Report> abort = Aside.call(() -> worker.abort(Duration.ofSeconds(10)));

    assertThat(blockedProducer.result()).isEqualTo(Admission.refused(Reason.CLOSED));
    Aside.until(() -> worker.report().unstarted() == 2);
    gate.open();
    Report report = assertSettled(abort.result());

    assertThat(report.completed()).isEqualTo(2);
    assertThat(report.unstarted()).isEqualTo(2);
    assertThat(worker.outcome("a")).contains(new Outcome.Completed("a", 1));
    assertThat(worker.outcome("b")).contains(new Outcome.Completed("b", 1));
    assertThat(report.outcomes())
        .contains(
            new Outcome.Unstarted("c", Outcome.Unstarted.Cause.ABORTED),
            new Outcome.Unstarted("d", Outcome.Unstarted.Cause.ABORTED));
    assertThat(report.ending()).contains(Ending.ABORTED);
    assertThat(report.abandoned()).containsExactly("c", "d");
    assertThat(report.isClean()).isFalse();
  }

  @Test
  @Tag("D4")
  @Tag("D14")
  @Tag("L10")
  void aDeadlineThatExpiresLeavesFourAbandonedIds() throws Exception {
    Aside<Report> drain = Aside.call(() -> worker.drain(Duration.ofSeconds(10)));

    assertThat(blockedProducer.result()).isEqualTo(Admission.refused(Reason.CLOSED));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    assertBalanced(worker.report());
    ticker.advance(Duration.ofSeconds(10));
    Report report = assertSettled(drain.result());

    assertThat(report.completed()).isZero();
    assertThat(report.outcomes())
        .containsExactlyInAnyOrder(
            new Outcome.Interrupted("a", 1),
            new Outcome.Interrupted("b", 1),
            new Outcome.Unstarted("c", Outcome.Unstarted.Cause.DRAINED),
            new Outcome.Unstarted("d", Outcome.Unstarted.Cause.DRAINED));
    assertThat(report.ending()).contains(Ending.DEADLINE);
    assertThat(report.drainTime()).isEqualTo(Duration.ofSeconds(10));
    assertThat(report.abandoned()).containsExactly("a", "b", "c", "d");
    assertThat(report.isClean()).isFalse();
  }
}
