package io.headgate.benchmarks.regimes;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.benchmarks.measure.NoiseFloor;
import org.junit.jupiter.api.Test;

class MarkTest {

  private final NoiseFloor noise = new NoiseFloor(0.1);

  @Test
  void moreWorkersHelpLoseOrMoveTheQueue() {
    assertThat(Mark.of(1.9, 1.0, noise)).isEqualTo(Mark.HELPS);
    assertThat(Mark.of(0.8, 3.0, noise)).isEqualTo(Mark.LOSES);
    assertThat(Mark.of(1.0, 2.0, noise)).isEqualTo(Mark.MOVES);
    assertThat(Mark.of(1.05, 1.05, noise)).isEqualTo(Mark.NONE);
  }
}
