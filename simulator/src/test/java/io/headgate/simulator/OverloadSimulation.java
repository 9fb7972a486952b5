package io.headgate.simulator;

import static io.headgate.simulator.Scenarios.MILLI;
import static io.headgate.simulator.Scenarios.SECOND;
import static io.headgate.simulator.Scenarios.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.simulator.Scenarios.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the library's own code makes of overload, beside configurations that are known to be bad.
 * The runs are equal for equal seeds; -Dheadgate.seed takes another.
 */
final class OverloadSimulation {

  private static final long SEED = Long.getLong("headgate.seed", 1);

  private final Scenarios scenarios = new Scenarios(SEED);

  @ParameterizedTest
  @CsvSource({
    "WORKER, CONSTANT", "WORKER, EXPONENTIAL", "WORKER, HEAVY_TAILED",
    "CONTROLLED, CONSTANT", "CONTROLLED, EXPONENTIAL", "CONTROLLED, HEAVY_TAILED"
  })
  @Tag("O1")
  @Tag("O4")
  void goodputAtTenTimesTheLoadIsNotBelowThatOfTheCapacity(Kind kind, ServiceTime distribution) {
    Result one = scenarios.openLoop(kind, 1, distribution, 20);
    Result ten = scenarios.openLoop(kind, 10, distribution, 20);

    assertThat(one.goodput()).as("seed %d", SEED).isGreaterThan(900);
    assertThat(ten.goodput()).as("seed %d", SEED).isGreaterThan(0.95 * one.goodput());
  }

  @ParameterizedTest
  @CsvSource({
    "WORKER, 1.5", "WORKER, 2", "WORKER, 5", "WORKER, 10",
    "CONTROLLED, 1.5", "CONTROLLED, 2", "CONTROLLED, 5", "CONTROLLED, 10"
  })
  @Tag("O1")
  @Tag("CASE-41")
  void startedWorkHasWaitedWithinTwiceTheTarget(Kind kind, double load) {
    Result result = scenarios.openLoop(kind, load, ServiceTime.EXPONENTIAL, 20);

    assertThat(result.waitP99Nanos()).as("seed %d", SEED).isLessThanOrEqualTo(2 * TARGET.toNanos());
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"WORKER", "CONTROLLED"})
  @Tag("O1")
  void nothingIsRefusedBelowTheCapacity(Kind kind) {
    Result result = scenarios.openLoop(kind, 0.5, ServiceTime.EXPONENTIAL, 20);

    assertThat(result.criticalShare()).as("seed %d", SEED).isEqualTo(1);
    assertThat(result.waitP50Nanos()).isLessThan(MILLI);
  }

  @Test
  @Tag("O1")
  void unboundedQueueHasNoGoodputAboveTheCapacity() {
    Result result = scenarios.openLoop(Kind.UNBOUNDED, 2, ServiceTime.EXPONENTIAL, 20);

    assertThat(result.goodput()).as("seed %d", SEED).isLessThan(50);
    assertThat(result.waitP99Nanos()).isGreaterThan(5 * SECOND);
  }

  @Test
  @Tag("CASE-41")
  void serverRecoversWhenWhatItCallsHasRecovered() {
    Result good = scenarios.slowDown(true);
    Result bad = scenarios.slowDown(false);

    assertThat(good.recoveryNanos()).as("seed %d", SEED).isLessThanOrEqualTo(2 * SECOND);
    assertThat(good.goodput()).isGreaterThan(0.98 * good.offered());
    assertThat(bad.recoveryNanos()).as("it stays collapsed").isEqualTo(Long.MAX_VALUE);
    assertThat(bad.goodput()).isLessThan(0.05 * bad.offered());
  }

  @Test
  @Tag("CASE-41")
  void serverRecoversWhenASpikeIsOver() {
    Result good = scenarios.spike(true);
    Result bad = scenarios.spike(false);

    assertThat(good.recoveryNanos()).as("seed %d", SEED).isLessThanOrEqualTo(2 * SECOND);
    assertThat(good.amplification()).isLessThanOrEqualTo(1.1);
    assertThat(bad.recoveryNanos()).as("it stays collapsed").isEqualTo(Long.MAX_VALUE);
    assertThat(bad.amplification()).isGreaterThan(2);
  }

  @Test
  @Tag("CASE-33")
  @Tag("R1")
  @Tag("R3")
  void layersThatRetryDoNotMultiply() {
    assertThat(scenarios.retryStorm(true).amplification()).as("seed %d", SEED).isBetween(1.0, 1.1);
    assertThat(scenarios.retryStorm(false).amplification()).isEqualTo(27);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"WORKER_SHEDDING", "CONTROLLED"})
  @Tag("O5")
  void floodOfSheddableWorkCostsTheCriticalNothing(Kind kind) {
    Result result = scenarios.flood(kind);

    assertThat(result.criticalShare()).as("seed %d", SEED).isGreaterThanOrEqualTo(0.99);
    assertThat(result.goodput()).as("and the rest of the capacity is used").isGreaterThan(950);
    assertThat(scenarios.flood(Kind.UNBOUNDED).criticalShare()).isLessThan(0.1);
  }

  @Test
  @Tag("O5")
  @Tag("CASE-40")
  void guardThatWatchesTheQueueLetsTheCriticalThroughAndTheRestInAgain() {
    Result guarded = scenarios.flood(Kind.GUARDED);
    Result alone = scenarios.flood(Kind.WORKER);

    assertThat(guarded.criticalShare()).as("seed %d", SEED).isGreaterThan(0.85);
    assertThat(alone.criticalShare()).as("first come, first served").isLessThan(0.15);
    assertThat(guarded.goodput()).as("more than the critical calls").isGreaterThan(520);
    assertThat(guarded.goodput()).as("but signals come late").isLessThan(alone.goodput());
  }

  @Test
  @Tag("O2")
  void clientsThatThrottleThemselvesReachTheServerTwiceForEachAccept() {
    Result result = scenarios.throttled();

    assertThat(result.amplification()).as("seed %d", SEED).isBetween(1.8, 2.2);
    assertThat(result.goodput()).isGreaterThan(950);
  }

  @Test
  void runsWithOneSeedAreEqual() {
    Result first = scenarios.slowDown(true);

    assertThat(new Scenarios(SEED).slowDown(true)).isEqualTo(first);
    assertThat(new Scenarios(SEED + 1).slowDown(true)).isNotEqualTo(first);
  }
}
