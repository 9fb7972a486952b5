package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.downstream.Downstream;
import io.headgate.downstream.Permit;
import io.headgate.limit.AdaptiveConcurrency;
import io.headgate.retry.OverloadedException;
import io.headgate.testing.HandlerGate;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers whose concurrency follows what their attempts go through. */
class AdaptiveWorkerTest extends RetryFixture {

  private AdaptiveConcurrency beginningWith(int jobs) {
    return AdaptiveConcurrency.aimd(SECOND).initial(jobs).ticker(ticker).build();
  }

  @Test
  @Tag("O3")
  void attemptsAboveTheCeilingLowerHowManyRunAtOnceAndHowManyAreAccepted() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    AdaptiveConcurrency limit = beginningWith(4);
    Worker<String> worker = start(builder(8, 0).adaptiveConcurrency(limit), gate.handler());
    for (String id : new String[] {"a", "b", "c", "d"}) {
      accept(worker, id);
    }
    assertThat(worker.offer(Job.of("e", ""))).is(refusedFor(Reason.FULL));
    assertThat(gate.awaitEntered(4, HANG)).isTrue();
    ticker.advance(LONG);
    gate.pass(4);
    awaitSettled(worker);
    assertThat(limit.samples()).isEqualTo(4);
    int now = limit.limit();
    assertThat(now).isLessThan(4);
    for (int i = 0; i < now; i++) {
      accept(worker, "later" + i);
    }
    assertThat(worker.offer(Job.of("e", ""))).is(refusedFor(Reason.FULL));
    assertThat(gate.awaitEntered(4 + now, HANG)).isTrue();
    gate.open();
    awaitSettled(worker);
  }

  @Test
  void itGrowsWhileItIsUsedUpAndNeverAboveTheConcurrency() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    AdaptiveConcurrency limit = beginningWith(1);
    Worker<String> worker = start(builder(2, 20).adaptiveConcurrency(limit), gate.handler());
    for (int i = 0; i < 10; i++) {
      accept(worker, "job" + i);
    }
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    assertThat(worker.report().running()).isEqualTo(1);
    gate.pass(1);
    assertThat(gate.awaitEntered(3, HANG)).as("two at once").isTrue();
    for (int entered = 4; entered <= 8; entered++) {
      gate.pass(1);
      assertThat(gate.awaitEntered(entered, HANG)).isTrue();
      assertThat(worker.report().running()).isLessThanOrEqualTo(2);
    }
    assertThat(limit.limit()).as("it was used up all the time").isGreaterThan(2);
    assertThat(worker.report().running()).isEqualTo(2);
    gate.open();
    awaitSettled(worker);
  }

  @Test
  @Tag("O3")
  void overloadThatAFailureTellsIsADropHoweverFastItCame() throws Exception {
    AdaptiveConcurrency limit = beginningWith(10);
    Downstream busy =
        Downstream.builder("busy").concurrency(1).maxWaiting(0).ticker(ticker).build();
    Worker<String> worker =
        start(
            builder(10, 0).adaptiveConcurrency(limit),
            (job, context) -> {
              switch (job.id()) {
                case "told" -> throw OverloadedException.doNotRetry("no more");
                case "refused" -> context.call(busy, () -> "never");
                default -> fail(job, context);
              }
            });
    accept(worker, "told");
    awaitSettled(worker);
    assertThat(limit.drops()).isEqualTo(1);
    assertThat(limit.limit()).isEqualTo(9);
    try (Permit held = (Permit) busy.acquire(Duration.ZERO)) {
      assertThat(held.isPermitted()).isTrue();
      accept(worker, "refused");
      awaitSettled(worker);
    }
    assertThat(limit.drops()).isEqualTo(2);
    accept(worker, "failed");
    awaitSettled(worker);
    assertThat(limit.drops()).as("any other failure is none").isEqualTo(2);
    assertThat(limit.samples()).isEqualTo(3);
  }

  @Test
  void aTimeoutIsADropAndACancelIsNoSample() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    AdaptiveConcurrency limit = beginningWith(10);
    Worker<String> worker =
        start(builder(10, 0).timeout(SECOND).adaptiveConcurrency(limit), gate.handler());
    accept(worker, "cancelled");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    worker.cancel("cancelled");
    assertThat(awaitSettled(worker).interrupted()).isEqualTo(1);
    assertThat(limit.samples()).isZero();
    accept(worker, "late");
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    pass(SECOND);
    assertThat(awaitSettled(worker).failed()).isEqualTo(1);
    assertThat(limit.drops()).isEqualTo(1);
  }

  @Test
  void itCannotBeSetByHandAndMustNotBeginAboveTheConcurrency() {
    Worker<String> worker = failing(builder(2, 0).adaptiveConcurrency(beginningWith(2)));
    assertThatThrownBy(() -> worker.setConcurrency(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("follows AdaptiveConcurrency[limit 2]");
    assertThatThrownBy(() -> failing(builder(2, 0).adaptiveConcurrency(beginningWith(3))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("adaptiveConcurrency begins with 3")
        .hasMessageContaining("is 2");
  }

  @Test
  void itMustBeOnTheClockOfTheWorker() {
    AdaptiveConcurrency elsewhere = AdaptiveConcurrency.aimd(SECOND).initial(1).build();
    assertThatThrownBy(() -> failing(builder(2, 0).adaptiveConcurrency(elsewhere)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("adaptiveConcurrency is AdaptiveConcurrency[limit 1]")
        .hasMessageContaining("another ticker");
    assertThat(elsewhere.isOn(ticker)).isFalse();
    assertThat(beginningWith(1).isOn(ticker)).isTrue();
  }
}
