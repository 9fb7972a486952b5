package io.headgate.benchmarks.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Criticality;
import io.headgate.simulator.Figures;
import io.headgate.simulator.ServiceTime;
import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run in real time accounts for all; how fast it was is no matter of a test. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RealTrialTest {

  @ParameterizedTest
  @EnumSource(Setup.WhenFull.class)
  void everyCallOfAShortRunIsAccountedFor(Setup.WhenFull whenFull) throws Exception {
    Setup setup =
        new Setup(
            600,
            Map.of(Criticality.CRITICAL, 0.5, Criticality.SHEDDABLE, 0.5),
            new Setup.Service(ServiceTime.EXPONENTIAL, Duration.ofMillis(10)),
            new Setup.Server(2, 8, whenFull, Optional.empty()),
            new Setup.Callers(
                Duration.ofMillis(200),
                Duration.ofMillis(400),
                2,
                Duration.ofMillis(20),
                Optional.of(50)),
            Optional.empty(),
            1,
            Duration.ofMillis(500));

    RealTrial.Ended ended = RealTrial.run(setup);

    assertThat(ended.adds()).as(ended.toString()).isTrue();
    assertThat(ended.ledger().completed()).isPositive();
    assertThat(ended.ledger().accepted()).isLessThanOrEqualTo(ended.figures().simulated());
    Figures figures = ended.figures();
    assertThat(figures.offered()).isPositive();
    assertThat(figures.amplification()).isBetween(1.0, 2.0);
    assertThat(figures.refused() + figures.shed()).isBetween(0.0, 1.0);
  }
}
