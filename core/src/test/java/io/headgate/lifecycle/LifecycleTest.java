package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.headgate.Admission;
import io.headgate.Ending;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.Report;
import io.headgate.Worker;
import io.headgate.WorkerState;
import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ladder, the one deadline and the closing, with signals and time moved by hand. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LifecycleTest {

  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration HANG = Duration.ofSeconds(30);
  private static final Duration A_NANO = Duration.ofNanos(1);

  private final FakeSignals signals = new FakeSignals();
  private final FakeProcess process = new FakeProcess();
  private final ManualTicker ticker = ManualTicker.startingAt(Long.MAX_VALUE - 5);
  private final HandlerGate<String> gate = HandlerGate.closed();
  private final Worker<String> first = worker("first");
  private final Worker<String> second = worker("second");

  @AfterEach
  void leaveNothingBehind() throws InterruptedException {
    gate.open();
    first.abort();
    second.abort();
  }

  private Worker<String> worker(String name) {
    return Worker.<String>builder(name)
        .concurrency(1)
        .capacity(1)
        .ticker(ticker)
        .start(gate.handler());
  }

  private LifecycleBuilder builder() {
    return Lifecycle.builder().grace(GRACE).ticker(ticker).in(signals, process);
  }

  private Lifecycle installed() {
    return builder().worker(first).worker(second).install();
  }

  /** One job runs and one waits in each worker. */
  private void load() throws InterruptedException {
    for (Worker<String> worker : List.of(first, second)) {
      for (String id : List.of("runs", "waits")) {
        assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
      }
    }
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
  }

  private static void awaitState(WorkerState state, Worker<?>... workers) {
    for (Worker<?> worker : workers) {
      await().atMost(HANG).until(() -> worker.state() == state);
    }
  }

  @Test
  @Tag("D13")
  void firstSignalClosesAdmissionOfAllAndLetsAcceptedJobsEnd() throws Exception {
    try (Lifecycle lifecycle = installed()) {
      load();
      signals.arrive(FakeSignals.TERM);
      awaitState(WorkerState.DRAINING, first, second);
      assertThat(first.offer(Job.of("late", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
      gate.open();

      StopReport report = lifecycle.awaitStop();
      assertThat(report.workers()).extracting(Report::worker).containsExactly("first", "second");
      assertThat(report.workers()).extracting(Report::completed).containsExactly(2L, 2L);
      assertThat(report.isClean()).isTrue();
      assertThat(report.isStuck()).isFalse();
      assertThat(report.exitCode()).isZero();
      process.assertAlive();
    }
  }

  @Test
  @Tag("D17")
  @Tag("CASE-26")
  void arrivalOnlySetsStateSoThatABusyWorkerCannotHoldTheSignalUp() throws Exception {
    CountDownLatch inStop = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Worker<String> slow =
        Worker.<String>builder("slow")
            .concurrency(1)
            .threads(
                task -> {
                  throw new IllegalStateException("not needed");
                })
            .backlog((settings, listener) -> new BlockedBacklog<>(inStop, letGo))
            .start((job, context) -> {});
    Lifecycle lifecycle = builder().worker(slow).install();
    lifecycle.started();

    signals.arrive(FakeSignals.TERM); // Returns, though closing admission of this worker does not.

    assertThat(lifecycle.health().readiness()).isEqualTo(Readiness.STOPPING);
    assertThat(inStop.await(30, TimeUnit.SECONDS)).isTrue();
    letGo.countDown();
    assertThat(lifecycle.awaitStop().isClean()).isTrue();
    lifecycle.close();
  }

  @Test
  @Tag("D4")
  @Tag("D13")
  @Tag("CASE-19")
  void workersShareOneDeadlineAndTheirWaitsDoNotAddUp() throws Exception {
    try (Lifecycle lifecycle = installed()) {
      load();
      signals.arrive(FakeSignals.TERM);
      // The control thread and both timekeepers.
      assertThat(ticker.awaitWaiters(3, HANG)).isTrue();
      ticker.advance(GRACE.minus(A_NANO));
      assertThat(ticker.awaitWaiters(3, HANG)).isTrue();
      assertThat(List.of(first.state(), second.state())).containsOnly(WorkerState.DRAINING);
      ticker.advance(A_NANO);

      StopReport report = lifecycle.awaitStop();
      assertThat(report.workers()).extracting(Report::drainTime).containsOnly(GRACE);
      assertThat(report.workers())
          .extracting(one -> one.ending().orElseThrow())
          .containsOnly(Ending.DEADLINE);
      assertThat(report.workers())
          .extracting(Report::abandoned)
          .containsOnly(List.of("runs", "waits"));
      assertThat(report.exitCode()).isEqualTo(75);
    }
  }

  @Test
  @Tag("D13")
  void workerAddedDuringAStopHasOnlyWhatIsLeftOfTheGrace() throws Exception {
    try (Lifecycle lifecycle = builder().worker(first).install()) {
      load();
      signals.arrive(FakeSignals.TERM);
      assertThat(ticker.awaitWaiters(2, HANG)).isTrue();
      ticker.advance(Duration.ofSeconds(6));
      lifecycle.add(second);
      assertThat(second.offer(Job.of("late", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
      assertThat(ticker.awaitWaiters(3, HANG)).isTrue();
      ticker.advance(Duration.ofSeconds(4));

      assertThat(lifecycle.awaitStop().workers())
          .extracting(Report::drainTime)
          .containsExactly(GRACE, Duration.ofSeconds(4));
    }
  }

  @Test
  @Tag("D13")
  @Tag("D14")
  @Tag("CASE-22")
  void secondSignalAbortsAll() throws Exception {
    try (Lifecycle lifecycle = installed()) {
      load();
      signals.arrive(FakeSignals.TERM);
      awaitState(WorkerState.DRAINING, first, second);
      signals.arrive(FakeSignals.HUP);

      StopReport report = lifecycle.awaitStop();
      assertThat(report.workers())
          .extracting(one -> one.ending().orElseThrow())
          .containsOnly(Ending.ABORTED);
      assertThat(report.exitCode()).isEqualTo(75);
    }
  }

  @Test
  @Tag("D9")
  void laterStopWithAShorterGraceTightensTheDeadline() throws Exception {
    try (Lifecycle lifecycle = installed()) {
      load();
      lifecycle.stop();
      awaitState(WorkerState.DRAINING, first, second);
      lifecycle.stop(Duration.ZERO);

      assertThat(lifecycle.awaitStop().workers())
          .extracting(one -> one.ending().orElseThrow())
          .containsOnly(Ending.DEADLINE);
    }
  }

  @Test
  @Tag("D9")
  void abortDuringADrainEscalatesIt() throws Exception {
    try (Lifecycle lifecycle = installed()) {
      load();
      lifecycle.stop();
      lifecycle.abort();

      assertThat(lifecycle.awaitStop().workers())
          .extracting(one -> one.ending().orElseThrow())
          .containsOnly(Ending.ABORTED);
    }
  }

  @Test
  @Tag("D14")
  void stopOfAWorkerThatAbandonedItsJobsBeforeIsNotCalledClean() throws Exception {
    try (Lifecycle lifecycle = installed()) {
      load();
      first.abort();
      gate.open();
      lifecycle.stop();

      assertThat(lifecycle.awaitStop().isClean()).isFalse();
    }
  }

  @Test
  @Tag("D17")
  void closingRestoresTheHandlersAndLeavesWorkersAlone() throws Exception {
    Lifecycle lifecycle = installed();
    assertThat(signals.listenedTo())
        .containsExactlyInAnyOrder(FakeSignals.TERM, FakeSignals.INT, FakeSignals.HUP);
    var underWay = signals.underWay(FakeSignals.TERM);

    lifecycle.close();
    lifecycle.close();

    assertThat(signals.listenedTo()).isEmpty();
    assertThat(underWay.test(FakeSignals.TERM)).as("taken after the closing").isFalse();
    assertThat(first.state()).isEqualTo(WorkerState.OPEN);
    assertThatThrownBy(lifecycle::awaitStop).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lifecycle::stop).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lifecycle.add(worker("third")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Tag("D17")
  void closingWaitsForAStopUnderWaySoThatSignalsKeepTheirMeaning() throws Exception {
    Lifecycle lifecycle = installed();
    load();
    signals.arrive(FakeSignals.TERM);
    FutureTask<Boolean> closing =
        new FutureTask<>(
            () -> {
              lifecycle.close();
              return Thread.currentThread().isInterrupted();
            });
    Thread closer = Thread.ofPlatform().daemon().start(closing);
    await().atMost(HANG).until(() -> closer.getState() == Thread.State.WAITING);
    closer.interrupt();
    assertThat(signals.listenedTo()).hasSize(3);

    signals.arrive(FakeSignals.TERM);

    assertThat(closing.get(30, TimeUnit.SECONDS)).as("flag restored").isTrue();
    assertThat(signals.listenedTo()).isEmpty();
    assertThat(lifecycle.awaitStop().exitCode()).isEqualTo(75);
  }

  @Test
  @Tag("D12")
  void afterTheClosingNoThreadLives() throws Exception {
    Lifecycle lifecycle = installed();
    load();
    gate.open();
    lifecycle.stop();
    lifecycle.awaitStop();
    lifecycle.close();

    await().atMost(HANG).until(() -> LifecycleThreads.alive().isEmpty());
  }

  @Test
  @Tag("D13")
  void workerAddedAfterTheStopIsClosedAndRefused() throws Exception {
    try (Lifecycle lifecycle = builder().install()) {
      lifecycle.stop();
      assertThat(lifecycle.awaitStop().workers()).isEmpty();

      assertThatThrownBy(() -> lifecycle.add(first))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("first");
      assertThat(first.offer(Job.of("late", ""))).isEqualTo(Admission.refused(Reason.CLOSED));
    }
  }

  @Test
  void workerGivenTwiceIsRefused() {
    try (Lifecycle lifecycle = builder().worker(first).install()) {
      assertThatThrownBy(() -> lifecycle.add(first)).isInstanceOf(IllegalArgumentException.class);
    }
    LifecycleBuilder twice = builder().worker(first).worker(first);
    assertThatThrownBy(twice::install).isInstanceOf(IllegalArgumentException.class);
    assertThat(signals.listenedTo()).isEmpty();
  }

  @Test
  void badSettingsAreRefusedAtOnce() {
    assertThatThrownBy(() -> Lifecycle.builder().grace(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grace");
    assertThatThrownBy(() -> builder().grace(GRACE)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> builder().exitWhenStopped().exitWhenStopped())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Tag("D10")
  void handlerMayAskForTheStopOfItsProcess() throws Exception {
    Lifecycle lifecycle = builder().install();
    Worker<String> asking =
        lifecycle.add(
            Worker.<String>builder("asking")
                .concurrency(1)
                .ticker(ticker)
                .start((job, context) -> lifecycle.stop()));
    asking.submit(Job.of("last", ""));

    assertThat(lifecycle.awaitStop().isClean()).isTrue();
    lifecycle.close();
  }

  @Test
  @Tag("D14")
  void workerThatCannotBeStoppedIsNotCalledClean() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Worker<String> broken =
        Worker.<String>builder("broken")
            .concurrency(1)
            .backlog((settings, listener) -> new BlockedBacklog<>(never, null))
            .start((job, context) -> {});
    try (Lifecycle lifecycle = builder().worker(broken).worker(first).install()) {
      lifecycle.stop();

      StopReport report = lifecycle.awaitStop();
      assertThat(report.workers().get(1).isClean()).isTrue();
      assertThat(report.exitCode()).isEqualTo(75);
    }
  }
}
