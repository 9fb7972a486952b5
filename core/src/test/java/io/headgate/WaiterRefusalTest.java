package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headgate.testing.HandlerGate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the refusal of a producer costs that would have waited. */
@SuppressWarnings("ReferenceEquality") // one shared value is what is claimed
@Timeout(60)
class WaiterRefusalTest {

  @Test
  @Tag("A11")
  @Tag("CASE-12")
  void refusalOfOneWaiterTooManyAllocatesNothing() throws Exception {
    Duration patience = Duration.ofHours(1);
    HandlerGate<String> gate = HandlerGate.closed();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Worker<String> worker =
        Worker.<String>builder("full")
            .concurrency(1)
            .capacity(0)
            .maxWaitingProducers(0)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      assertThat(worker.offer(Job.of("holder", "")).isAccepted()).isTrue();
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      Job<String> late = Job.of("late", "");
      long best = Long.MAX_VALUE;
      for (int round = 0; round < 20 && best > 0; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        boolean same = true;
        for (int i = 0; i < 2_000; i++) {
          same &=
              worker.offer(late, patience) instanceof Admission.Refused refused
                  && refused.reason() == Reason.TOO_MANY_WAITERS;
        }
        best = Math.min(best, threads.getCurrentThreadAllocatedBytes() - before);
        assertThat(same).isTrue();
      }
      assertThat(best).as("bytes allocated by 2,000 refusals").isZero();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }
}
