package io.headgate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Criticality;
import io.headgate.testing.ManualTicker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the programs of docs/limits.md. */
@Timeout(60)
final class LimitsTest {

  @Test
  void burstStartsAtOnceAndTheNextIsToldWhen() throws InterruptedException {
    assertThat(Limits.rate(ManualTicker.create()))
        .containsExactly("started", "started", "started", "started", "started", "RATE, in PT0.1S");
  }

  @Test
  void dependencyThatRefusesIsSpared() {
    assertThat(Limits.throttled()).isEqualTo("spared");
  }

  @Test
  void callIsMadeWithinTheBudget() throws Exception {
    assertThat(Limits.downstream()).isEqualTo("paid");
    assertThat(Limits.adaptive().report().concurrency()).isEqualTo(20);
  }

  @Test
  void leastCriticalWorkIsRefusedFirst() {
    assertThat(Limits.refuses(Criticality.SHEDDABLE, 1.05)).isTrue();
    assertThat(Limits.refuses(Criticality.CRITICAL, 1.05)).isFalse();
  }
}
