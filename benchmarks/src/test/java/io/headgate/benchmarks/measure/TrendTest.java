package io.headgate.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TrendTest {

  @Test
  void slopeWithinTheStrayIsFlat() {
    assertThat(Trend.of(100, 104, 98, 103, 99, 102).isFlat()).isTrue();
    assertThat(Trend.of(100, 100, 100).isFlat()).isTrue();
    assertThat(Trend.of(104, 103, 102, 101).isFlat()).as("less is no growth").isTrue();
  }

  @Test
  void leakIsSeenThroughTheStray() {
    double[] leaking = new double[20];
    for (int i = 0; i < leaking.length; i++) {
      leaking[i] = 1_000 + 10 * i + (i % 2 == 0 ? 5 : -5);
    }
    Trend trend = Trend.of(leaking);
    assertThat(trend.growth()).isBetween(180.0, 200.0);
    assertThat(trend.isFlat()).isFalse();
  }

  @Test
  void twoSamplesAreNoTrend() {
    assertThatThrownBy(() -> Trend.of(1, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}
