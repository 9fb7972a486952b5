package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static io.headgate.WaitingProducer.FOR_EVER;
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

/** The limit on how long a job may wait to be started, on clocks from everywhere. */
@Tag("T4")
@Timeout(60)
class TimeToLiveTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration NANO = Duration.ofNanos(1);

  static long[] clocks() {
    return WaitingClockTest.CLOCKS.clone();
  }

  private final HandlerGate<String> gate = HandlerGate.closed();

  @ParameterizedTest
  @MethodSource("clocks")
  @Tag("T1")
  @Tag("CASE-11")
  void jobThatOutlivedItsTimeIsNotStarted(long start) throws Exception {
    ManualTicker ticker = ManualTicker.startingAt(start);
    try (Worker<String> worker = worker(2, ticker)) {
      worker.offer(Job.of("holder", "").timeToLive(SECOND));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      worker.offer(Job.of("short", "").timeToLive(SECOND));
      worker.offer(Job.of("long", "").timeToLive(SECOND.plus(NANO)));
      ticker.advance(SECOND);
      gate.open();
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(worker.outcome("holder"))
          .as("it limits the start, not the run")
          .contains(new Outcome.Completed("holder", 1));
      assertThat(worker.outcome("short"))
          .contains(new Outcome.Unstarted("short", Outcome.Unstarted.Cause.EXPIRED));
      assertThat(worker.outcome("long")).contains(new Outcome.Completed("long", 1));
      assertThat(report.completed()).isEqualTo(2);
      assertThat(gate.entered()).containsExactly("holder", "long");
    }
  }

  @Test
  void admissionThatFindsNoRoomExpiresTheEarliestFirst() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = worker(3, ticker)) {
      worker.offer(Job.of("holder", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      worker.offer(Job.of("third", "").timeToLive(Duration.ofSeconds(3)));
      worker.offer(Job.of("first", "").timeToLive(Duration.ofSeconds(1)));
      worker.offer(Job.of("second", "").timeToLive(Duration.ofSeconds(2)));
      assertThat(worker.offer(Job.of("a", ""))).is(refusedFor(Reason.FULL));
      ticker.advance(SECOND);
      assertThat(worker.offer(Job.of("b", "")).isAccepted()).isTrue();
      assertThat(worker.report().outcomes())
          .containsExactly(new Outcome.Unstarted("first", Outcome.Unstarted.Cause.EXPIRED));
      assertThat(worker.offer(Job.of("c", ""))).is(refusedFor(Reason.FULL));
      ticker.advance(Duration.ofSeconds(5));
      assertThat(worker.offer(Job.of("d", "")).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("e", "")).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("f", ""))).is(refusedFor(Reason.FULL));
      assertThat(worker.report().outcomes())
          .extracting(Outcome::jobId)
          .containsExactly("first", "second", "third");
      gate.open();
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.unstarted()).isEqualTo(3);
      assertThat(report.completed()).isEqualTo(4);
    }
  }

  @Test
  void admissionThatFindsRoomLeavesTheExpiredToTheClaim() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = worker(3, ticker)) {
      worker.offer(Job.of("holder", ""));
      worker.offer(Job.of("short", "").timeToLive(SECOND));
      ticker.advance(SECOND);
      assertThat(worker.offer(Job.of("short", ""))).isEqualTo(Admission.refused(Reason.DUPLICATE));
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).unstarted()).isOne();
    }
  }

  @Test
  void expiredJobsMakeRoomBeforeAnybodyIsShed() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker =
        Worker.<String>builder("ttl")
            .concurrency(1)
            .capacity(2)
            .whenFull(WhenFull.shedOldest())
            .ticker(ticker)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      worker.submit(Job.of("holder", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      worker.submit(Job.of("oldest", ""));
      worker.submit(Job.of("short", "").timeToLive(SECOND));
      ticker.advance(SECOND);
      assertThat(worker.submit(Job.of("new", "")).isAccepted()).isTrue();
      assertThat(worker.report().outcomes())
          .containsExactly(new Outcome.Unstarted("short", Outcome.Unstarted.Cause.EXPIRED));
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @ParameterizedTest
  @MethodSource("clocks")
  @Tag("CASE-11")
  void waitEndsAtTheSmallerOfPatienceAndTimeToLive(long start) throws Exception {
    ManualTicker ticker = ManualTicker.startingAt(start);
    try (Worker<String> worker = worker(0, ticker)) {
      worker.offer(Job.of("holder", ""));
      WaitingProducer live =
          WaitingProducer.offering(worker, Job.of("live", "").timeToLive(SECOND), FOR_EVER);
      WaitingProducer.awaitWaiting(worker, 1);
      WaitingProducer patience =
          WaitingProducer.offering(
              worker, Job.of("patience", "").timeToLive(SECOND), SECOND.minus(NANO));
      WaitingProducer.awaitWaiting(worker, 2);
      ticker.advance(SECOND.minus(NANO));
      assertThat(patience.refusal()).isEqualTo(Reason.TIMED_OUT);
      assertThat(live.hasAnswer()).isFalse();
      ticker.advance(NANO);
      assertThat(live.refusal()).isEqualTo(Reason.EXPIRED);
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isOne();
    }
  }

  @Test
  void timeToLiveCountsOnWhileTheProducerWaits() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = worker(1, ticker)) {
      worker.offer(Job.of("holder", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      worker.offer(Job.of("next", ""));
      WaitingProducer producer =
          WaitingProducer.offering(
              worker, Job.of("late", "").timeToLive(Duration.ofSeconds(3)), FOR_EVER);
      WaitingProducer.awaitWaiting(worker, 1);
      ticker.advance(Duration.ofSeconds(2));
      assertThat(worker.cancel("next")).isEqualTo(CancelResult.UNSTARTED);
      assertThat(producer.answer().isAccepted()).isTrue();
      // Two of its three seconds were spent waiting for room.
      ticker.advance(SECOND);
      gate.open();
      LedgerAssert.awaitSettled(worker);
      assertThat(worker.outcome("late"))
          .contains(new Outcome.Unstarted("late", Outcome.Unstarted.Cause.EXPIRED));
    }
  }

  @Test
  @Tag("A3")
  void waiterGetsThePlaceOfAJobThatExpiresMeanwhile() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = worker(1, ticker)) {
      worker.offer(Job.of("holder", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      worker.offer(Job.of("short", "").timeToLive(SECOND));
      WaitingProducer first = WaitingProducer.offering(worker, Job.of("w1", ""), FOR_EVER);
      WaitingProducer.awaitWaiting(worker, 1);
      ticker.advance(SECOND);
      // Whoever admits next notices the expiry; no place may be left over then.
      if (!worker.offer(Job.of("new", "")).isAccepted()) {
        assertThat(first.answer().isAccepted()).isTrue();
      } else {
        assertThat(worker.report().waitingProducers()).isOne();
        gate.pass(1);
        assertThat(first.answer().isAccepted()).isTrue();
      }
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("T2")
  @Tag("CASE-10")
  void timeToLiveSaturatesAndRefusesNegatives() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<String> worker = worker(1, ticker)) {
      assertThatThrownBy(() -> Job.of("a", "").timeToLive(Duration.ofNanos(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timeToLive");
      worker.offer(Job.of("holder", ""));
      assertThat(
              worker
                  .offer(Job.of("eternal", "").timeToLive(Duration.ofSeconds(Long.MAX_VALUE)))
                  .isAccepted())
          .isTrue();
      ticker.advance(Duration.ofDays(36_500));
      assertThat(worker.offer(Job.of("a", ""))).is(refusedFor(Reason.FULL));
      assertThat(worker.offer(Job.of("a", "").timeToLive(Duration.ZERO)))
          .isEqualTo(Admission.refused(Reason.EXPIRED));
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(2);
    }
  }

  private Worker<String> worker(int capacity, ManualTicker ticker) {
    return Worker.<String>builder("ttl")
        .concurrency(1)
        .capacity(capacity)
        .ticker(ticker)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }
}
