package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time that passes in the weigher is time since the call. */
@Timeout(60)
class WeighedTimeToLiveTest {

  @Test
  @Tag("T4")
  void timeToLiveCountsFromTheCallAndNotFromTheEndOfWeighing() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("slow-weigher")
            .concurrency(1)
            .capacity(1)
            .capacityBytes(
                10,
                weight -> {
                  ticker.advance(Duration.ofSeconds(2));
                  return weight;
                })
            .ticker(ticker)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      assertThat(worker.offer(Job.of("a", 1L).timeToLive(Duration.ofSeconds(1))))
          .isEqualTo(Admission.refused(Reason.EXPIRED));
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }
}
