package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The moment before a thread parks. */
class BriefWaitTest {

  private final ManualTicker ticker = ManualTicker.create();
  private final BriefWait wait = new BriefWait(ticker);
  private int looks;

  private boolean never() {
    looks++;
    return false;
  }

  private boolean neverAndSlowly() {
    ticker.advance(Duration.ofNanos(BriefWait.LONG_NANOS + 1));
    return never();
  }

  @Test
  void seesWhatHasComeAtOnceAndWhatComesMeanwhile() {
    assertThat(wait.hasComeSoon(() -> true)).isTrue();
    assertThat(wait.hasComeSoon(() -> ++looks >= BriefWait.YIELDS)).isTrue();
  }

  @Test
  void givesUpAfterAFewLooks() {
    assertThat(wait.hasComeSoon(this::never)).isFalse();
    assertThat(looks).isEqualTo(BriefWait.YIELDS + 1);
  }

  @Test
  void afterOthersHeldTheCoreForLongItLooksOnlyOnceForAWhile() {
    assertThat(wait.hasComeSoon(() -> looks > 0 ? neverAndSlowly() : never())).isFalse();
    assertThat(looks).as("gave up at the long one").isLessThan(5);
    looks = 0;
    for (int i = 0; i < BriefWait.PARKS_AFTER_LONG; i++) {
      assertThat(wait.hasComeSoon(this::never)).isFalse();
    }
    assertThat(looks).isEqualTo(BriefWait.PARKS_AFTER_LONG);
    looks = 0;
    assertThat(wait.hasComeSoon(this::never)).isFalse();
    assertThat(looks).as("as before").isEqualTo(BriefWait.YIELDS + 1);
  }

  @Test
  void whatHasComeIsSeenAlsoWhileItParksAtOnce() {
    assertThat(wait.hasComeSoon(this::neverAndSlowly)).isFalse();
    assertThat(wait.hasComeSoon(() -> true)).isTrue();
  }
}
