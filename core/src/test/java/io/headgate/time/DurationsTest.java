package io.headgate.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Readings of a ticker, which begin anywhere and overflow. */
class DurationsTest {

  @Test
  void earlierOfTwoReadingsIsTheOneBeforeTheOtherAlsoAcrossAnOverflow() {
    long last = Long.MAX_VALUE - 5;
    long overflown = last + 10;
    assertThat(Durations.earlier(3, 4)).isEqualTo(3);
    assertThat(Durations.earlier(4, 3)).isEqualTo(3);
    assertThat(Durations.earlier(-1, 1)).isEqualTo(-1);
    assertThat(Durations.earlier(last, overflown)).isEqualTo(last);
    assertThat(Durations.earlier(overflown, last)).isEqualTo(last);
  }

  @Test
  void foreverComesAfterEverythingThatIsWaitedFor() {
    long now = Long.MAX_VALUE - 5;
    long forever = Durations.deadline(now, Long.MAX_VALUE);
    assertThat(Durations.earlier(forever, Durations.deadline(now, 1_000))).isEqualTo(now + 1_000);
  }
}
