package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.ManualTicker;
import io.headgate.waiting.Beside;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts in virtual time, without anybody who waits. */
@Timeout(60)
final class RateLimitTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration TENTH = Duration.ofMillis(100);

  private final ManualTicker ticker = ManualTicker.create();

  @Test
  @Tag("R6")
  void startsAreSpacedEvenly() {
    RateLimit limit = RateLimit.perSecond(10).ticker(ticker).build();

    assertThat(limit.tryStart()).isZero();
    assertThat(limit.tryStart()).isEqualTo(100_000_000);
    ticker.advance(TENTH.minus(NANO));
    assertThat(limit.tryStart()).isEqualTo(1);
    ticker.advance(NANO);
    assertThat(limit.tryStart()).isZero();
    assertThat(limit.started()).isEqualTo(2);
    assertThat(limit.refused()).isEqualTo(2);
  }

  @Test
  @Tag("R6")
  void burstIsFreeAtOnceAndIsEarnedBackOneByOne() {
    RateLimit limit = RateLimit.perSecond(10).burst(3).ticker(ticker).build();

    assertThat(startsNow(limit)).isEqualTo(3);
    ticker.advance(TENTH);
    assertThat(startsNow(limit)).isEqualTo(1);
    ticker.advance(TENTH.multipliedBy(2));
    assertThat(startsNow(limit)).isEqualTo(2);
  }

  @Test
  @Tag("CASE-34")
  void idleTimeIsWorthTheBurstAndNoMore() {
    RateLimit limit = RateLimit.perSecond(1_000).burst(5).ticker(ticker).build();
    ticker.advance(Duration.ofDays(1));

    assertThat(startsNow(limit)).isEqualTo(5);
    ticker.advance(Duration.ofDays(10_000));
    assertThat(startsNow(limit)).isEqualTo(5);
  }

  @Test
  @Tag("R6")
  void startsOfJobsThatNeverEndAreStillOnlyBoundedInTime() {
    // Nothing ever tells the limit of an end: after a minute 600 run at once, ten begun each
    // second.
    RateLimit limit = RateLimit.perSecond(10).ticker(ticker).build();

    int running = 0;
    for (int tenth = 0; tenth < 600; tenth++) {
      running += startsNow(limit);
      ticker.advance(TENTH);
    }
    assertThat(running).isEqualTo(600);
  }

  @Test
  @Tag("CASE-36")
  void ratesThatAreNoWholeNumbersDoNotDrift() {
    RateLimit limit = RateLimit.perSecond(0.3).ticker(ticker).build();

    long starts = 0;
    for (int second = 0; second < 1_000_000; second++) {
      starts += startsNow(limit);
      ticker.advance(SECOND);
    }
    // At 0, 3.33.., 6.66.., 10: each waits for the next whole second but every third.
    assertThat(starts).isEqualTo(250_000);

    RateLimit thirds = RateLimit.of(3, SECOND).burst(2).ticker(ticker).build();
    starts = 0;
    for (int millis = 0; millis < 1_000_000; millis += 10) {
      starts += startsNow(thirds);
      ticker.advance(Duration.ofMillis(10));
    }
    assertThat(starts).isEqualTo(3_001);
  }

  @Test
  @Tag("CASE-36")
  void severalStartsInOneNanosecondAreCountedRight() {
    RateLimit limit = RateLimit.of(7, NANO).burst(7).maxWaiting(0).ticker(ticker).build();
    assertThat(startsNow(limit)).isEqualTo(7);
    ticker.advance(NANO);
    assertThat(startsNow(limit)).isEqualTo(7);

    RateLimit huge =
        RateLimit.of(Integer.MAX_VALUE, NANO).burst(Integer.MAX_VALUE).ticker(ticker).build();
    for (int i = 0; i < 1_000; i++) {
      assertThat(huge.tryStart()).isZero();
    }
    assertThat(huge.nanosUntilStart(Integer.MAX_VALUE)).isEqualTo(1);
  }

  @Test
  @Tag("CASE-36")
  void slowestRateWaitsForYears() {
    RateLimit limit = RateLimit.of(1, Duration.ofDays(365)).ticker(ticker).build();

    assertThat(startsNow(limit)).isEqualTo(1);
    ticker.advance(Duration.ofDays(365).minus(NANO));
    assertThat(limit.tryStart()).isEqualTo(1);
    assertThat(limit.nanosUntilStart(Integer.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    ticker.advance(NANO);
    assertThat(limit.tryStart()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, -1, -150_000_000, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 150_000_000})
  @Tag("CASE-11")
  @Tag("T1")
  void clockMayBeNegativeAndMayWrap(long start) {
    ManualTicker clock = ManualTicker.startingAt(start);
    RateLimit limit = RateLimit.perSecond(10).burst(2).ticker(clock).build();

    assertThat(startsNow(limit)).isEqualTo(2);
    for (int i = 0; i < 10; i++) {
      assertThat(limit.tryStart()).isEqualTo(100_000_000);
      clock.advance(TENTH);
      assertThat(startsNow(limit)).isEqualTo(1);
    }
  }

  @Test
  @Tag("CASE-11")
  void readingThatCameLateMintsNothing() {
    RateLimit limit = RateLimit.perSecond(10).ticker(ticker).build();
    long early = ticker.nanoTime();
    ticker.advance(SECOND);

    assertThat(limit.tryStart()).isZero();
    assertThat(limit.tryStart(early)).isEqualTo(1_100_000_000);
    assertThat(limit.tryStart()).isEqualTo(100_000_000);
  }

  @Test
  @Tag("CASE-36")
  @Tag("R6")
  void noStretchOfTimeEverHasMoreThanBurstAndRateAllow() {
    Random random = new Random(Beside.seed(RateLimitTest.class));
    for (int round = 0; round < 200; round++) {
      int starts = 1 + random.nextInt(1_000);
      long per = 1 + random.nextLong(10_000_000_000L);
      int burst = 1 + random.nextInt(20);
      ManualTicker clock = ManualTicker.startingAt(random.nextLong());
      RateLimit limit =
          RateLimit.of(starts, Duration.ofNanos(per)).burst(burst).ticker(clock).build();
      ArrayDeque<Long> recent = new ArrayDeque<>();
      for (int i = 0; i < 2_000; i++) {
        if (limit.tryStart() == 0) {
          // Any burst + 1 starts in a row span at least one interval.
          recent.add(clock.nanoTime());
          if (recent.size() > burst) {
            long span = clock.nanoTime() - recent.remove();
            assertThat(span * (double) starts)
                .as("%d per %d ns, burst %d", starts, per, burst)
                .isGreaterThanOrEqualTo(per - (double) starts);
          }
        }
        clock.advance(Duration.ofNanos(random.nextLong(1 + 2 * per / starts)));
      }
    }
  }

  private static int startsNow(RateLimit limit) {
    int starts = 0;
    while (limit.tryStart() == 0) {
      starts++;
    }
    return starts;
  }
}
