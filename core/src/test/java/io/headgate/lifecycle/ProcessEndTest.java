package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.WorkerState;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the process ends: after the stop, and by the third signal. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ProcessEndTest {

  private static final Duration HANG = Duration.ofSeconds(30);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakeSignals signals = new FakeSignals();
  private final FakeProcess process = new FakeProcess();
  private final ManualTicker ticker = ManualTicker.create();
  private final CountDownLatch letGo = new CountDownLatch(1);
  private final CountDownLatch hung = new CountDownLatch(1);
  private final CountDownLatch entered = new CountDownLatch(1);

  private final AtomicInteger cancels = new AtomicInteger();

  /** Its handler ignores its cancellation. */
  private final Worker<String> worker =
      Worker.<String>builder("stubborn")
          .concurrency(1)
          .cleanup(Duration.ZERO)
          .ticker(ticker)
          .start((job, context) -> hold());

  @AfterEach
  void letGo() throws InterruptedException {
    letGo.countDown();
    worker.abort();
    assertThat(worker.awaitIdle(HANG)).isTrue();
  }

  private void hold() {
    entered.countDown();
    hang();
  }

  private void hang() {
    while (letGo.getCount() > 0) {
      try {
        letGo.await();
      } catch (InterruptedException e) {
        cancels.incrementAndGet();
      }
    }
  }

  private void hangInHook() {
    hung.countDown();
    hang();
  }

  private LifecycleBuilder builder() {
    return Lifecycle.builder().worker(worker).ticker(ticker).in(signals, process);
  }

  private void run() throws InterruptedException {
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    entered.await();
  }

  @Test
  @Tag("D14")
  @Tag("CASE-21")
  void cleanStopExitsWithZeroAfterTheLastAct() throws Exception {
    List<String> acts = new ArrayList<>();
    Lifecycle lifecycle =
        builder()
            .exitWhenStopped(SECOND, report -> acts.add("clean " + report.isClean()))
            .install();
    lifecycle.stop();

    assertThat(process.awaitEnd()).isEqualTo("exit 0");
    assertThat(acts).containsExactly("clean true");
    assertThat(lifecycle.awaitStop().isClean()).isTrue();
  }

  @Test
  @Tag("CASE-21")
  void lastActThatThrowsDoesNotKeepTheProcess() throws Exception {
    Lifecycle lifecycle =
        builder()
            .exitWhenStopped(
                SECOND,
                report -> {
                  throw new IllegalStateException("the pipe is closed");
                })
            .install();
    lifecycle.stop();

    assertThat(process.awaitEnd()).isEqualTo("exit 0");
  }

  @Test
  @Tag("CASE-21")
  void lastActThatHangsIsCutShortByAHaltWithTheSameStatus() throws Exception {
    Lifecycle lifecycle = builder().exitWhenStopped(SECOND, report -> hangInHook()).install();
    lifecycle.stop();
    hung.await();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(SECOND.minusNanos(1));
    process.assertAlive();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(Duration.ofNanos(1));

    assertThat(process.awaitEnd()).isEqualTo("halt 0");
  }

  @Test
  @Tag("D14")
  @Tag("CASE-22")
  void stuckHandlerEndsTheProcessByAHaltWith75() throws Exception {
    List<Boolean> stuck = new ArrayList<>();
    Lifecycle lifecycle =
        builder().exitWhenStopped(SECOND, report -> stuck.add(report.isStuck())).install();
    run();
    lifecycle.abort();

    assertThat(process.awaitEnd()).isEqualTo("halt 75");
    assertThat(stuck).containsExactly(true);
  }

  @Test
  @Tag("D14")
  void stopWithoutExitLeavesTheProcessAlone() throws Exception {
    try (Lifecycle lifecycle = builder().install()) {
      run();
      lifecycle.abort();

      assertThat(lifecycle.awaitStop().exitCode()).isEqualTo(75);
      process.assertAlive();
    }
  }

  @Test
  @Tag("D13")
  @Tag("CASE-21")
  void thirdSignalHaltsAfterTheHook() throws Exception {
    List<String> acts = new ArrayList<>();
    builder().beforeHalt(() -> acts.add("children killed")).install();
    run();
    signals.arrive(FakeSignals.TERM);
    signals.arrive(FakeSignals.TERM);
    signals.arrive(FakeSignals.INT);

    assertThat(process.awaitEnd()).isEqualTo("halt 130");
    assertThat(acts).containsExactly("children killed");
  }

  @Test
  @Tag("D13")
  void thirdSignalHaltsDuringTheLastAct() throws Exception {
    Lifecycle lifecycle = builder().exitWhenStopped(SECOND, report -> hangInHook()).install();
    lifecycle.stop();
    hung.await();
    signals.arrive(FakeSignals.TERM);
    signals.arrive(FakeSignals.TERM);
    process.assertAlive();
    signals.arrive(FakeSignals.TERM);

    assertThat(process.awaitEnd()).isEqualTo("halt 143");
  }

  @Test
  @Tag("D13")
  void thirdSignalHaltsAfterAStopThatLeftTheProcessAlone() throws Exception {
    Lifecycle lifecycle = builder().install();
    lifecycle.stop();
    lifecycle.awaitStop();
    signals.arrive(FakeSignals.HUP);
    signals.arrive(FakeSignals.HUP);
    process.assertAlive();
    signals.arrive(FakeSignals.HUP);

    assertThat(process.awaitEnd()).isEqualTo("halt 129");
  }

  @Test
  @Tag("D13")
  void hookBeforeTheHaltHasOneSecond() throws Exception {
    builder().beforeHalt(this::hangInHook).install();
    for (int i = 0; i < 3; i++) {
      signals.arrive(FakeSignals.TERM);
    }
    hung.await();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(SECOND.minusNanos(1));
    process.assertAlive();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(Duration.ofNanos(1));

    assertThat(process.awaitEnd()).isEqualTo("halt 143");
  }

  @Test
  @Tag("D13")
  void fourthSignalDoesNotWaitForTheHook() throws Exception {
    builder().beforeHalt(this::hangInHook).install();
    for (int i = 0; i < 3; i++) {
      signals.arrive(FakeSignals.TERM);
    }
    hung.await();
    process.assertAlive();
    signals.arrive(FakeSignals.TERM);

    assertThat(process.awaitEnd()).isEqualTo("halt 143");
  }

  @Test
  @Tag("D17")
  void closingDuringTheExitLeavesTheHandlersUntilTheProcessHasEnded() throws Exception {
    Lifecycle lifecycle = builder().exitWhenStopped(SECOND, report -> hangInHook()).install();
    lifecycle.stop();
    hung.await();
    lifecycle.close();

    assertThat(signals.listenedTo()).hasSize(3);
    process.assertAlive();
    Awaitility.await().until(() -> worker.state() == WorkerState.STOPPED);
  }
}
