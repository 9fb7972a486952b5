package io.headgate.benchmarks.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.benchmarks.measure.Answers;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BudgetTest {

  @Test
  void garbageMayTakeFortyBytes() {
    assertThat(Budget.garbage(40)).isEmpty();
    assertThat(Budget.garbage(40.1)).isPresent();
  }

  @Test
  void refusalMayAllocateNothing() {
    assertThat(Budget.refusal("FULL", 0)).isEmpty();
    assertThat(Budget.refusal("FULL", 0.01)).as("what a thread allocates once").isEmpty();
    assertThat(Budget.refusal("FULL", 16)).get().asString().contains("FULL allocates 16.0 B");
  }

  @Test
  void retainedBytesMayGrowByFivePercent() {
    assertThat(Budget.retained("cap", 105, 100)).isEmpty();
    assertThat(Budget.retained("cap", 106, 100)).isPresent();
    assertThat(Budget.retained("cap", 50, 100)).isEmpty();
  }

  @Test
  void ratioIsTheMeanOfTheMiddlePairOfEitherNumberOfProducers() {
    Race race = new Race();
    race.add(answers(150, 90), answers(100, 100));
    race.add(answers(50, 10), answers(100, 100));
    race.add(answers(1_200, 2_000), answers(100, 100));
    assertThat(race.pairs()).isEqualTo(3);
    assertThat(race.one().median()).isEqualTo(1.5);
    assertThat(race.four().median()).isEqualTo(0.9);
    assertThat(race.ratio()).isCloseTo(Math.sqrt(1.5 * 0.9), within(1e-9));
    assertThat(race.below()).isEqualTo(1);
    assertThat(race.failure()).isEmpty();
  }

  @Test
  void lossThatMostPairsShowFails() {
    assertThat(Budget.core(0.99, 5, 5)).isPresent();
    assertThat(Budget.core(0.99, 9, 11)).get().asString().contains("0.99").contains("9 of 11");
    assertThat(Budget.core(0.0 / 0, 5, 5)).as("nothing measured").isPresent();
    assertThat(Budget.core(1, 5, 5)).isEmpty();
  }

  @Test
  void lossThatCouldBeChanceDoesNot() {
    assertThat(Budget.core(0.9, 4, 5)).as("3 in 16").isEmpty();
    assertThat(Budget.core(0.9, 8, 11)).as("11 in 100").isEmpty();
  }

  private static Answers answers(double one, double four) {
    return new Answers(Map.of("rate.1x2", "" + one, "rate.4x2", "" + four));
  }
}
