package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StopLadderTest {
  private final BlockingQueue<String> steps = new LinkedBlockingQueue<>();
  private final CountDownLatch stopIsOver = new CountDownLatch(1);
  private final StopLadder ladder = new StopLadder(code -> steps.add("halt " + code));

  /** Its stops block until the test is over, as real ones do until the work is. */
  private final class Target implements StopLadder.Target {
    @Override
    public void stopAdmission() {
      steps.add("stop admission");
    }

    @Override
    public void drain(Duration grace) throws InterruptedException {
      steps.add(grace.isZero() ? "drain at once" : "drain");
      stopIsOver.await();
    }

    @Override
    public void abort(Duration grace) throws InterruptedException {
      steps.add(grace.isZero() ? "cancel" : "give up");
      stopIsOver.await();
    }

    @Override
    public void kill() {
      steps.add("kill");
    }
  }

  @AfterEach
  void end() {
    // The third signal ends the ladder's thread.
    for (int i = 0; i < 3; i++) {
      ladder.signal("TERM");
    }
    stopIsOver.countDown();
  }

  private void attach(Duration grace) {
    ladder.attach(new Target(), grace);
  }

  private String next() throws InterruptedException {
    return steps.poll(20, TimeUnit.SECONDS);
  }

  @Test
  @Tag("D13")
  @Tag("CASE-18")
  @Tag("CASE-21")
  void eachSignalIsAStepThoughTheStopBefore() throws InterruptedException {
    ladder.start();
    attach(Duration.ofMinutes(1));
    ladder.signal("TERM");
    assertThat(next()).isEqualTo("stop admission");
    assertThat(next()).isEqualTo("drain");
    ladder.signal("INT");
    assertThat(next()).isEqualTo("stop admission");
    assertThat(next()).isEqualTo("cancel");
    ladder.signal("HUP");
    assertThat(next()).isEqualTo("kill");
    assertThat(next()).isEqualTo("halt 143");
  }

  @Test
  void aThirdThatIsIntHaltsWithItsCode() throws InterruptedException {
    ladder.start();
    attach(Duration.ofMinutes(1));
    ladder.signal("TERM");
    ladder.signal("TERM");
    ladder.signal("INT");
    String step = next();
    while (!step.startsWith("halt")) {
      step = next();
    }
    assertThat(step).isEqualTo("halt 130");
  }

  @Test
  @Tag("CASE-26")
  void aSignalBeforeThereIsAnythingToStopIsKept() throws InterruptedException {
    ladder.start();
    ladder.signal("TERM");
    assertThat(ladder.isStopping()).isTrue();
    attach(Duration.ofMinutes(1));
    assertThat(next()).isEqualTo("stop admission");
    assertThat(next()).isEqualTo("drain");
  }

  @Test
  void threeSignalsHaltThoughThereIsNothingToStop() throws InterruptedException {
    ladder.start();
    ladder.signal("TERM");
    ladder.signal("TERM");
    ladder.signal("TERM");
    assertThat(next()).isEqualTo("halt 143");
  }

  @Test
  void theGraceCountsFromTheArrivalOfTheSignal() throws InterruptedException {
    ladder.signal("TERM");
    attach(Duration.ofNanos(1));
    ladder.start();
    assertThat(next()).isEqualTo("stop admission");
    assertThat(next()).isEqualTo("drain at once");
  }

  @Test
  void aFailureGivesUpWhatWaits() throws InterruptedException {
    ladder.start();
    attach(Duration.ofMinutes(1));
    ladder.fail();
    assertThat(next()).isEqualTo("stop admission");
    assertThat(next()).isEqualTo("give up");
    ladder.fail();
    ladder.signal("TERM");
    assertThat(next()).isEqualTo("stop admission");
    // A drain would let what was given up go on until the abort is there.
    assertThat(next()).isEqualTo("give up");
  }

  @Test
  void aStopEndsTheWaitForTheEndAndLeavesNoInterruptBehind() throws Exception {
    ladder.start();
    attach(Duration.ofMinutes(1));
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch waits = new CountDownLatch(1);
    CompletableFuture<Boolean> interruptedAfterwards =
        Beside.supply(
            () -> {
              ladder.awaitUnlessStopping(
                  () -> {
                    waits.countDown();
                    never.await();
                  });
              return Thread.interrupted();
            });
    assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
    ladder.signal("TERM");
    assertThat(interruptedAfterwards.get(10, TimeUnit.SECONDS)).isFalse();
    assertThat(never.getCount()).isOne();
  }

  @Test
  void afterAStopNobodyWaitsForTheEnd() {
    ladder.signal("TERM");
    ladder.awaitUnlessStopping(
        () -> {
          throw new IllegalStateException("must not wait");
        });
    assertThat(ladder.signals()).isOne();
  }
}
