package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A paused worker starts nothing, and goes on admitting. */
@Timeout(60)
class PauseTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final HandlerGate<String> gate = HandlerGate.closed();
  private final Worker<String> worker =
      Worker.<String>builder("pause").concurrency(2).capacity(2).start(gate.handler());

  private void accept(String... ids) {
    for (String id : ids) {
      assertThat(worker.offer(Job.of(id, "")).isAccepted()).as(id).isTrue();
    }
  }

  @Test
  @Tag("B1")
  void aPausedWorkerAdmitsUntilItIsFullAndStartsNothing() throws Exception {
    worker.pause();
    worker.pause();
    accept("a", "b", "c", "d");
    assertThat(worker.offer(Job.of("e", ""))).is(refusedFor(Reason.FULL));
    assertThat(worker.awaitIdle(Duration.ofMillis(20))).isFalse();
    assertThat(worker.report().waiting()).isEqualTo(4);
    assertThat(gate.entered()).isEmpty();
    assertThat(worker.isPaused()).isTrue();

    worker.resume();

    assertThat(worker.isPaused()).isFalse();

    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    gate.open();
    assertThat(awaitSettled(worker).completed()).isEqualTo(4);
    assertThat(worker.state()).isEqualTo(WorkerState.OPEN);
    assertThat(worker.drain(LONG).isClean()).isTrue();
  }

  @Test
  @Tag("B1")
  void whatRunsGoesOnAndWhatWaitsIsNotStarted() throws Exception {
    accept("a", "b", "c");
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    worker.pause();
    gate.open();
    Aside.until(() -> worker.report().completed() == 2);
    Report paused = assertBalanced(worker.report());
    assertThat(paused.waiting()).isEqualTo(1);
    assertThat(gate.entered()).hasSize(2);
    worker.resume();

    assertThat(awaitSettled(worker).completed()).isEqualTo(3);
    assertThat(worker.drain(LONG).isClean()).isTrue();
  }

  @Test
  @Tag("D4")
  void aDrainEndsThePause() throws Exception {
    worker.pause();
    accept("a", "b", "c");
    gate.open();

    Report report = assertSettled(worker.drain(LONG));

    assertThat(report.completed()).isEqualTo(3);
    assertThat(report.ending()).contains(Ending.DRAINED);
  }

  @Test
  @Tag("D9")
  void aPauseDuringAStopHoldsNothingUp() throws Exception {
    accept("a", "b", "c");
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    Aside<Report> drain = Aside.call(() -> worker.drain(LONG));
    Aside.until(() -> worker.state() == WorkerState.DRAINING);
    worker.pause();
    gate.open();

    assertThat(assertSettled(drain.result()).completed()).isEqualTo(3);
    worker.pause();
    worker.resume();
    assertThat(worker.state()).isEqualTo(WorkerState.STOPPED);
  }

  @Test
  @Tag("D1")
  void aPausedWorkerCanBeClosedToAdmission() throws Exception {
    worker.pause();
    accept("a");
    worker.stopAdmission();
    assertThat(worker.offer(Job.of("b", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
    gate.open();
    worker.resume();
    assertThat(awaitSettled(worker).completed()).isEqualTo(1);
    assertThat(worker.drain(LONG).isClean()).isTrue();
  }

  @Test
  @Tag("D4")
  @Tag("D9")
  void aPauseThatRacesAStopNeverOutlivesIt() throws Exception {
    for (int round = 0; round < 500; round++) {
      Worker<String> raced =
          Worker.<String>builder("race").concurrency(1).capacity(2).start((job, context) -> {});
      raced.pause();
      assertThat(raced.offer(Job.of("a", "")).isAccepted()).isTrue();
      CountDownLatch go = new CountDownLatch(1);
      Aside<Boolean> pauser =
          Aside.run(
              () -> {
                go.await();
                for (int i = 0; i < 50; i++) {
                  raced.pause();
                }
              });
      go.countDown();
      // A worker left paused would not drain, and the watchdog would end this test.
      assertThat(assertSettled(raced.drain(LONG)).completed()).isEqualTo(1);
      pauser.result();
    }
  }
}
