package io.headgate.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void medianIsTheMiddleOrBetweenTheTwoMiddles() {
    assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(2, 1, 3, 3));
    assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(2.5, 1, 4, 4));
    assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7, 1));
  }

  @Test
  void oneWildSampleMovesTheRangeAndNotTheMedian() {
    assertThat(Spread.of(10, 11, 12, 13, 1_000).median()).isEqualTo(12);
  }

  @Test
  void ratiosAreTakenPairByPair() {
    // Both halve in the second moment: no pair differs, though the medians of other pairings would.
    Spread ratio = Spread.ofPairs(new double[] {10, 5, 10}, new double[] {5, 2.5, 5});
    assertThat(ratio).isEqualTo(new Spread(2, 2, 2, 3));
    assertThatThrownBy(() -> Spread.ofPairs(new double[] {1}, new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void noSampleAndNoNumberAreRefused() {
    assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Spread.of(1, 0.0 / 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void textHasMedianAndRangeInTheUnit() {
    assertThat(Spread.of(1_500_000, 1_000_000, 2_000_000).text(1, 1e6)).isEqualTo("1.5 (1.0–2.0)");
  }
}
