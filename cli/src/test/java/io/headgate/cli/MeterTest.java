package io.headgate.cli;

import static io.headgate.cli.Progresses.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeterTest {
  private static Counts done(long completed, double total) {
    return Progresses.counts(completed, 0, total);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 5, Long.MIN_VALUE})
  @Tag("CASE-11")
  void theFirstRateIsThatOfTheWholeRunWhereverTheClockStands(long start) {
    Snapshot snapshot = new Meter(start).read(done(30, Double.NaN), start + 3 * SECOND);
    assertThat(snapshot.perSecond()).isCloseTo(10, within(1e-9));
    assertThat(snapshot.elapsedNanos()).isEqualTo(3 * SECOND);
  }

  @Test
  void theRateFollowsWhatHappensWithoutJumps() {
    Meter meter = new Meter(0);
    long now = 0;
    for (int second = 1; second <= 60; second++) {
      now += SECOND;
      meter.read(done(10L * second, Double.NaN), now);
    }
    Snapshot paused = meter.read(done(600, Double.NaN), now + SECOND);
    assertThat(paused.perSecond()).isBetween(8.0, 9.99);
    Snapshot stalled = meter.read(done(600, Double.NaN), now + 60 * SECOND);
    assertThat(stalled.perSecond()).isBetween(0.0, 0.1);
  }

  @Test
  void beforeAnyTimeHasPassedTheRateIsZero() {
    assertThat(new Meter(5).read(done(1, 2), 5).perSecond()).isZero();
  }

  @Test
  void theEstimateGoesByTheWholeRun() {
    Snapshot snapshot = new Meter(0).read(done(25, 100), 10 * SECOND);
    assertThat(snapshot.share()).isEqualTo(0.25);
    assertThat(snapshot.leftNanos()).isEqualTo(30 * SECOND);
  }

  @Test
  void whatWasSkippedIsDoneButTookNoTime() {
    Counts counts = new Counts(Map.of(Fate.Kind.COMPLETED, 10L), 50, 0, 0, 100);
    Snapshot snapshot = new Meter(0).read(counts, 10 * SECOND);
    assertThat(snapshot.share()).isEqualTo(0.6);
    assertThat(snapshot.leftNanos()).isEqualTo(40 * SECOND);
  }

  @Test
  void withoutATotalOrWithOneThatWasWrongNothingIsEstimated() {
    for (double total : new double[] {Double.NaN, 24}) {
      Snapshot snapshot = new Meter(0).read(done(25, total), 10 * SECOND);
      assertThat(snapshot.share()).isNaN();
      assertThat(snapshot.leftNanos()).isEqualTo(Snapshot.UNKNOWN);
    }
  }

  @Test
  void beforeAnythingHasEndedNoEndIsEstimated() {
    Snapshot snapshot = new Meter(0).read(done(0, 10), SECOND);
    assertThat(snapshot.share()).isZero();
    assertThat(snapshot.leftNanos()).isEqualTo(Snapshot.UNKNOWN);
  }
}
