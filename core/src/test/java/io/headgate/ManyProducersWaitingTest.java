package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Far more producers with patience than may wait. */
@Tag("A9")
@Tag("CASE-5")
@Timeout(300)
class ManyProducersWaitingTest {

  private static final int AT_ONCE = 2_000;

  @Test
  void ofAHundredThousandPatientProducersSixtyFourWait() throws Exception {
    offerFromMany(100_000);
  }

  @Test
  @Tag("long")
  void ofAMillionPatientProducersSixtyFourWait() throws Exception {
    offerFromMany(1_000_000);
  }

  private static void offerFromMany(int producers) throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    AtomicInteger accepted = new AtomicInteger();
    ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    Semaphore threads = new Semaphore(AT_ONCE);
    try (Worker<String> worker =
        Worker.<String>builder("crowd")
            .concurrency(1)
            .capacity(1)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      worker.offer(Job.of("running", ""));
      worker.offer(Job.of("waiting", ""));
      long before = usedHeap();
      for (int i = 0; i < producers; i++) {
        String id = "w" + i;
        threads.acquire();
        Thread.startVirtualThread(
            () -> {
              try {
                Admission answer = worker.offer(Job.of(id, ""), WaitingProducer.FOR_EVER);
                if (answer.isAccepted()) {
                  accepted.incrementAndGet();
                } else if (!refusedFor(Reason.TOO_MANY_WAITERS).matches(answer)) {
                  throw new AssertionError(answer);
                }
              } catch (Throwable t) {
                faults.add(t);
              } finally {
                threads.release();
              }
            });
      }
      // All but those that wait have their answer.
      threads.acquire(AT_ONCE - 64);
      Report report = LedgerAssert.assertBalanced(worker.report());
      assertThat(report.waitingProducers()).isEqualTo(64);
      assertThat(report.refused())
          .containsOnly(Map.entry(Reason.TOO_MANY_WAITERS, producers - 64L));
      assertThat(report.accepted()).isEqualTo(2);
      assertThat(usedHeap() - before).as("heap taken by the crowd").isLessThan(16L << 20);
      gate.open();
      threads.acquire(64);
      assertThat(accepted).hasValue(64);
      assertThat(faults).isEmpty();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(66);
    }
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
