package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit as a function of samples and time. */
final class AimdTest {

  private static final long MILLI = 1_000_000;

  private long now = Long.MAX_VALUE - 50 * MILLI;
  private final LimitAlgorithm aimd =
      new Aimd(AdaptiveConcurrency.aimd(Duration.ofMillis(100)).initial(10).floor(4).max(20));

  @Test
  @Tag("CASE-38")
  void limitGrowsByOneForEachRoundThatUsedIt() {
    round(9, 10, false);
    assertThat(aimd.limit()).isEqualTo(10);
    round(1, 10, false);
    assertThat(aimd.limit()).isEqualTo(11);
    for (int i = 0; i < 1_000; i++) {
      round(1, aimd.limit(), false);
    }
    assertThat(aimd.limit()).isEqualTo(20);
  }

  @Test
  @Tag("CASE-38")
  void limitDoesNotGrowWithoutDemand() {
    for (int i = 0; i < 10_000; i++) {
      round(1, 9, false);
    }
    assertThat(aimd.limit()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000, 99 * MILLI})
  @Tag("CASE-38")
  void everyDropThatSaysSomethingNewCountsHoweverFast(long rtt) {
    for (int i = 0; i < 3; i++) {
      now += 100 * MILLI;
      aimd.onSample(rtt, 1, true, now);
    }
    assertThat(aimd.limit()).as("10 * 0.9 * 0.9 * 0.9").isEqualTo(7);
  }

  @Test
  @Tag("CASE-38")
  void dropsOfOneRoundLowerTheLimitOnce() {
    now += 100 * MILLI;
    for (int i = 0; i < 10; i++) {
      aimd.onSample(50 * MILLI, 10, true, now + i * MILLI);
    }
    assertThat(aimd.limit()).isEqualTo(9);
  }

  @Test
  @Tag("CASE-38")
  void latencyAboveTheCeilingLowersItDownToTheFloor() {
    beSlow();
    assertThat(aimd.limit()).isEqualTo(4);
  }

  @Test
  @Tag("CASE-38")
  void limitRecoversFromTheFloorByItself() {
    beSlow();
    for (int i = 0; i < 1_000; i++) {
      round(1, aimd.limit(), false);
    }
    assertThat(aimd.limit()).isEqualTo(20);
  }

  private void beSlow() {
    for (int i = 0; i < 100; i++) {
      now += 200 * MILLI;
      aimd.onSample(101 * MILLI, 1, false, now);
    }
  }

  private void round(int calls, int inflight, boolean dropped) {
    for (int i = 0; i < calls; i++) {
      now += MILLI;
      aimd.onSample(10 * MILLI, inflight, dropped, now);
    }
  }
}
