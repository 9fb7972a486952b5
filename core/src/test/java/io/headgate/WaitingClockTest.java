package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static io.headgate.WaitingProducer.FOR_EVER;
import static io.headgate.WaitingProducer.awaitWaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Patience on clocks that start anywhere, and the durations that say it. */
@Timeout(60)
class WaitingClockTest {

  /** Zero, negative, about to cross zero, and about to wrap; all are legal readings. */
  static final long[] CLOCKS = {
    0, -1, -500_000_000, Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE - 500_000_000
  };

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration NANO = Duration.ofNanos(1);

  private final HandlerGate<String> gate = HandlerGate.closed();

  static long[] clocks() {
    return CLOCKS.clone();
  }

  @ParameterizedTest
  @MethodSource("clocks")
  @Tag("T1")
  @Tag("CASE-11")
  void patienceEndsWhenItIsOver(long start) throws Exception {
    ManualTicker ticker = ManualTicker.startingAt(start);
    try (Worker<String> worker = fullWorker(ticker)) {
      WaitingProducer producer = WaitingProducer.offering(worker, job(1), SECOND);
      awaitWaiting(worker, 1);
      ticker.advance(SECOND);
      assertThat(producer.refusal()).isEqualTo(Reason.TIMED_OUT);
      assertThat(worker.report().waitingProducers()).isZero();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isOne();
    }
  }

  @ParameterizedTest
  @MethodSource("clocks")
  @Tag("T1")
  @Tag("CASE-11")
  void patienceDoesNotEndBefore(long start) throws Exception {
    ManualTicker ticker = ManualTicker.startingAt(start);
    try (Worker<String> worker = fullWorker(ticker)) {
      WaitingProducer producer = WaitingProducer.offering(worker, job(1), SECOND);
      awaitWaiting(worker, 1);
      ticker.advance(SECOND.minus(NANO));
      gate.pass(1);
      assertThat(producer.answer().isAccepted()).isTrue();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isEqualTo(2);
    }
  }

  @Test
  @Tag("A3")
  @Tag("T1")
  void patienceIsCountedFromTheCallAndNotFromEachWakeUp() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    HandlerGate<Long> held = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("clock")
            .concurrency(1)
            .capacity(10)
            .capacityBytes(10, weight -> weight)
            .ticker(ticker)
            .grace(Duration.ZERO)
            .start(held.handler())) {
      worker.offer(Job.of("holder", 4L));
      for (int i = 0; i < 6; i++) {
        worker.offer(Job.of("small-" + i, 1L));
      }
      WaitingProducer big =
          WaitingProducer.offering(worker, Job.of("big", 10L), Duration.ofSeconds(10));
      awaitWaiting(worker, 1);
      for (int i = 0; i < 6; i++) {
        ticker.advance(SECOND);
        assertThat(worker.cancel("small-" + i)).isEqualTo(CancelResult.UNSTARTED);
        assertThat(worker.report().waitingProducers()).as("it still does not fit").isOne();
      }
      ticker.advance(Duration.ofSeconds(4));
      assertThat(big.refusal()).isEqualTo(Reason.TIMED_OUT);
      held.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("T2")
  @Tag("CASE-10")
  void patienceWithoutEndNeverEnds() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = fullWorker(ticker)) {
      WaitingProducer first = WaitingProducer.offering(worker, job(1), FOR_EVER);
      awaitWaiting(worker, 1);
      WaitingProducer second =
          WaitingProducer.offering(worker, job(2), Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
      awaitWaiting(worker, 2);
      ticker.advance(Duration.ofDays(36_500));
      // One that is noticed to be woken proves nothing; that both still get a place does.
      gate.pass(2);
      assertThat(first.answer().isAccepted()).isTrue();
      assertThat(second.answer().isAccepted()).isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("T2")
  @Tag("CASE-10")
  void patienceBelowEveryUnitIsAWait() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = fullWorker(ticker)) {
      for (Duration patience : new Duration[] {NANO, Duration.ofNanos(900_000)}) {
        WaitingProducer producer = WaitingProducer.offering(worker, job(1), patience);
        awaitWaiting(worker, 1);
        ticker.advance(patience);
        assertThat(producer.refusal()).isEqualTo(Reason.TIMED_OUT);
      }
      assertThat(worker.offer(job(1), Duration.ZERO)).is(refusedFor(Reason.FULL));
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("T2")
  @Tag("CASE-10")
  void negativePatienceIsRefusedByName() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = fullWorker(ticker)) {
      assertThatThrownBy(() -> worker.offer(job(1), NANO.negated()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("patience");
      assertThatThrownBy(() -> worker.awaitIdle(NANO.negated()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> worker.drain(NANO.negated()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> worker.abort(NANO.negated()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(worker.state()).isEqualTo(WorkerState.OPEN);
      assertThat(worker.report().refused()).isEmpty();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @ParameterizedTest
  @MethodSource("clocks")
  @Tag("T1")
  @Tag("CASE-11")
  void timeoutOfAnAttemptWorksOnEveryClock(long start) throws Exception {
    ManualTicker ticker = ManualTicker.startingAt(start);
    try (Worker<String> worker =
        Worker.<String>builder("clock")
            .concurrency(1)
            .timeout(SECOND)
            .ticker(ticker)
            .start(gate.handler())) {
      worker.offer(job(0));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      assertThat(ticker.awaitWaiters(1, LedgerAssert.HANG)).isTrue();
      ticker.advance(SECOND);
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.failed()).isOne();
      assertThat(report.outcomes().getFirst())
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> {
                assertThat(failed.error().errorType()).isEqualTo("AttemptTimeout");
                assertThat(failed.effectsUncertain()).isTrue();
              });
    }
  }

  private Worker<String> fullWorker(ManualTicker ticker) {
    Worker<String> worker =
        Worker.<String>builder("clock")
            .concurrency(1)
            .capacity(0)
            .ticker(ticker)
            .grace(Duration.ZERO)
            .start(gate.handler());
    assertThat(worker.offer(job(0)).isAccepted()).isTrue();
    return worker;
  }

  private static Job<String> job(int number) {
    return Job.of("job-" + number, "");
  }
}
