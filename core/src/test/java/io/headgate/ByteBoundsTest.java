package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes of all unfinished jobs, and the weigher that tells them. */
@Timeout(60)
class ByteBoundsTest {

  private static final long MB = 1 << 20;

  @Test
  @Tag("B2")
  void bytesOfWaitingAndRunningJobsAreBoundedTogether() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(10 * MB, weight -> weight, gate)) {
      assertThat(worker.offer(Job.of("a", 4 * MB)).isAccepted()).isTrue();
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      assertThat(worker.offer(Job.of("b", 4 * MB)).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("c", 4 * MB))).is(refusedFor(Reason.FULL_BYTES));
      Report report = LedgerAssert.assertBalanced(worker.report());
      assertThat(report.runningBytes()).isEqualTo(4 * MB);
      assertThat(report.waitingBytes()).isEqualTo(4 * MB);
      assertThat(worker.offer(Job.of("exactly", 2 * MB)).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("weightless", 0L)).isAccepted()).isTrue();
      gate.pass(1);
      assertThat(gate.awaitEntered(2, LedgerAssert.HANG)).isTrue();
      assertThat(worker.offer(Job.of("c", 4 * MB)).isAccepted()).isTrue();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(5);
    }
  }

  @Test
  @Tag("B2")
  void bytesComeBackHoweverAJobEnds() throws Exception {
    HandlerGate<Long> gate =
        HandlerGate.before(
            (job, context) -> {
              throw new IllegalStateException("fails");
            });
    try (Worker<Long> worker = worker(10, weight -> weight, gate)) {
      for (int i = 0; i < 20; i++) {
        assertThat(worker.offer(Job.of("fails-" + i, 10L)).isAccepted()).isTrue();
        gate.pass(1);
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
      }
      assertThat(worker.offer(Job.of("holder", 1L)).isAccepted()).isTrue();
      assertThat(gate.awaitEntered(21, LedgerAssert.HANG)).isTrue();
      for (int i = 0; i < 20; i++) {
        assertThat(worker.offer(Job.of("cancelled-" + i, 9L)).isAccepted()).isTrue();
        assertThat(worker.cancel("cancelled-" + i)).isEqualTo(CancelResult.UNSTARTED);
      }
      assertThat(worker.cancel("holder")).isEqualTo(CancelResult.SIGNALLED);
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.failed()).isEqualTo(20);
      assertThat(report.unstarted()).isEqualTo(20);
      assertThat(report.interrupted()).isOne();
    }
  }

  @Test
  @Tag("B2")
  void weigherIsAskedOnceForEachSubmitAndItsAnswerIsRemembered() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicLong weight = new AtomicLong(6);
    HandlerGate<AtomicLong> gate = HandlerGate.closed();
    try (Worker<AtomicLong> worker =
        worker(
            10,
            payload -> {
              asked.incrementAndGet();
              return payload.get();
            },
            gate)) {
      assertThat(worker.offer(Job.of("a", weight)).isAccepted()).isTrue();
      weight.set(10);
      assertThat(worker.report().waitingBytes() + worker.report().runningBytes()).isEqualTo(6);
      WaitingProducer producer =
          WaitingProducer.offering(
              worker, Job.of("b", new AtomicLong(5)), WaitingProducer.FOR_EVER);
      WaitingProducer.awaitWaiting(worker, 1);
      assertThat(asked).hasValue(2);
      gate.pass(1);
      assertThat(producer.answer().isAccepted()).isTrue();
      assertThat(asked).as("a wait does not weigh again").hasValue(2);
      assertThat(worker.report().waitingBytes() + worker.report().runningBytes()).isEqualTo(5);
      gate.open();
      LedgerAssert.awaitSettled(worker);
      assertThat(asked).hasValue(2);
    }
  }

  @Test
  @Tag("B2")
  void weigherRunsOutsideTheLock() throws Exception {
    CountDownLatch inWeigher = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        worker(
            10,
            weight -> {
              if (weight == 7) {
                inWeigher.countDown();
                try {
                  assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }
              return weight;
            },
            gate)) {
      WaitingProducer slow = WaitingProducer.offering(worker, Job.of("slow", 7L), Duration.ZERO);
      assertThat(inWeigher.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(worker.offer(Job.of("quick", 1L)).isAccepted()).isTrue();
      assertThat(worker.report().accepted()).isOne();
      goOn.countDown();
      assertThat(slow.answer().isAccepted()).isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("B2")
  @Tag("CASE-10")
  void negativeOrThrowingWeigherIsInvalidSizeAndMintsNothing() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        worker(
            10,
            weight -> {
              if (weight == 1_000) {
                throw new IllegalArgumentException("cannot be weighed");
              }
              return weight;
            },
            gate)) {
      Admission invalid = Admission.refused(Reason.INVALID_SIZE);
      assertThat(worker.offer(Job.of("a", -1L))).isEqualTo(invalid);
      assertThat(worker.offer(Job.of("a", Long.MIN_VALUE))).isEqualTo(invalid);
      assertThat(worker.offer(Job.of("a", 1_000L))).isEqualTo(invalid);
      assertThat(worker.offer(Job.of("b", 10L)).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("c", 1L))).is(refusedFor(Reason.FULL_BYTES));
      assertThat(worker.report().refused())
          .containsOnly(Map.entry(Reason.INVALID_SIZE, 3L), Map.entry(Reason.FULL_BYTES, 1L));
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isOne();
    }
  }

  @Test
  @Tag("B2")
  void errorOfTheWeigherPropagatesAndCountsNothing() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        worker(
            10,
            weight -> {
              throw new StackOverflowError("weigher");
            },
            gate)) {
      assertThatThrownBy(() -> worker.offer(Job.of("a", 1L)))
          .isInstanceOf(StackOverflowError.class);
      assertThatThrownBy(() -> worker.submit(Job.of("a", 1L)))
          .isInstanceOf(StackOverflowError.class);
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.accepted()).isZero();
      assertThat(report.refused()).isEmpty();
    }
  }

  @Test
  @Tag("B2")
  void sumsOfHugeSizesDoNotOverflow() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    long budget = Long.MAX_VALUE - 1;
    try (Worker<Long> worker = worker(budget, weight -> weight, gate)) {
      assertThat(worker.offer(Job.of("whole", Long.MAX_VALUE)))
          .isEqualTo(Admission.refused(Reason.TOO_LARGE));
      assertThat(worker.offer(Job.of("a", budget - 5)).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("b", budget))).is(refusedFor(Reason.FULL_BYTES));
      assertThat(worker.offer(Job.of("b", 6L))).is(refusedFor(Reason.FULL_BYTES));
      assertThat(worker.offer(Job.of("b", 5L)).isAccepted()).isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
    HandlerGate<Long> other = HandlerGate.closed();
    try (Worker<Long> worker = worker(Long.MAX_VALUE, weight -> weight, other)) {
      assertThat(worker.offer(Job.of("a", Long.MAX_VALUE)).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("b", Long.MAX_VALUE))).is(refusedFor(Reason.FULL_BYTES));
      assertThat(worker.offer(Job.of("b", 1L))).is(refusedFor(Reason.FULL_BYTES));
      other.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  private static <T> Worker<T> worker(long bytes, ToLongFunction<T> weigher, HandlerGate<T> gate) {
    return Worker.<T>builder("bytes")
        .concurrency(1)
        .capacity(10)
        .capacityBytes(bytes, weigher)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }
}
