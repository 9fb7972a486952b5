package io.headgate.limit;

import static io.headgate.Criticality.CRITICAL;
import static io.headgate.Criticality.CRITICAL_PLUS;
import static io.headgate.Criticality.SHEDDABLE;
import static io.headgate.Criticality.SHEDDABLE_PLUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Criticality;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who is refused while a resource runs out, in virtual time. */
final class OverloadGuardTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTicker ticker = ManualTicker.startingAt(Long.MAX_VALUE - 500_000_000);
  private double load;
  private final OverloadGuard guard =
      OverloadGuard.builder()
          .hold(SECOND)
          .signal(OverloadSignal.of("fake", () -> load))
          .signal(OverloadSignal.of("idle", () -> 0))
          .share(0.05)
          .ticker(ticker)
          .random(new SplittableRandom(3))
          .build();

  @Test
  @Tag("O5")
  @Tag("CASE-40")
  void loadThatRisesRefusesFromTheBottomUp() {
    List<Set<Criticality>> steps = new ArrayList<>();
    for (load = 0.9; load < 1.35; load += 0.05) {
      guard.sample();
      Set<Criticality> refused = refused();
      if (steps.isEmpty() || !steps.getLast().equals(refused)) {
        steps.add(refused);
      }
    }
    assertThat(steps)
        .containsExactly(
            EnumSet.noneOf(Criticality.class),
            EnumSet.of(SHEDDABLE),
            EnumSet.of(SHEDDABLE, SHEDDABLE_PLUS),
            EnumSet.of(SHEDDABLE, SHEDDABLE_PLUS, CRITICAL),
            EnumSet.allOf(Criticality.class));
  }

  @Test
  @Tag("CASE-40")
  void loadThatSwingsAroundTheThresholdDoesNotFlap() {
    load = 1.01;
    guard.sample();
    for (int i = 0; i < 100; i++) {
      load = i % 2 == 0 ? 0.95 : 1.05;
      ticker.advance(Duration.ofMillis(100));
      guard.sample();
      assertThat(guard.refusedFrom()).contains(SHEDDABLE);
    }
  }

  @Test
  @Tag("CASE-40")
  @Tag("O6")
  void classesComeBackOneByOneOnceTheLoadHasGone() {
    load = 2;
    sampleEnough();
    load = 0;
    List<Criticality> order = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      guard.sample();
      guard.refusedFrom().filter(c -> !order.contains(c)).ifPresent(order::add);
      ticker.advance(Duration.ofMillis(100));
    }
    assertThat(order).containsExactly(CRITICAL_PLUS, CRITICAL, SHEDDABLE_PLUS, SHEDDABLE);
    assertThat(guard.refusedFrom()).isEmpty();
    assertThat(refused()).isEmpty();
  }

  @Test
  @Tag("CASE-40")
  @Tag("O5")
  void shareOfTheMostCriticalOfferedAlwaysPasses() {
    load = 5;
    sampleEnough();
    int passed = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(guard.admits(SHEDDABLE)).as("not the most critical offered").isFalse();
      passed += guard.admits(CRITICAL) ? 1 : 0;
      if (i == 0) {
        passed = 0;
      }
    }
    assertThat(passed).isBetween(400, 600);
    ticker.advance(SECOND.multipliedBy(2));
    guard.sample();
    int sheddable = 0;
    for (int i = 0; i < 10_000; i++) {
      sheddable += guard.admits(SHEDDABLE) ? 1 : 0;
    }
    assertThat(sheddable).as("now it is all that is offered").isBetween(400, 600);
  }

  @Test
  @Tag("CASE-40")
  @Tag("O5")
  void oneSampleRefusesOneClassMoreHoweverHighTheLoad() {
    load = 100;
    List<Criticality> order = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      guard.sample();
      order.add(guard.refusedFrom().orElseThrow());
    }
    assertThat(order)
        .containsExactly(
            SHEDDABLE, SHEDDABLE_PLUS, CRITICAL, CRITICAL_PLUS, CRITICAL_PLUS, CRITICAL_PLUS);
  }

  @Test
  @Tag("CASE-40")
  void samplerThatDiedRefusesNobody() {
    load = 5;
    sampleEnough();
    ticker.advance(SECOND.multipliedBy(9));
    assertThat(guard.refusedFrom()).contains(CRITICAL_PLUS);
    ticker.advance(SECOND.multipliedBy(2));
    assertThat(guard.refusedFrom()).isEmpty();
    assertThat(refused()).isEmpty();
  }

  @Test
  @Tag("O6")
  @Tag("CASE-43")
  void causesAndRefusalsAreVisible() {
    assertThat(guard.sinceLastRefusal()).isEmpty();
    load = 1.05;
    guard.sample();
    guard.admits(CRITICAL);
    guard.admits(SHEDDABLE);
    ticker.advance(SECOND);

    assertThat(guard.loads()).isEqualTo(Map.of("fake", 1.05, "idle", 0.0));
    assertThat(guard.refusals()).isOne();
    assertThat(guard.sinceLastRefusal()).contains(SECOND);
  }

  @Test
  void signalThatFailsOrIsNoNumberCountsAsNothing() {
    OverloadGuard broken =
        OverloadGuard.builder()
            .signal(OverloadSignal.of("nan", () -> Double.NaN))
            .signal(
                OverloadSignal.of(
                    "throws",
                    () -> {
                      throw new IllegalStateException("planted");
                    }))
            .ticker(ticker)
            .build();
    broken.sample();
    assertThat(broken.loads()).isEqualTo(Map.of("nan", 0.0, "throws", 0.0));
    assertThat(broken.admits(SHEDDABLE)).isTrue();
  }

  @Test
  @Tag("CASE-10")
  void settingsThatMakeNoGuardAreRefused() {
    assertThatThrownBy(() -> OverloadGuard.builder().build())
        .isInstanceOf(IllegalArgumentException.class);
    OverloadSignal signal = OverloadSignal.of("twice", () -> 0);
    assertThatThrownBy(() -> OverloadGuard.builder().signal(signal).signal(signal).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[twice, twice]");
    for (double wrong : new double[] {0, -1, Double.NaN}) {
      assertThatThrownBy(() -> OverloadGuard.builder().step(wrong))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> OverloadGuard.builder().share(wrong))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> OverloadSignal.heapAfterCollection(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> OverloadGuard.builder().hold(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** One sample refuses one class more. */
  private void sampleEnough() {
    for (int i = 0; i < Criticality.values().length; i++) {
      guard.sample();
    }
  }

  private Set<Criticality> refused() {
    Set<Criticality> refused = EnumSet.noneOf(Criticality.class);
    for (Criticality criticality : Criticality.values()) {
      // One of twenty may be the share that passes: asked often, a refused class says no most
      // times.
      int admitted = 0;
      for (int i = 0; i < 40; i++) {
        admitted += guard.admits(criticality) ? 1 : 0;
      }
      if (admitted < 20) {
        refused.add(criticality);
      }
    }
    return refused;
  }

  @Test
  @Tag("CASE-10")
  void stepFromWhichTheLastClassCouldNotComeBackIsRefused() {
    for (double step : new double[] {0, -1, 1, 2, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> OverloadGuard.builder().step(step))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("step is " + step + ", but it must be above 0 and below 1");
    }
  }

  @Test
  @Tag("CASE-10")
  void holdThatIsShorterThanThePeriodIsRefusedWithBoth() {
    OverloadGuardBuilder builder =
        OverloadGuard.builder()
            .signal(OverloadSignal.of("x", () -> 0))
            .hold(Duration.ofMillis(10))
            .period(SECOND);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0.01S")
        .hasMessageContaining("PT1S");
  }
}
