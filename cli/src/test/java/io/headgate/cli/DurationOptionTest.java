package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("T2")
class DurationOptionTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "30s, PT30S",
    "5m, PT5M",
    "2h, PT2H",
    "1.5s, PT1.5S",
    "0.25h, PT15M",
    ".5s, PT0.5S",
    "5.s, PT5S",
    "0s, PT0S",
    "0, PT0S",
    "0.0, PT0S",
    "007s, PT7S"
  })
  void readsNumberAndUnit(String text, Duration expected) throws UsageException {
    assertThat(DurationOption.parse("--grace", text)).isEqualTo(expected);
  }

  @Test
  void partsOfANanosecondRoundUp() throws UsageException {
    assertThat(DurationOption.parse("--grace", "0.0000000001s")).isEqualTo(Duration.ofNanos(1));
    assertThat(DurationOption.parse("--grace", "1.0000001ms"))
        .isEqualTo(Duration.ofNanos(1_000_001));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372037s", "99999999999999999999999h", "9223372036854.775808s"})
  void tooLongIsForEver(String text) throws UsageException {
    Duration parsed = DurationOption.parse("--grace", text);
    assertThat(parsed).isGreaterThanOrEqualTo(Duration.ofSeconds(9_223_372_036L));
    assertThat(parsed.toNanos()).isPositive();
  }

  @Test
  void theLongestCountsExactly() throws UsageException {
    assertThat(DurationOption.parse("--grace", "9223372036.854775807s"))
        .isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    assertThat(DurationOption.parse("--grace", "9223372036.854775806s"))
        .isEqualTo(Duration.ofNanos(Long.MAX_VALUE - 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "s", "5", "1.5", "5x", "5 s", "1.2.3s", ".", ".s", "-1s", "-0s", "1e3s", "5S", "٣s"
      })
  void refusesOthersWithOptionValueAndCure(String text) {
    assertThatThrownBy(() -> DurationOption.parse("--grace", text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--grace " + text)
        .hasMessageContaining("like 500ms, 30s, 5m or 2h");
  }
}
