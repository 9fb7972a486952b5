package io.headgate.limit;

import static io.headgate.Criticality.CRITICAL;
import static io.headgate.Criticality.CRITICAL_PLUS;
import static io.headgate.Criticality.SHEDDABLE;
import static io.headgate.Criticality.SHEDDABLE_PLUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Criticality;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who is served next. */
final class CriticalityFloorsTest {

  private final CriticalityFloors floors = CriticalityFloors.oneIn(100);

  @Test
  @Tag("O5")
  void everyClassThatWaitsHasItsFloorAndTheMostCriticalTheRest() {
    Map<Criticality, Integer> served = new EnumMap<>(Criticality.class);
    for (int i = 0; i < 10_000; i++) {
      served.merge(floors.next(0b1111), 1, Integer::sum);
    }
    assertThat(served.get(CRITICAL)).isBetween(100, 106);
    assertThat(served.get(SHEDDABLE_PLUS)).isBetween(100, 106);
    assertThat(served.get(SHEDDABLE)).isBetween(100, 106);
    assertThat(served.get(CRITICAL_PLUS)).isGreaterThan(9_600);
  }

  @Test
  @Tag("O5")
  void noStretchOfClaimsPassesAClassOverForLonger() {
    Map<Criticality, Integer> since = new EnumMap<>(Criticality.class);
    for (int i = 0; i < 10_000; i++) {
      since.replaceAll((criticality, claims) -> claims + 1);
      since.put(floors.next(0b1111), 0);
      assertThat(since.values()).allMatch(claims -> claims < 100);
    }
    assertThat(since).hasSize(4);
  }

  @Test
  @Tag("O5")
  void classThatDoesNotWaitSavesNothingUp() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(floors.next(0b0010)).isEqualTo(CRITICAL);
    }
    for (int i = 0; i < 90; i++) {
      assertThat(floors.next(0b1010)).isEqualTo(CRITICAL);
    }
    assertThat(floors.next(0b1000)).isEqualTo(SHEDDABLE);
  }

  @Test
  @Tag("CASE-10")
  void floorsThatAddUpToMoreThanThereIsAreRefused() {
    assertThatThrownBy(() -> CriticalityFloors.oneIn(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3");
  }
}
