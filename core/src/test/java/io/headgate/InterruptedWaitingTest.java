package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static io.headgate.WaitingProducer.FOR_EVER;
import static io.headgate.WaitingProducer.awaitWaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Interrupts and timeouts of waiting producers, also at the very moment of their wake-up. */
@SuppressWarnings("ThreadPriorityCheck") // yields only make interleavings likelier
@Timeout(120)
class InterruptedWaitingTest {

  @Test
  @Tag("A8")
  @Tag("CASE-13")
  void interruptedProducerThrowsAndLeavesNothingBehind() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("interrupt")
            .concurrency(1)
            .capacity(0)
            .capacityBytes(100, weight -> weight)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      worker.offer(Job.of("holder", 1L));
      WaitingProducer producer = WaitingProducer.offering(worker, Job.of("w", 7L), FOR_EVER);
      awaitWaiting(worker, 1);
      producer.interrupt();
      assertThat(producer.endsInterrupted()).isTrue();
      Report report = worker.report();
      assertThat(report.waitingProducers()).isZero();
      assertThat(report.waitingProducerBytes()).isZero();
      assertThat(report.accepted()).isOne();
      assertThat(report.refused()).as("an interrupt is not a refusal").isEmpty();
      gate.pass(1);
      LedgerAssert.awaitSettled(worker);
      assertThat(worker.offer(Job.of("w", 7L)).isAccepted()).as("the id is free").isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A8")
  @Tag("CASE-13")
  void callThatNeedNotWaitLeavesTheFlagAlone() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(1, 0, gate)) {
      Thread.currentThread().interrupt();
      assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("b", ""))).is(refusedFor(Reason.FULL));
      assertThat(worker.offer(Job.of("b", ""), Duration.ZERO)).is(refusedFor(Reason.FULL));
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      // A wait does begin here, so the interrupt ends it and takes the flag.
      assertThatThrownBy(() -> worker.offer(Job.of("b", ""), FOR_EVER))
          .isInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).isFalse();
      assertThat(worker.report().waitingProducers()).isZero();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isOne();
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  @Tag("A8")
  void interruptAfterAcceptanceRetractsNothing() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(1, 1, gate)) {
      Thread producer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    worker.offer(Job.of("a", ""));
                    worker.offer(Job.of("b", ""));
                    Thread.currentThread().interrupt();
                  });
      assertThat(producer.join(LedgerAssert.HANG)).isTrue();
      gate.open();
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.completed()).isEqualTo(2);
      assertThat(report.interrupted()).isZero();
    }
  }

  @Test
  @Tag("A8")
  @Tag("CASE-1")
  void interruptAtTheMomentOfTheWakeUpEitherAcceptsOrPassesItOn() throws Exception {
    int rounds = 4_000;
    int thrown = 0;
    long accepted = 1;
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(1, 1, gate);
        Together together = new Together()) {
      worker.offer(Job.of("holder", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      for (int i = 0; i < rounds; i++) {
        String old = "old-" + i;
        assertThat(worker.offer(Job.of(old, "")).isAccepted()).as("capacity is whole").isTrue();
        WaitingProducer first =
            WaitingProducer.offering(worker, Job.of("first-" + i, ""), FOR_EVER);
        spinUntilWaiting(worker, 1);
        WaitingProducer second =
            WaitingProducer.offering(worker, Job.of("second-" + i, ""), FOR_EVER);
        spinUntilWaiting(worker, 2);
        together.run(() -> worker.cancel(old), first::interrupt);
        accepted += 3;
        boolean interrupted = first.endsInterrupted();
        if (interrupted) {
          thrown++;
          accepted--;
          // It swallowed no wake-up: the second gets in without another release.
        } else {
          assertThat(first.answer().isAccepted()).isTrue();
          assertThat(worker.cancel("first-" + i)).isEqualTo(CancelResult.UNSTARTED);
        }
        assertThat(second.answer().isAccepted()).isTrue();
        assertThat(worker.report().accepted()).isEqualTo(accepted);
        assertThat(worker.offer(Job.of("x", ""))).is(refusedFor(Reason.FULL));
        assertThat(worker.cancel("second-" + i)).isEqualTo(CancelResult.UNSTARTED);
      }
      assertThat(thrown).as("of %d interrupts", rounds).isPositive();
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted()).isEqualTo(accepted);
    }
  }

  @Test
  @Tag("A3")
  @Tag("A8")
  @Tag("CASE-1")
  void fullCapacityIsThereAfterTenThousandMixedTimeoutsAndInterrupts() throws Exception {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    String seedNote = "headgate.seed=" + seed;
    System.out.println("InterruptedWaitingTest: -D" + seedNote);
    HandlerGate<String> gate = HandlerGate.closed();
    AtomicLong accepted = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    AtomicLong interrupted = new AtomicLong();
    int producers = 8;
    int each = 1_250;
    try (Worker<String> worker = worker(1, 1, gate)) {
      worker.offer(Job.of("holder", ""));
      List<Thread> threads = new ArrayList<>();
      for (int p = 0; p < producers; p++) {
        Random random = new Random(seed + p);
        String name = "p" + p + "-";
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < each; i++) {
                        String id = name + i;
                        try {
                          Duration patience = Duration.ofNanos(1 + random.nextInt(60_000));
                          if (worker.offer(Job.of(id, ""), patience).isAccepted()) {
                            accepted.incrementAndGet();
                            // The others get to wait while the place is held.
                            for (int held = random.nextInt(4); held > 0; held--) {
                              Thread.yield();
                            }
                            worker.cancel(id);
                          } else {
                            refused.incrementAndGet();
                          }
                        } catch (InterruptedException e) {
                          interrupted.incrementAndGet();
                        }
                      }
                    }));
      }
      Random random = new Random(~seed);
      while (threads.stream().anyMatch(Thread::isAlive)) {
        threads.get(random.nextInt(producers)).interrupt();
        Thread.yield();
      }
      assertThat(accepted.get() + refused.get() + interrupted.get())
          .as(seedNote)
          .isEqualTo((long) producers * each);
      assertThat(interrupted.get()).as(seedNote).isPositive();
      assertThat(refused.get()).as(seedNote).isPositive();
      Report report = LedgerAssert.assertBalanced(worker.report());
      assertThat(report.waitingProducers()).as(seedNote).isZero();
      assertThat(report.accepted()).as(seedNote).isEqualTo(1 + accepted.get());
      assertThat(report.unfinished()).as(seedNote).isOne();
      assertThat(worker.offer(Job.of("one", "")).isAccepted()).as(seedNote).isTrue();
      assertThat(worker.offer(Job.of("two", ""))).is(refusedFor(Reason.FULL));
      // And a wait on it still ends with a place.
      WaitingProducer last = WaitingProducer.offering(worker, Job.of("last", ""), FOR_EVER);
      awaitWaiting(worker, 1);
      gate.pass(1);
      assertThat(last.answer().isAccepted()).as(seedNote).isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  private static void spinUntilWaiting(Worker<?> worker, int count) {
    long deadline = System.nanoTime() + LedgerAssert.HANG.toNanos();
    while (worker.report().waitingProducers() != count) {
      assertThat(System.nanoTime() - deadline).as("%d wait", count).isNegative();
      Thread.onSpinWait();
    }
  }

  private static Worker<String> worker(int concurrency, int capacity, HandlerGate<String> gate) {
    return Worker.<String>builder("waiting")
        .concurrency(concurrency)
        .capacity(capacity)
        .history(0)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }

  /** Runs two actions at the same moment, one on a thread kept for it. */
  private static final class Together implements AutoCloseable {
    private final Phaser phaser = new Phaser(2);
    private volatile Runnable action = () -> {};
    private final Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  while (phaser.arriveAndAwaitAdvance() >= 0) {
                    action.run();
                    phaser.arriveAndAwaitAdvance();
                  }
                });

    void run(Runnable here, Runnable there) {
      action = there;
      phaser.arriveAndAwaitAdvance();
      here.run();
      phaser.arriveAndAwaitAdvance();
    }

    @Override
    public void close() {
      phaser.forceTermination();
      boolean interrupted = false;
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
