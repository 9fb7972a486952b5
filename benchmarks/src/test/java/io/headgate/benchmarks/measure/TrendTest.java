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
      leaking[i] = 1e6 + 1e4 * i + (i % 2 == 0 ? 5e3 : -5e3);
    }
    Trend trend = Trend.of(leaking);
    assertThat(trend.growth()).isBetween(1.8e5, 2e5);
    assertThat(trend.isFlat()).isFalse();
  }

  @Test
  void twoSamplesAreNoTrend() {
    assertThatThrownBy(() -> Trend.of(1, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}
