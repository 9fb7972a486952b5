package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What probes are told in each state. */
@Tag("V1")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HealthTest {

  private static final Duration HANG = Duration.ofSeconds(30);

  private final FakeSignals signals = new FakeSignals();
  private final ManualTicker ticker = ManualTicker.create();
  private final HandlerGate<String> gate = HandlerGate.closed();
  private final Worker<String> first = worker("first");
  private final Worker<String> second = worker("second");
  private final Lifecycle lifecycle =
      Lifecycle.builder()
          .worker(first)
          .worker(second)
          .ticker(ticker)
          .in(signals, new FakeProcess())
          .install();
  private final Health health = lifecycle.health();

  private Worker<String> worker(String name) {
    return Worker.<String>builder(name)
        .concurrency(1)
        .capacity(1)
        .ticker(ticker)
        .start(gate.handler());
  }

  @AfterEach
  void leaveNothingBehind() throws InterruptedException {
    gate.open();
    lifecycle.close();
    first.abort();
    second.abort();
  }

  private void assertHealth(boolean started, Readiness readiness) {
    assertThat(health.isStarted()).isEqualTo(started);
    assertThat(health.readiness()).isEqualTo(readiness);
    assertThat(health.isReady()).isEqualTo(readiness == Readiness.READY);
    assertThat(health.isLive()).isTrue();
  }

  private void fill() throws InterruptedException {
    int jobs = 0;
    while (first.offer(Job.of("job" + jobs, "")).isAccepted()) {
      jobs++;
    }
    assertThat(jobs).isEqualTo(2);
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
  }

  @Test
  void notReadyBeforeStartUpIsOver() {
    assertHealth(false, Readiness.STARTING);
    lifecycle.started();
    assertHealth(true, Readiness.READY);
  }

  @Test
  void signalDuringStartUpWinsOverItsEnd() {
    signals.arrive(FakeSignals.TERM);
    assertHealth(false, Readiness.STOPPING);
    lifecycle.started();
    assertHealth(true, Readiness.STOPPING);
  }

  @Test
  void notReadyWhileAnyWorkerIsPaused() {
    lifecycle.started();
    second.pause();
    assertHealth(true, Readiness.PAUSED);
    second.pause();
    second.resume();
    assertHealth(true, Readiness.READY);
  }

  @Test
  void fullAndOverloadedIsReady() throws InterruptedException {
    lifecycle.started();
    fill();
    for (int i = 0; i < 100; i++) {
      assertThat(first.offer(Job.of("more" + i, "")).isAccepted()).isFalse();
    }
    assertHealth(true, Readiness.READY);
  }

  @Test
  void notReadyFromTheVeryArrivalOfASignal() throws InterruptedException {
    lifecycle.started();
    fill();
    signals.arrive(FakeSignals.INT);
    assertHealth(true, Readiness.STOPPING);
  }

  @Test
  void notReadyFromTheCallOfStopUntilTheEnd() throws InterruptedException {
    lifecycle.started();
    lifecycle.stop();
    assertHealth(true, Readiness.STOPPING);
    lifecycle.awaitStop();
    lifecycle.close();
    assertHealth(true, Readiness.STOPPING);
  }

  @Test
  void notReadyFromTheStateChangeOfAnyWorker() {
    lifecycle.started();
    second.stopAdmission();
    assertHealth(true, Readiness.STOPPING);
  }

  @Test
  void stopWinsOverPause() {
    lifecycle.started();
    first.pause();
    second.stopAdmission();
    assertHealth(true, Readiness.STOPPING);
  }

  @Test
  void notLiveWhenAControlThreadHasNotBeatenFor30Seconds() throws InterruptedException {
    CountDownLatch blocked = new CountDownLatch(1);
    BeatlessTicker beatless = new BeatlessTicker(blocked);
    Worker<String> dead =
        Worker.<String>builder("dead")
            .concurrency(1)
            .timeout(Duration.ofHours(1))
            .ticker(beatless)
            .start(gate.handler());
    lifecycle.add(dead);
    assertThat(health.isLive()).as("an idle worker has no control thread").isTrue();
    dead.offer(Job.of("timed", ""));
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    beatless.awaitParked();
    beatless.now = Duration.ofSeconds(30).toNanos() - 1;
    assertThat(health.isLive()).isTrue();
    beatless.now = Duration.ofSeconds(30).toNanos();
    assertThat(health.isLive()).isFalse();
    blocked.countDown();
    gate.open();
    dead.close();
  }
}
