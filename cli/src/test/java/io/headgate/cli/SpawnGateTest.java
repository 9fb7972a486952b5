package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpawnGateTest {
  @Test
  void onceClosedNobodyEnters() {
    SpawnGate gate = new SpawnGate();
    assertThat(gate.enter()).isTrue();
    gate.leave();
    gate.closeAndKill();
    assertThat(gate.enter()).isFalse();
  }

  @Test
  void closingWaitsForAStartUnderWay() throws Exception {
    SpawnGate gate = new SpawnGate();
    assertThat(gate.enter()).isTrue();
    CompletableFuture<Void> closing = Beside.run(gate::closeAndKill);
    while (gate.enter()) {
      gate.leave();
      Thread.onSpinWait();
    }
    assertThat(closing).isNotDone();
    gate.leave();
    closing.get(10, TimeUnit.SECONDS);
  }

  /** Slots that start endless children as fast as they can race the closing of the gate. */
  @RepeatedTest(5)
  @Tag("CASE-23")
  void closingLeavesNoChildAliveHoweverManyAreStarting() throws Exception {
    SpawnGate gate = new SpawnGate();
    ConcurrentLinkedQueue<Integer> started = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Thread thread = new Thread(() -> startUntilClosed(gate, started));
      threads.add(thread);
      thread.start();
    }
    while (started.size() < 6) {
      Thread.onSpinWait();
    }
    gate.closeAndKill();
    for (Thread thread : threads) {
      thread.join();
    }
    Groups.awaitGone(List.copyOf(started));
    // Reaped here, as the process that would halt now goes on in a test.
    Posix posix = new Posix();
    for (int pid : started) {
      assertThat(posix.waitFor(pid, Posix.WEXITED)).isEqualTo(new Ending.Killed(Posix.SIGKILL));
    }
  }

  private static void startUntilClosed(SpawnGate gate, ConcurrentLinkedQueue<Integer> started) {
    Posix posix = new Posix();
    Spawner spawner = new Spawner(posix);
    Arguments arguments =
        new Arguments(new CommandTemplate(List.of("sleep".getBytes(StandardCharsets.UTF_8))));
    long vector = arguments.fill(Items.of("1000".getBytes(StandardCharsets.UTF_8)));
    while (gate.enter()) {
      try {
        int pid = spawner.spawn(arguments.name(), vector);
        assertThat(pid).isPositive();
        gate.started(pid);
        started.add(pid);
        posix.close(spawner.outFd());
        posix.close(spawner.errFd());
      } finally {
        gate.leave();
      }
      if (started.size() > 60) {
        return;
      }
    }
  }
}
