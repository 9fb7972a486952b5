package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static io.headgate.WaitingProducer.FOR_EVER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Less concurrency while some of the crew has nothing to do. */
@SuppressWarnings("ThreadPriorityCheck") // yields only make interleavings likelier
@Tag("CASE-14")
@Timeout(60)
class ShrinkResizeTest {

  @Test
  @Tag("B1")
  void idleWorkerShrinksAndGrows() throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("idle").concurrency(4).start((job, context) -> {})) {
      worker.setConcurrency(1);
      worker.setConcurrency(3);
      worker.setConcurrency(2);
      worker.offer(Job.of("a", ""));
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isOne();
    }
  }

  @Test
  @Tag("B1")
  @Tag("B5")
  void limitsThatChangeUnderLoadLoseNeitherJobsNorPlaces() throws Exception {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    System.out.println("ResizeTest: -Dheadgate.seed=" + seed);
    Random random = new Random(seed);
    AtomicInteger inHandlers = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicLong accepted = new AtomicLong();
    try (Worker<String> worker =
        Worker.<String>builder("resize")
            .concurrency(4)
            .capacity(4)
            .history(0)
            .start(
                (job, context) -> {
                  most.accumulateAndGet(inHandlers.incrementAndGet(), Math::max);
                  Thread.yield();
                  inHandlers.decrementAndGet();
                })) {
      Thread[] producers = new Thread[4];
      for (int p = 0; p < producers.length; p++) {
        String name = "p" + p + "-";
        producers[p] =
            Thread.startVirtualThread(
                () -> {
                  try {
                    for (int i = 0; i < 3_000; i++) {
                      if (worker.offer(Job.of(name + i, ""), FOR_EVER).isAccepted()) {
                        accepted.incrementAndGet();
                      }
                    }
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
      }
      while (Arrays.stream(producers).anyMatch(Thread::isAlive)) {
        worker.setConcurrency(1 + random.nextInt(8));
        worker.setCapacity(random.nextInt(8));
        LedgerAssert.assertBalanced(worker.report());
      }
      assertThat(accepted).as("seed %d", seed).hasValue(12_000);
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(12_000);
      assertThat(most.get()).isLessThanOrEqualTo(8);
      // The last limits hold exactly.
      worker.setConcurrency(2);
      worker.setCapacity(1);
      worker.pause();
      for (int i = 0; i < 3; i++) {
        assertThat(worker.offer(Job.of("last-" + i, "")).isAccepted()).isTrue();
      }
      assertThat(worker.offer(Job.of("over", ""))).is(refusedFor(Reason.FULL));
      worker.resume();
      LedgerAssert.awaitSettled(worker);
    }
  }
}
