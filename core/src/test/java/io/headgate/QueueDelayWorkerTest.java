package io.headgate;

import static io.headgate.Criticality.CRITICAL_PLUS;
import static io.headgate.Criticality.SHEDDABLE;
import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.Outcome.Unstarted.Cause.SHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.limit.QueueDelay;
import io.headgate.testing.HandlerGate;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers that look after the delay of their queue, on a clock moved by hand. */
class QueueDelayWorkerTest extends RetryFixture {

  private final HandlerGate<String> gate = HandlerGate.closed();

  /** One slot, held, and a target of one second over an interval of two. */
  private Worker<String> held() throws InterruptedException {
    Worker<String> worker =
        start(builder(1, 20).queueDelay(QueueDelay.target(SECOND)), gate.handler());
    accept(worker, "first");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    return worker;
  }

  private void next(Worker<String> worker, int entered) throws InterruptedException {
    gate.pass(1);
    assertThat(gate.awaitEntered(entered, HANG)).isTrue();
    assertBalanced(worker.report());
  }

  /** Makes the queue stand: the oldest waits for more than an interval above the target. */
  private Worker<String> standing() throws InterruptedException {
    Worker<String> worker = held();
    accept(worker, "stale1");
    accept(worker, "stale2");
    ticker.advance(Duration.ofMillis(2_500));
    assertThat(worker.offer(Job.of("sheddable", "").criticality(SHEDDABLE)).isAccepted()).isTrue();
    accept(worker, "older");
    accept(worker, "newer");
    return worker;
  }

  @Test
  @Tag("O1")
  @Tag("O5")
  @Tag("A4")
  @Tag("CASE-41")
  void standingQueueShedsWhatIsStaleAndServesTheMostCriticalAndNewestFirst() throws Exception {
    Worker<String> worker = standing();
    assertThat(worker.report().overload().oldestWaiting()).contains(Duration.ofMillis(2_500));
    next(worker, 2);
    assertThat(gate.entered()).containsExactly("first", "newer");
    assertThat(worker.outcome("stale1")).contains(new Outcome.Unstarted("stale1", SHED));
    assertThat(worker.outcome("stale2")).contains(new Outcome.Unstarted("stale2", SHED));
    assertThat(worker.report().overload().shedding()).isTrue();
    assertThat(worker.report().overload().isOverloaded()).isTrue();
    ticker.advance(Duration.ofMillis(600));
    next(worker, 3);
    next(worker, 4);
    assertThat(gate.entered()).containsExactly("first", "newer", "older", "sheddable");
    gate.open();
    Report report = awaitSettled(worker);
    assertThat(report.unstarted()).isEqualTo(2);
    assertThat(report.completed()).isEqualTo(4);
  }

  @Test
  @Tag("O6")
  void queueThatHasFallenIsServedInItsOrderAgain() throws Exception {
    Worker<String> worker = standing();
    next(worker, 2);
    gate.pass(2);
    assertThat(gate.awaitEntered(4, HANG)).isTrue();
    accept(worker, "x");
    accept(worker, "y");
    next(worker, 5);
    assertThat(worker.report().overload().shedding()).isFalse();
    next(worker, 6);
    assertThat(gate.entered().subList(4, 6)).containsExactly("x", "y");
    gate.open();
    awaitSettled(worker);
    assertThat(worker.report().overload().oldestWaiting()).contains(Duration.ZERO);
  }

  @Test
  @Tag("O1")
  void burstThatIsWorkedOffWithinTheIntervalLosesNothing() throws Exception {
    Worker<String> worker = held();
    accept(worker, "a");
    accept(worker, "b");
    ticker.advance(Duration.ofMillis(1_900));
    next(worker, 2);
    next(worker, 3);
    assertThat(gate.entered()).containsExactly("first", "a", "b");
    gate.open();
    assertThat(awaitSettled(worker).unstarted()).isZero();
  }

  @Test
  @Tag("D4")
  @Tag("D14")
  void drainStartsWhatWasAcceptedInItsOrderAndShedsNothing() throws Exception {
    Worker<String> worker = standing();
    worker.stopAdmission();
    gate.open();
    Report report = worker.drain(LONG);
    assertThat(report.isClean()).isTrue();
    assertThat(report.completed()).isEqualTo(6);
    assertThat(gate.entered())
        .containsExactly("first", "stale1", "stale2", "sheddable", "older", "newer");
  }

  @Test
  @Tag("O1")
  void pauseMakesNothingStale() throws Exception {
    Worker<String> worker = held();
    accept(worker, "a");
    accept(worker, "b");
    worker.pause();
    ticker.advance(LONG);
    worker.resume();
    next(worker, 2);
    next(worker, 3);
    assertThat(gate.entered()).containsExactly("first", "a", "b");
    gate.open();
    assertThat(awaitSettled(worker).unstarted()).isZero();
  }

  @Test
  @Tag("O5")
  void lowestClassHasItsFloorWhileTheQueueStands() throws Exception {
    QueueDelay delay = QueueDelay.target(SECOND).floorOneIn(4);
    Worker<String> worker = start(builder(1, 20).queueDelay(delay), gate.handler());
    accept(worker, "first");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    accept(worker, "stale");
    ticker.advance(Duration.ofSeconds(3));
    assertThat(worker.offer(Job.of("low", "").criticality(SHEDDABLE)).isAccepted()).isTrue();
    for (int i = 0; i < 8; i++) {
      assertThat(worker.offer(Job.of("high" + i, "").criticality(CRITICAL_PLUS)).isAccepted())
          .isTrue();
    }
    ticker.advance(Duration.ofMillis(600));
    for (int entered = 2; entered <= 6; entered++) {
      next(worker, entered);
    }
    assertThat(gate.entered().subList(1, 6)).contains("low");
    gate.open();
    awaitSettled(worker);
  }

  @Test
  @Tag("CASE-10")
  @Tag("T2")
  void settingsThatCannotBeAreRefusedWithTheirValues() {
    assertThatThrownBy(() -> QueueDelay.target(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S");
    assertThatThrownBy(() -> QueueDelay.target(SECOND).interval(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
    assertThatThrownBy(() -> QueueDelay.target(SECOND).floorOneIn(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3");
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(QueueDelay.target(forEver).toString()).contains("floor 1 in 100");
  }

  @Test
  @Tag("CASE-42")
  void backlogThatKnowsOneOrderOnlyIsRefusedAtTheStart() {
    WorkerBuilder<String> builder =
        builder(1, 1)
            .queueDelay(QueueDelay.target(SECOND))
            .backlog((settings, listener) -> Backlogs.<String>memory().open(settings, listener));
    assertThatThrownBy(() -> builder.start((job, context) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("queueDelay is QueueDelay[target PT1S")
        .hasMessageContaining("first in, first out");
  }
}
