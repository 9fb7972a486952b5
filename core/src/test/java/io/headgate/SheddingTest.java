package io.headgate;

import static io.headgate.Criticality.CRITICAL;
import static io.headgate.Criticality.CRITICAL_PLUS;
import static io.headgate.Criticality.SHEDDABLE;
import static io.headgate.Criticality.SHEDDABLE_PLUS;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Making room by ending what waits: who gives way, and for whom nobody does. */
@Tag("A4")
@Timeout(60)
class SheddingTest {

  private static final Condition<Admission> NOBODY = refusedFor(Reason.SHED);

  @Test
  void theSameFullWorkerWaitsRefusesOrSheds() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(1, WhenFull.refuse(), gate)) {
      submit(worker, "waiting", CRITICAL, 1);
      assertThat(worker.submit(Job.of("new", 1L))).is(refusedFor(Reason.FULL));
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).unstarted()).isZero();
    }
    HandlerGate<Long> second = HandlerGate.closed();
    try (Worker<Long> worker = worker(1, WhenFull.waitUpTo(WaitingProducer.FOR_EVER), second)) {
      submit(worker, "waiting", CRITICAL, 1);
      WaitingProducer producer = WaitingProducer.submitting(worker, Job.of("new", 1L));
      WaitingProducer.awaitWaiting(worker, 1);
      second.open();
      assertThat(producer.answer().isAccepted()).isTrue();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(3);
    }
    HandlerGate<Long> third = HandlerGate.closed();
    try (Worker<Long> worker = worker(1, WhenFull.shedOldest(), third)) {
      submit(worker, "waiting", CRITICAL, 1);
      assertThat(worker.submit(Job.of("new", 1L)).isAccepted()).isTrue();
      assertThat(worker.outcome("waiting"))
          .contains(new Outcome.Unstarted("waiting", Outcome.Unstarted.Cause.SHED));
      third.open();
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.accepted()).isEqualTo(3);
      assertThat(report.completed()).isEqualTo(2);
      assertThat(report.unstarted()).isOne();
    }
  }

  @Test
  void shedOldestTakesTheOldestThatIsNotAboveTheNewcomer() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(4, WhenFull.shedOldest(), gate)) {
      submit(worker, "plus", CRITICAL_PLUS, 1);
      submit(worker, "critical-1", CRITICAL, 1);
      submit(worker, "sheddable", SHEDDABLE, 1);
      submit(worker, "critical-2", CRITICAL, 1);
      submit(worker, "new-1", CRITICAL, 1);
      assertShed(worker, "critical-1");
      submit(worker, "new-2", SHEDDABLE_PLUS, 1);
      assertShed(worker, "critical-1", "sheddable");
      submit(worker, "new-3", CRITICAL_PLUS, 1);
      assertShed(worker, "critical-1", "sheddable", "plus");
      gate.open();
      LedgerAssert.awaitSettled(worker);
      assertThat(gate.entered()).containsExactly("holder", "critical-2", "new-1", "new-2", "new-3");
    }
  }

  @Test
  void shedOldestRefusesANewcomerBelowAllThatWait() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(2, WhenFull.shedOldest(), gate)) {
      submit(worker, "a", CRITICAL, 1);
      submit(worker, "b", SHEDDABLE_PLUS, 1);
      assertThat(worker.submit(Job.of("new", 1L).criticality(SHEDDABLE))).is(NOBODY);
      assertShed(worker);
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).refused()).containsEntry(Reason.SHED, 1L);
    }
  }

  @Test
  void shedLeastCriticalTakesTheOldestOfTheLowestClassStrictlyBelow() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(5, WhenFull.shedLeastCritical(), gate)) {
      submit(worker, "plus", SHEDDABLE_PLUS, 1);
      submit(worker, "low-1", SHEDDABLE, 1);
      submit(worker, "critical", CRITICAL, 1);
      submit(worker, "low-2", SHEDDABLE, 1);
      submit(worker, "low-3", SHEDDABLE, 1);
      submit(worker, "new-1", CRITICAL, 1);
      assertShed(worker, "low-1");
      submit(worker, "new-2", SHEDDABLE_PLUS, 1);
      assertShed(worker, "low-1", "low-2");
      assertThat(worker.submit(Job.of("refused", 1L).criticality(SHEDDABLE)))
          .as("nothing is strictly below the lowest class")
          .is(NOBODY);
      submit(worker, "new-3", CRITICAL_PLUS, 1);
      assertShed(worker, "low-1", "low-2", "low-3");
      submit(worker, "new-4", CRITICAL, 1);
      assertShed(worker, "low-1", "low-2", "low-3", "plus");
      gate.open();
      LedgerAssert.awaitSettled(worker);
      assertThat(gate.entered())
          .containsExactly("holder", "critical", "new-1", "new-2", "new-3", "new-4");
    }
  }

  @Test
  void equalsAreNotShedByLeastCritical() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(1, WhenFull.shedLeastCritical(), gate)) {
      submit(worker, "a", CRITICAL, 1);
      assertThat(worker.submit(Job.of("b", 1L))).is(NOBODY);
      assertShed(worker);
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  void runningJobIsNeverShed() throws Exception {
    for (WhenFull answer : List.of(WhenFull.shedOldest(), WhenFull.shedLeastCritical())) {
      HandlerGate<Long> gate = HandlerGate.closed();
      try (Worker<Long> worker = worker(0, answer, gate)) {
        assertThat(worker.submit(Job.of("new", 1L).criticality(CRITICAL_PLUS))).is(NOBODY);
        gate.open();
        assertThat(LedgerAssert.awaitSettled(worker).completed()).isOne();
      }
    }
  }

  @Test
  void asManyGiveWayAsTheBytesNeed() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(10, WhenFull.shedOldest(), gate)) {
      // The holder weighs 10 of 100.
      for (int i = 1; i <= 9; i++) {
        submit(worker, "w" + i, CRITICAL, 10);
      }
      submit(worker, "new", CRITICAL, 25);
      assertShed(worker, "w1", "w2", "w3");
      assertThat(worker.report().waitingBytes()).isEqualTo(85);
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  void nobodyGivesWayWhereAllOfThemWouldNotSuffice() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(10, WhenFull.shedOldest(), gate)) {
      submit(worker, "above", CRITICAL, 50);
      submit(worker, "low-1", SHEDDABLE, 20);
      submit(worker, "low-2", SHEDDABLE, 20);
      // 10 run and 50 are above it: 40 can be had at most.
      assertThat(worker.submit(Job.of("new", 41L).criticality(SHEDDABLE_PLUS))).is(NOBODY);
      assertShed(worker);
      submit(worker, "new", SHEDDABLE_PLUS, 40);
      assertShed(worker, "low-1", "low-2");
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  void leastCriticalTakesWholeClassesFromTheBottomForBytes() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(10, WhenFull.shedLeastCritical(), gate)) {
      submit(worker, "plus-1", SHEDDABLE_PLUS, 20);
      submit(worker, "low-1", SHEDDABLE, 20);
      submit(worker, "plus-2", SHEDDABLE_PLUS, 20);
      submit(worker, "low-2", SHEDDABLE, 20);
      submit(worker, "new", CRITICAL, 60);
      assertShed(worker, "low-1", "low-2", "plus-1");
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  void nobodyIsShedForAJobThatIsRefusedAnyway() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(1, WhenFull.shedOldest(), gate)) {
      submit(worker, "a", SHEDDABLE, 1);
      assertThat(worker.submit(Job.of("a", 1L))).isEqualTo(Admission.refused(Reason.DUPLICATE));
      assertThat(worker.submit(Job.of("", 1L))).isEqualTo(Admission.refused(Reason.INVALID_ID));
      assertThat(worker.submit(Job.of("b", 101L))).isEqualTo(Admission.refused(Reason.TOO_LARGE));
      worker.stopAdmission();
      assertThat(worker.submit(Job.of("b", 1L))).isEqualTo(Admission.refused(Reason.CLOSED));
      assertShed(worker);
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  void onlySubmitSheds() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = worker(1, WhenFull.shedOldest(), gate)) {
      submit(worker, "a", SHEDDABLE, 1);
      assertThat(worker.offer(Job.of("b", 1L).criticality(CRITICAL_PLUS)))
          .is(refusedFor(Reason.FULL));
      assertShed(worker);
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A1")
  void racingShedsKeepTheBoundAndLoseNobody() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    long producers = 8;
    int each = 500;
    CyclicBarrier barrier = new CyclicBarrier((int) producers);
    try (Worker<Long> worker = worker(3, WhenFull.shedOldest(), gate)) {
      List<Thread> threads =
          java.util.stream.LongStream.range(0, producers)
              .mapToObj(
                  p ->
                      Thread.startVirtualThread(
                          () -> {
                            try {
                              barrier.await(30, TimeUnit.SECONDS);
                              for (int i = 0; i < each; i++) {
                                submit(worker, "p" + p + "-" + i, CRITICAL, 1);
                              }
                            } catch (Exception e) {
                              throw new AssertionError(e);
                            }
                          }))
              .toList();
      for (Thread thread : threads) {
        assertThat(thread.join(LedgerAssert.HANG)).isTrue();
      }
      Report report = LedgerAssert.assertBalanced(worker.report());
      assertThat(report.accepted()).isEqualTo(1 + producers * each);
      assertThat(report.unfinished()).isEqualTo(4);
      assertThat(report.unstarted()).isEqualTo(producers * each - 3);
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(4);
    }
  }

  private static void submit(Worker<Long> worker, String id, Criticality criticality, long bytes)
      throws InterruptedException {
    assertThat(worker.submit(Job.of(id, bytes).criticality(criticality)).isAccepted())
        .as(id)
        .isTrue();
  }

  private static void assertShed(Worker<Long> worker, String... ids) {
    Report report = LedgerAssert.assertBalanced(worker.report());
    assertThat(report.outcomes())
        .isEqualTo(
            List.of(ids).stream()
                .map(id -> new Outcome.Unstarted(id, Outcome.Unstarted.Cause.SHED))
                .toList());
  }

  /** One running job of 10 bytes, a budget of 100. */
  private static Worker<Long> worker(int capacity, WhenFull answer, HandlerGate<Long> gate)
      throws InterruptedException {
    Worker<Long> worker =
        Worker.<Long>builder("shed")
            .concurrency(1)
            .capacity(capacity)
            .capacityBytes(100, weight -> weight)
            .whenFull(answer)
            .grace(Duration.ZERO)
            .start(gate.handler());
    assertThat(worker.offer(Job.of("holder", 10L).criticality(SHEDDABLE)).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
    return worker;
  }
}
