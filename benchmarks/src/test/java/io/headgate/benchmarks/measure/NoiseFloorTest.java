package io.headgate.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.benchmarks.measure.NoiseFloor.Verdict;
import org.junit.jupiter.api.Test;

class NoiseFloorTest {

  @Test
  void floorIsTheLargestDistanceInEitherDirection() {
    assertThat(NoiseFloor.of(Spread.of(0.95, 1.0, 1.1)).share()).isCloseTo(0.1, within());
    // Half as fast is as far from one as twice as fast.
    assertThat(NoiseFloor.of(Spread.of(0.5, 1.0, 1.1)).share()).isCloseTo(1.0, within());
  }

  @Test
  void differenceWithinTheFloorIsCalledNone() {
    NoiseFloor floor = new NoiseFloor(0.1);
    assertThat(floor.judge(1.09)).isEqualTo(Verdict.NONE);
    assertThat(floor.judge(0.92)).isEqualTo(Verdict.NONE);
    assertThat(floor.judge(1.11)).isEqualTo(Verdict.AHEAD);
    assertThat(floor.judge(0.90)).isEqualTo(Verdict.BEHIND);
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(1e-9);
  }
}
