package io.headgate.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MomentTest {

  @Test
  void equationAndWhatCallersWereToldAreHeldAgainstTheLedger() {
    assertThat(new Moment(10, 10, 4, 3, 1, 1, 1, 5).faults("now")).isEmpty();
    assertThat(new Moment(10, 10, 4, 3, 1, 1, 0, 5).faults("now")).hasSize(1);
    assertThat(new Moment(11, 10, 4, 3, 1, 1, 1, 5).faults("now")).hasSize(1);
  }
}
