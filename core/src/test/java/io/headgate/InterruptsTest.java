package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An interrupt of a caller is thrown or kept, and never turned into an answer. */
@Timeout(60)
class InterruptsTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final HandlerGate<String> gate = HandlerGate.closed();
  private final Worker<String> worker =
      Worker.<String>builder("interrupts").concurrency(1).capacity(0).start(gate.handler());

  private void fill() throws InterruptedException {
    assertThat(worker.offer(Job.of("runs", "")).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
  }

  private void settle() throws InterruptedException {
    gate.open();
    assertThat(assertSettled(worker.drain(LONG)).isClean()).isTrue();
  }

  @Test
  @Tag("A8")
  @Tag("CASE-13")
  void aWaitingProducerThrowsAndHasSubmittedNothing() throws Exception {
    fill();
    Aside<Admission> producer = Aside.call(() -> worker.offer(Job.of("waits", ""), LONG));
    Aside.until(() -> worker.report().waitingProducers() == 1);

    producer.interrupt();

    assertThat(producer.failure()).isInstanceOf(InterruptedException.class);
    Report report = assertBalanced(worker.report());
    assertThat(report.waitingProducers()).isZero();
    assertThat(report.accepted()).isEqualTo(1);
    assertThat(report.refused()).isEmpty();
    settle();
  }

  @Test
  @Tag("CASE-13")
  void aCallThatNeedNotWaitKeepsTheFlag() throws Exception {
    Aside<Boolean> kept =
        Aside.call(
            () -> {
              Thread.currentThread().interrupt();
              assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
              assertThat(worker.offer(Job.of("b", ""))).is(refusedFor(Reason.FULL));
              assertThat(worker.cancel("b")).isEqualTo(CancelResult.UNKNOWN);
              worker.pause();
              worker.resume();
              worker.stopAdmission();
              assertThat(worker.report().accepted()).isEqualTo(1);
              return Thread.currentThread().isInterrupted();
            });
    assertThat(kept.result()).isTrue();
    settle();
  }

  @Test
  @Tag("L6")
  @Tag("CASE-13")
  void awaitIdleThrowsAndAnotherCallStillWorks() throws Exception {
    fill();
    Aside<Boolean> waiter = Aside.call(() -> worker.awaitIdle(LONG));
    waiter.awaitParked();

    waiter.interrupt();

    assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
    assertThat(worker.awaitIdle(Duration.ZERO)).isFalse();
    gate.open();
    assertThat(worker.awaitIdle(HANG)).isTrue();
    settle();
  }
}
