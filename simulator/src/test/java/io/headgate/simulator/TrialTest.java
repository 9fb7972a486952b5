package io.headgate.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.Criticality;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs with the numbers of a user; equal for equal seeds, -Dheadgate.seed takes another. */
final class TrialTest {
  private static final long SEED = Long.getLong("headgate.seed", 1);
  private static final Duration SERVICE = Duration.ofMillis(20);

  private static final Setup.Server SERVER =
      new Setup.Server(5, 20, Setup.WhenFull.REFUSE, Optional.empty());
  private static final Setup.Callers ONCE =
      new Setup.Callers(
          Duration.ofSeconds(1), Duration.ofSeconds(1), 1, Duration.ZERO, Optional.empty());

  /** Of a server that can serve 250 calls a second. */
  private static Setup setup(double load, ServiceTime time) {
    return new Setup(
        load * 250,
        Map.of(Criticality.CRITICAL, 1.0),
        new Setup.Service(time, SERVICE),
        SERVER,
        ONCE,
        Optional.empty(),
        SEED,
        Duration.ofSeconds(40));
  }

  @ParameterizedTest
  @EnumSource(ServiceTime.class)
  @Tag("O1")
  void nobodyWaitsLongerThanTheRuleSays(ServiceTime time) {
    Figures figures = Trial.run(setup(10, time));

    Duration longest = SERVICE.multipliedBy(20 / 5 + 1);
    assertThat(figures.waitP50().orElseThrow()).as("seed %d", SEED).isLessThan(longest);
    if (time == ServiceTime.CONSTANT) {
      assertThat(figures.waitP99().orElseThrow()).isLessThanOrEqualTo(longest);
    }
  }

  @Test
  void whatIsNotRefusedOrShedIsAnswered() {
    Figures figures = Trial.run(setup(3, ServiceTime.EXPONENTIAL));

    double answered = figures.goodput() / figures.offered();
    assertThat(figures.refused() + figures.shed() + answered)
        .as("seed %d", SEED)
        .isCloseTo(1, within(0.01));
    assertThat(answered).isCloseTo(1 / 3.0, within(0.02));
    assertThat(figures.answered().get(Criticality.CRITICAL)).isCloseTo(answered, within(0.01));
  }

  @Test
  @Tag("R3")
  void retriesWithoutABudgetMultiplyAndWithOneDoNot() {
    Setup once = setup(5, ServiceTime.EXPONENTIAL);
    Duration timeout = Duration.ofMillis(500);
    Setup.Callers all =
        new Setup.Callers(timeout, timeout.multipliedBy(4), 4, Duration.ZERO, Optional.empty());
    Setup.Callers paid =
        new Setup.Callers(timeout, timeout.multipliedBy(4), 4, Duration.ZERO, Optional.of(10));

    assertThat(Trial.run(once).amplification()).isEqualTo(1);
    assertThat(Trial.run(once.withCallers(all)).amplification())
        .as("seed %d", SEED)
        .isGreaterThan(2);
    assertThat(Trial.run(once.withCallers(paid)).amplification()).isBetween(1.05, 1.1);
  }

  @Test
  @Tag("CASE-41")
  void recoveryIsMeasuredByWhatWasAnsweredBefore() {
    Setup.SlowDown slow = new Setup.SlowDown(Duration.ofSeconds(10), Duration.ofSeconds(5), 10);
    Setup half = setup(0.5, ServiceTime.EXPONENTIAL);
    Setup bounded = withSlowDown(half, slow);
    Setup.Server growing = new Setup.Server(5, 0, Setup.WhenFull.GROW, Optional.empty());
    Duration timeout = Duration.ofMillis(500);
    Setup.Callers retrying =
        new Setup.Callers(timeout, timeout.multipliedBy(4), 3, Duration.ZERO, Optional.empty());
    Setup overloaded = withSlowDown(setup(2, ServiceTime.EXPONENTIAL), slow);

    assertThat(Trial.run(bounded).recovery().orElseThrow())
        .as("seed %d", SEED)
        .isLessThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(Trial.run(overloaded).recovery().orElseThrow())
        .as("half was answered before, and half is enough")
        .isLessThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(Trial.run(bounded.withServer(growing).withCallers(retrying)).recovery())
        .as("it stays collapsed")
        .isEmpty();
    assertThat(Trial.run(half).recovery()).as("nothing was slow").isEmpty();
  }

  private static Setup withSlowDown(Setup setup, Setup.SlowDown slow) {
    return new Setup(
        setup.perSecond(),
        setup.mix(),
        setup.service(),
        setup.server(),
        setup.callers(),
        Optional.of(slow),
        setup.seed(),
        setup.duration());
  }

  @Test
  void equalSetupsMakeEqualRuns() {
    Setup setup = setup(2, ServiceTime.HEAVY_TAILED);

    assertThat(Trial.run(setup)).isEqualTo(Trial.run(setup));
    assertThat(Trial.run(setup.withPerSecond(501))).isNotEqualTo(Trial.run(setup));
  }

  @Test
  void aRunThatStartsNothingHasNoWaits() {
    Setup setup =
        new Setup(
            1e-3,
            Map.of(Criticality.CRITICAL, 1.0),
            new Setup.Service(ServiceTime.CONSTANT, SERVICE),
            SERVER,
            ONCE,
            Optional.empty(),
            SEED,
            Duration.ofMillis(1));

    Figures figures = Trial.run(setup);

    assertThat(figures.waitP99()).isEmpty();
    assertThat(figures.simulated()).isZero();
  }

  @Test
  void aSetupThatCannotBeNamesTheNumberAndTheRule() {
    Setup good = setup(1, ServiceTime.CONSTANT);

    assertThatThrownBy(() -> good.withPerSecond(1e8))
        .hasMessage("calls in one run is 4.0E9, but must be at most 10000000");
    assertThatThrownBy(() -> new Setup.Server(0, 20, Setup.WhenFull.REFUSE, Optional.empty()))
        .hasMessage("concurrency is 0, but must be from 1 to 100000");
    assertThatThrownBy(() -> new Setup.Service(ServiceTime.CONSTANT, Duration.ZERO))
        .hasMessage("mean is PT0S, but must be above zero and below a day");
    assertThatThrownBy(
            () ->
                new Setup(
                    1,
                    Map.of(Criticality.CRITICAL, 0.5),
                    good.service(),
                    good.server(),
                    good.callers(),
                    good.slowDown(),
                    1,
                    good.duration()))
        .hasMessage("the sum of the mix is 0.5, but must be 1");
  }
}
