package io.headgate.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.WorkerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Signals, stops, additions and closings that race. It claims that each call comes back, that a
 * stop that was asked for ends with every worker stopped, and that no thread is left; not that all
 * interleavings were met.
 */
final class LifecycleStress {

  private static final int ROUNDS = 300;
  private static final String SEED = "headgate.lifecycle.seed";

  private interface Act {
    void run() throws Exception;
  }

  @Test
  @Tag("D9")
  @Tag("D12")
  @Tag("D17")
  void racingStopsAndClosingsLeaveNothingBehind() throws Exception {
    long seed = Long.getLong(SEED, System.nanoTime());
    System.out.println("-D" + SEED + "=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      race(random);
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> LifecycleThreads.alive().isEmpty());
  }

  private static void race(Random random) throws Exception {
    FakeSignals signals = new FakeSignals();
    FakeProcess process = new FakeProcess();
    Worker<String> first = worker("first");
    Worker<String> second = worker("second");
    Lifecycle lifecycle = Lifecycle.builder().worker(first).in(signals, process).install();
    IntPredicate term = signals.underWay(FakeSignals.TERM);
    IntPredicate hup = signals.underWay(FakeSignals.HUP);

    List<Act> acts =
        new ArrayList<>(
            List.of(
                () -> taken(lifecycle, term, FakeSignals.TERM),
                () -> taken(lifecycle, hup, FakeSignals.HUP),
                () -> orClosed(lifecycle::stop),
                () -> orClosed(lifecycle::abort),
                () -> orClosed(() -> lifecycle.add(second)),
                () -> first.offer(Job.of("a", "")),
                () -> second.offer(Job.of("b", "")),
                () -> orClosed(lifecycle::awaitStop),
                lifecycle::close));
    Collections.shuffle(acts, random);
    List<Act> chosen = new ArrayList<>(acts.subList(0, 2 + random.nextInt(4)));
    CyclicBarrier together = new CyclicBarrier(chosen.size());
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (Act act : chosen) {
      FutureTask<Boolean> task =
          new FutureTask<>(
              () -> {
                together.await();
                act.run();
                return true;
              });
      tasks.add(task);
      Thread.ofPlatform().daemon().start(task);
    }
    boolean stopping = lifecycle.isStopping();
    lifecycle.close();
    for (FutureTask<Boolean> task : tasks) {
      assertThat(task.get(30, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(signals.listenedTo()).isEmpty();
    if (stopping) {
      assertThat(lifecycle.awaitStop().workers()).isNotEmpty();
      assertThat(first.state()).isEqualTo(WorkerState.STOPPED);
    }
    process.assertAlive();
    first.close();
    second.close();
  }

  /** A signal that was taken stops; one that was not comes after the closing. */
  private static void taken(Lifecycle lifecycle, IntPredicate arrival, int number) {
    if (arrival.test(number)) {
      assertThat(lifecycle.isStopping()).isTrue();
    }
  }

  private static Worker<String> worker(String name) {
    return Worker.<String>builder(name).concurrency(1).start((job, context) -> {});
  }

  /** Whether a call came before or after the closing is what races. */
  private static void orClosed(Act act) throws Exception {
    try {
      act.run();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageMatching(".*clos.*");
    }
  }
}
