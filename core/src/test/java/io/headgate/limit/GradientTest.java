package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The limit against a dependency whose latency follows from what is in flight. */
final class GradientTest {

  private static final long MILLI = 1_000_000;
  private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

  private long now = Long.MIN_VALUE + 7;

  @Test
  @Tag("CASE-38")
  void limitSettlesNearWhatTheDependencyCanDo() {
    LimitAlgorithm gradient = new Gradient(settings().initial(5), now);
    // Fifty at once take 10 ms; whatever is above waits its turn.
    saturate(gradient, 5_000, 10, 50);
    assertThat(gradient.limit()).isBetween(40, 120);
  }

  @Test
  @Tag("CASE-38")
  void limitDoesNotGrowWithoutDemand() {
    LimitAlgorithm gradient = new Gradient(settings().initial(20), now);
    for (int i = 0; i < 10_000; i++) {
      now += MILLI;
      gradient.onSample(10 * MILLI, 19, false, now);
    }
    assertThat(gradient.limit()).isEqualTo(20);
  }

  @Test
  @Tag("CASE-38")
  void modestOverloadDoesNotLetTheLimitGrowWithoutEnd() {
    LimitAlgorithm gradient = new Gradient(settings().initial(20).max(100_000), now);
    saturate(gradient, 100_000, 10, 50);
    assertThat(gradient.limit()).isLessThan(120);
  }

  @Test
  @Tag("CASE-38")
  void incidentThatCreepsInAndStaysDoesNotBecomeTheUsualCase() {
    LimitAlgorithm gradient =
        new Gradient(settings().initial(50).floor(3).probeEvery(Duration.ofMillis(100)), now);
    saturate(gradient, 1_000, 10, 50);
    // Two in a hundred slower each round, up to 300 ms: the baseline follows, the ceiling does not.
    double base = 10;
    for (int i = 0; i < 20_000; i++) {
      base = Math.min(300, base * 1.02);
      sampleRound(gradient, (long) (base * MILLI), 50, 5);
    }
    assertThat(gradient.limit()).isLessThanOrEqualTo(3);
    saturate(gradient, 5_000, 10, 50);
    assertThat(gradient.limit()).as("and it recovers").isGreaterThan(20);
  }

  @Test
  @Tag("CASE-38")
  void everyDropCountsHoweverFast() {
    LimitAlgorithm gradient = new Gradient(settings().initial(100), now);
    for (int i = 0; i < 3; i++) {
      now += MILLI;
      gradient.onSample(0, 1, true, now);
    }
    assertThat(gradient.limit()).isEqualTo(72);
  }

  @Test
  @Tag("CASE-38")
  void latencyOfRefusalsIsNoBaseline() {
    LimitAlgorithm gradient = new Gradient(settings().initial(50), now);
    for (int i = 0; i < 1_000; i++) {
      now += 20 * MILLI;
      gradient.onSample(1, 1, i % 10 == 0, now);
      gradient.onSample(10 * MILLI, 50, false, now);
    }
    // Were the nanosecond of a refusal the baseline, ten milliseconds would end at the floor.
    LimitAlgorithm refusals = new Gradient(settings().initial(50), now);
    refusals.onSample(1, 1, true, now);
    int after = refusals.limit();
    for (int i = 0; i < 1_000; i++) {
      now += MILLI;
      refusals.onSample(10 * MILLI, 1, false, now);
    }
    assertThat(refusals.limit()).isEqualTo(after);
  }

  @Test
  @Tag("CASE-39")
  void probeTakesItsShareAndNotTheFloor() {
    LimitAlgorithm gradient =
        new Gradient(
            settings().initial(50).floor(1).probeShare(0.8).probeEvery(Duration.ofSeconds(1)), now);
    for (int i = 0; i < 999; i++) {
      now += MILLI;
      gradient.onSample(10 * MILLI, 49, false, now);
    }
    assertThat(gradient.limit()).isEqualTo(50);
    now += MILLI;
    gradient.onSample(10 * MILLI, 49, false, now);
    assertThat(gradient.limit()).as("the probe").isEqualTo(40);
    for (int i = 0; i < 40; i++) {
      now += MILLI;
      gradient.onSample(10 * MILLI, 40, false, now);
    }
    assertThat(gradient.limit()).as("after the probe").isEqualTo(50);
  }

  @Test
  @Tag("CASE-39")
  void floorAboveTheProbeHoldsTheLimitAndNotTheProbe() {
    LimitAlgorithm gradient =
        new Gradient(
            settings().initial(50).floor(50).probeShare(0.1).probeEvery(Duration.ofSeconds(1)),
            now);
    gradient.onSample(0, 1, true, now);
    assertThat(gradient.limit()).isEqualTo(50);
    for (int i = 0; i < 1_000; i++) {
      now += MILLI;
      gradient.onSample(10 * MILLI, 1, false, now);
    }
    assertThat(gradient.limit()).isEqualTo(5);
  }

  @Test
  @Tag("CASE-39")
  void probeThatHearsNothingEndsByTime() {
    LimitAlgorithm gradient =
        new Gradient(settings().initial(50).probeEvery(Duration.ofSeconds(1)), now);
    for (int i = 0; i < 1_000; i++) {
      now += MILLI;
      gradient.onSample(10 * MILLI, 49, false, now);
    }
    assertThat(gradient.limit()).isEqualTo(25);
    now += 2_000 * MILLI;
    gradient.onSample(10 * MILLI, 1, false, now);
    assertThat(gradient.limit()).isEqualTo(50);
  }

  @Test
  @Tag("CASE-39")
  void probeLearnsThatThePathHasBecomeLonger() {
    LimitAlgorithm never = new Gradient(settings().initial(50).probeEvery(NEVER), now);
    saturate(never, 2_000, 10, 50);
    saturate(never, 10_000, 40, 50);
    assertThat(never.limit()).as("without probes").isLessThan(10);

    LimitAlgorithm probing =
        new Gradient(settings().initial(50).probeEvery(Duration.ofSeconds(1)), now);
    saturate(probing, 2_000, 10, 50);
    saturate(probing, 10_000, 40, 50);
    assertThat(probing.limit()).as("with probes").isGreaterThan(30);
  }

  private static AdaptiveConcurrencyBuilder settings() {
    return AdaptiveConcurrency.gradient(Duration.ofMillis(100));
  }

  /** Rounds in which all that the limit allows is in flight. */
  private void saturate(LimitAlgorithm limit, int rounds, long millis, int capacity) {
    for (int i = 0; i < rounds; i++) {
      sampleRound(limit, millis * MILLI, capacity, 5);
    }
  }

  private void sampleRound(LimitAlgorithm limit, long serviceNanos, int capacity, int samples) {
    int inflight = limit.limit();
    long rtt = serviceNanos * Math.max(capacity, inflight) / capacity;
    for (int i = 0; i < samples; i++) {
      now += rtt / samples;
      limit.onSample(rtt, inflight, false, now);
    }
  }
}
