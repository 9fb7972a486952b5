package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One drain, from the request to the report. */
@Timeout(60)
class DrainTest {

  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofHours(1);

  private final ManualTicker ticker = ManualTicker.create();
  private final HandlerGate<String> gate = HandlerGate.closed();

  private WorkerBuilder<String> builder(int concurrency, int capacity) {
    return Worker.<String>builder("drain")
        .concurrency(concurrency)
        .capacity(capacity)
        .ticker(ticker);
  }

  private static void accept(Worker<String> worker, String... ids) {
    for (String id : ids) {
      assertThat(worker.offer(Job.of(id, "")).isAccepted()).as(id).isTrue();
    }
  }

  @Test
  @Tag("D4")
  @Tag("CASE-16")
  void acceptedWorkGoesOnToBeStartedAndFinished() throws Exception {
    Worker<String> worker = builder(1, 5).start(gate.handler());
    accept(worker, "1", "2", "3", "4", "5", "6");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Report> drain = Aside.call(() -> worker.drain(LONG));
    Aside.until(() -> worker.state() == WorkerState.DRAINING);

    gate.open();
    Report report = assertSettled(drain.result());

    assertThat(gate.entered()).containsExactly("1", "2", "3", "4", "5", "6");
    assertThat(report.completed()).isEqualTo(6);
    assertThat(report.outcomes()).hasSize(6);
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.isClean()).isTrue();
    assertThat(report.drainTime()).isZero();
    assertThat(report.cleanupTime()).isZero();
    assertThat(worker.state()).isEqualTo(WorkerState.STOPPED);
  }

  @Test
  @Tag("D8")
  @Tag("CASE-20")
  void anIdleWorkerStopsWithoutLettingTimePass() throws Exception {
    Worker<String> worker = builder(2, 2).start((job, context) -> {});
    accept(worker, "a", "b");
    assertThat(worker.awaitIdle(HANG)).isTrue();

    Report report = assertSettled(worker.drain(LONG));

    assertThat(report.completed()).isEqualTo(2);
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.isClean()).isTrue();
    assertThat(report.drainTime()).isZero();
  }

  @Test
  @Tag("D8")
  void aWorkerThatNeverHadAJobStopsWithoutLettingTimePass() throws Exception {
    Report report = assertSettled(builder(2, 2).start(gate.handler()).drain(LONG));

    assertThat(report.accepted()).isZero();
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.isClean()).isTrue();
    assertThat(report.drainTime()).isZero();
  }

  @Test
  @Tag("D8")
  void stoppingAStoppedWorkerGivesTheSameReport() throws Exception {
    Worker<String> worker = builder(1, 1).start((job, context) -> {});
    accept(worker, "a");
    Report report = worker.drain(LONG);

    assertThat(worker.drain(Duration.ZERO)).isSameAs(report);
    assertThat(worker.abort()).isSameAs(report);
    worker.close();
    assertThat(worker.report()).isEqualTo(report);
    assertThat(worker.offer(Job.of("b", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
  }

  @Test
  @Tag("D4")
  @Tag("D6")
  @Tag("CASE-18")
  void nobodyIsToldToStopBeforeTheDeadline() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    AtomicBoolean toldBefore = new AtomicBoolean();
    AtomicReference<WorkerState> stateWhenTold = new AtomicReference<>();
    AtomicReference<Worker<String>> self = new AtomicReference<>();
    Worker<String> worker =
        builder(1, 0)
            .start(
                (job, context) -> {
                  entered.countDown();
                  Aside.awaitLatch(release);
                  toldBefore.set(context.isCancelled() || Thread.currentThread().isInterrupted());
                  try {
                    looked.countDown();
                    new CountDownLatch(1).await();
                  } finally {
                    stateWhenTold.set(self.get().state());
                    assertThat(context.isCancelled()).isTrue();
                  }
                });
    self.set(worker);
    accept(worker, "a");
    Aside.awaitLatch(entered);
    Aside<Report> drain = Aside.call(() -> worker.drain(GRACE));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();

    ticker.advance(GRACE.minusNanos(1));
    release.countDown();
    Aside.awaitLatch(looked);
    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);
    assertThat(drain.isDone()).isFalse();
    ticker.advance(Duration.ofNanos(1));
    Report report = assertSettled(drain.result());

    assertThat(toldBefore).isFalse();
    assertThat(stateWhenTold).hasValue(WorkerState.CANCELLING);
    assertThat(report.outcomes()).containsExactly(new Outcome.Interrupted("a", 1));
    assertThat(report.drainTime()).isEqualTo(GRACE);
    assertThat(report.ending()).contains(Ending.DEADLINE);
    assertThat(report.isClean()).isFalse();
  }

  @Test
  @Tag("D4")
  @Tag("CASE-18")
  void nothingIsStartedAfterTheDeadline() throws Exception {
    Worker<String> worker = builder(2, 20).history(30).start(gate.handler());
    for (int i = 0; i < 22; i++) {
      accept(worker, "j" + i);
    }
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    Aside<Report> drain = Aside.call(() -> worker.drain(GRACE));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    gate.pass(3);
    assertThat(gate.awaitEntered(5, HANG)).isTrue();

    ticker.advance(GRACE);
    Report report = assertSettled(drain.result());

    assertThat(gate.entered()).hasSize(5);
    assertThat(report.completed()).isEqualTo(3);
    assertThat(report.interrupted()).isEqualTo(2);
    assertThat(report.unstarted()).isEqualTo(17);
    assertThat(report.outcomes())
        .filteredOn(outcome -> outcome instanceof Outcome.Unstarted)
        .allSatisfy(
            outcome -> {
              assertThat(((Outcome.Unstarted) outcome).cause())
                  .isEqualTo(Outcome.Unstarted.Cause.DRAINED);
              assertThat(gate.entered()).doesNotContain(outcome.jobId());
            });
    assertThat(report.abandoned()).hasSize(19);
  }

  @Test
  @Tag("L4")
  @Tag("CASE-17")
  void aJobThatFailsByItselfDuringADrainIsFailed() throws Exception {
    HandlerGate<String> failing =
        HandlerGate.before(
            (job, context) -> {
              throw new IllegalStateException("by itself");
            });
    Worker<String> worker = builder(1, 1).start(failing.handler());
    accept(worker, "a", "b");
    assertThat(failing.awaitEntered(1, HANG)).isTrue();
    Aside<Report> drain = Aside.call(() -> worker.drain(LONG));
    Aside.until(() -> worker.state() == WorkerState.DRAINING);

    failing.open();
    Report report = assertSettled(drain.result());

    assertThat(report.failed()).isEqualTo(2);
    assertThat(report.outcomes())
        .first()
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> {
              assertThat(failed.jobId()).isEqualTo("a");
              assertThat(failed.error().message()).isEqualTo("by itself");
              assertThat(failed.effectsUncertain()).isFalse();
            });
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @Tag("D4")
  void noGraceCancelsAtOnceAndStillAwaits() throws Exception {
    Worker<String> worker = builder(1, 1).start(gate.handler());
    accept(worker, "a", "b");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();

    Report report = assertSettled(worker.drain(Duration.ZERO));

    assertThat(report.outcomes())
        .containsExactlyInAnyOrder(
            new Outcome.Interrupted("a", 1),
            new Outcome.Unstarted("b", Outcome.Unstarted.Cause.DRAINED));
    assertThat(report.drainTime()).isZero();
    assertThat(report.ending()).contains(Ending.DEADLINE);
  }

  @Test
  @Tag("D4")
  @Tag("T2")
  void aNegativeGraceIsRefusedAndStopsNothing() throws Exception {
    Worker<String> worker = builder(1, 1).start((job, context) -> {});

    assertThatThrownBy(() -> worker.drain(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grace");
    assertThatThrownBy(() -> worker.abort(Duration.ofDays(-1)))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(worker.state()).isEqualTo(WorkerState.OPEN);
    accept(worker, "a");
    assertThat(worker.drain(LONG).completed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  @Tag("D4")
  @Tag("T1")
  @Tag("CASE-11")
  void theDeadlineHoldsWhereverTheClockStands(long start) throws Exception {
    ManualTicker wrapping = ManualTicker.startingAt(start);
    Worker<String> worker =
        Worker.<String>builder("wrap")
            .concurrency(1)
            .capacity(1)
            .ticker(wrapping)
            .start(gate.handler());
    accept(worker, "a", "b");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Report> endless = Aside.call(() -> worker.drain(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(wrapping.awaitWaiters(1, HANG)).isTrue();
    wrapping.advance(Duration.ofDays(300));
    assertThat(assertBalanced(worker.report()).unfinished()).isEqualTo(2);
    Aside<Report> drain = Aside.call(() -> worker.drain(GRACE));
    drain.awaitParked();
    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);

    wrapping.advance(GRACE);
    Report report = assertSettled(drain.result());

    assertThat(endless.result()).isSameAs(report);
    assertThat(report.ending()).contains(Ending.DEADLINE);
    assertThat(report.drainTime()).isEqualTo(GRACE.plusDays(300));
  }

  @Test
  @Tag("D14")
  void whatFailedWasShedOrCancelledBeforeTheStopDoesNotCountAgainstIt() throws Exception {
    HandlerGate<String> failing =
        HandlerGate.before(
            (job, context) -> {
              throw new IllegalStateException();
            });
    Worker<String> worker = builder(1, 1).whenFull(WhenFull.shedOldest()).start(failing.handler());
    accept(worker, "fails", "shed");
    assertThat(failing.awaitEntered(1, HANG)).isTrue();
    assertThat(worker.submit(Job.of("cancelled", "")).isAccepted()).isTrue();
    assertThat(worker.cancel("cancelled")).isEqualTo(CancelResult.UNSTARTED);
    failing.open();
    assertThat(worker.awaitIdle(HANG)).isTrue();

    Report report = assertSettled(worker.drain(LONG));

    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.unstarted()).isEqualTo(2);
    assertThat(report.abandoned()).isEmpty();
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @Tag("D11")
  @Tag("CASE-13")
  void interruptingTheWaiterDoesNotStopTheStop() throws Exception {
    Worker<String> worker = builder(1, 1).start(gate.handler());
    accept(worker, "a", "b");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Report> interrupted = Aside.call(() -> worker.drain(GRACE));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();

    interrupted.interrupt();

    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);
    assertThat(worker.report().running()).isEqualTo(1);
    assertThat(worker.offer(Job.of("c", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
    Aside<Report> second = Aside.call(() -> worker.drain(LONG));
    second.awaitParked();
    ticker.advance(GRACE);
    Report report = assertSettled(second.result());
    assertThat(report.ending()).contains(Ending.DEADLINE);
    assertThat(report.drainTime()).isEqualTo(GRACE);
  }

  @Test
  @Tag("D11")
  void aCallerThatComesInterruptedStopsTheWorkerAllTheSame() throws Exception {
    Worker<String> worker = builder(1, 1).start(gate.handler());
    accept(worker, "a");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Report> caller =
        Aside.call(
            () -> {
              Thread.currentThread().interrupt();
              return worker.drain(LONG);
            });

    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);
    gate.open();
    assertThat(assertSettled(worker.drain(LONG)).completed()).isEqualTo(1);
  }

  @Test
  @Tag("D11")
  @Tag("CASE-13")
  void closeWaitsThroughAnInterruptAndRestoresIt() throws Exception {
    Worker<String> worker = builder(1, 1).grace(LONG).start(gate.handler());
    accept(worker, "a");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Boolean> closer =
        Aside.call(
            () -> {
              worker.close();
              return Thread.currentThread().isInterrupted();
            });
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    closer.interrupt();
    closer.awaitParked();

    gate.open();

    assertThat(closer.result()).isTrue();
    assertThat(worker.state()).isEqualTo(WorkerState.STOPPED);
    assertThat(worker.report().completed()).isEqualTo(1);
  }

  @Test
  @Tag("D4")
  void closeUsesTheGraceAndCleanupOfTheBuilder() throws Exception {
    Worker<String> worker =
        builder(1, 1).grace(Duration.ofSeconds(7)).cleanup(Duration.ZERO).start(gate.handler());
    accept(worker, "a");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Boolean> closer = Aside.run(worker::close);
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(Duration.ofSeconds(6));
    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);
    assertThat(closer.isDone()).isFalse();

    gate.open();
    closer.result();

    assertThat(worker.report().drainTime()).isEqualTo(Duration.ofSeconds(6));
    assertThat(worker.report().isClean()).isTrue();
  }

  @Test
  @Tag("D10")
  void aHandlerMayNotWaitForItsOwnWorker() throws Exception {
    List<Throwable> thrown = new ArrayList<>();
    AtomicReference<Worker<String>> self = new AtomicReference<>();
    Worker<String> worker =
        builder(1, 1)
            .start(
                (job, context) -> {
                  List<Aside.Action> waits =
                      List.of(
                          () -> self.get().drain(LONG),
                          () -> self.get().abort(),
                          () -> self.get().abort(LONG),
                          () -> self.get().close(),
                          () -> self.get().awaitIdle(LONG));
                  for (Aside.Action wait : waits) {
                    try {
                      wait.run();
                      thrown.add(new AssertionError("was allowed"));
                    } catch (IllegalStateException e) {
                      thrown.add(e);
                    }
                  }
                });
    self.set(worker);
    accept(worker, "a");
    assertThat(worker.awaitIdle(HANG)).isTrue();

    assertThat(thrown).hasSize(5).hasOnlyElementsOfType(IllegalStateException.class);
    assertThat(worker.state()).isEqualTo(WorkerState.OPEN);
    assertThat(assertSettled(worker.drain(LONG)).completed()).isEqualTo(1);
  }

  @Test
  @Tag("D10")
  void aHandlerMayStopAdmissionAndCancel() throws Exception {
    AtomicReference<Worker<String>> self = new AtomicReference<>();
    List<CancelResult> results = new ArrayList<>();
    HandlerGate<String> gated =
        HandlerGate.before(
            (job, context) -> {
              self.get().stopAdmission();
              results.add(self.get().cancel("b"));
              results.add(self.get().cancel(job.id()));
            });
    Worker<String> worker = builder(1, 1).start(gated.handler());
    self.set(worker);
    accept(worker, "a", "b");
    gated.open();
    assertThat(worker.awaitIdle(HANG)).isTrue();

    Report report = assertSettled(worker.drain(LONG));

    assertThat(results).containsExactly(CancelResult.UNSTARTED, CancelResult.SIGNALLED);
    assertThat(report.outcomes())
        .containsExactly(
            new Outcome.Unstarted("b", Outcome.Unstarted.Cause.CANCELLED),
            new Outcome.Completed("a", 1));
    assertThat(worker.offer(Job.of("c", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
  }

  @Test
  @Tag("D10")
  void aHandlerMayStopAnotherWorker() throws Exception {
    Worker<String> other = builder(1, 1).start((job, context) -> {});
    accept(other, "x");
    AtomicReference<Report> stopped = new AtomicReference<>();
    Worker<String> worker = builder(1, 1).start((job, context) -> stopped.set(other.drain(LONG)));
    accept(worker, "a");

    assertThat(assertSettled(worker.drain(LONG)).completed()).isEqualTo(1);
    assertThat(assertSettled(stopped.get()).completed()).isEqualTo(1);
  }
}
