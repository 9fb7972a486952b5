package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that make no limit are refused when they are given, and named. */
final class RateLimitBuilderTest {

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.0,
        -1,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        1e-10,
        Double.MIN_VALUE,
        1.1e9,
        1e300
      })
  @Tag("CASE-36")
  void ratesThatAreNoneAreRefused(double rate) {
    assertThatThrownBy(() -> RateLimit.perSecond(rate))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(rate));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-9, 0.000_000_001_4, 0.3, 1.0 / 3, 123_456.789, 987_654_321.123, 1e9})
  @Tag("CASE-36")
  void ratesThatCanBeKeptAreKeptExactly(double rate) {
    RateLimitBuilder builder = RateLimit.perSecond(rate).maxWaiting(0);

    assertThat(builder.starts * 1e9 / builder.perNanos)
        .isCloseTo(rate, offset(Math.max(5e-10, rate * 1e-8)));
    assertThat(builder.build().tryStart()).isZero();
  }

  @Test
  @Tag("CASE-36")
  @Tag("CASE-10")
  void startsAndTimeAreNamedTogether() {
    assertThatThrownBy(() -> RateLimit.of(0, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 starts per PT1S");
    assertThatThrownBy(() -> RateLimit.of(-100, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-100 starts per PT1S");
    assertThatThrownBy(() -> RateLimit.of(1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 starts per PT0S");
    assertThatThrownBy(() -> RateLimit.of(1, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
    assertThatThrownBy(() -> RateLimit.of(1, Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 starts per");
  }

  @Test
  @Tag("CASE-36")
  @Tag("CASE-10")
  void burstThatLastsLongerThanTheClockIsRefusedWithBothValues() {
    RateLimitBuilder builder = RateLimit.of(1, Duration.ofDays(365)).burst(Integer.MAX_VALUE);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 starts per PT8760H")
        .hasMessageContaining("burst " + Integer.MAX_VALUE);
  }

  @Test
  @Tag("CASE-36")
  void burstAndWaitingHaveBoundsOfTheirOwn() {
    assertThatThrownBy(() -> RateLimit.perSecond(1).burst(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
    assertThatThrownBy(() -> RateLimit.perSecond(1).burst(-100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-100");
    assertThatThrownBy(() -> RateLimit.perSecond(1).maxWaiting(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  @Test
  void settingGivenTwiceIsAnError() {
    assertThatThrownBy(() -> RateLimit.perSecond(1).burst(1).burst(1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> RateLimit.perSecond(1).maxWaiting(1).maxWaiting(1))
        .isInstanceOf(IllegalStateException.class);
  }
}
