package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTextTest {
  @Test
  void withoutATotalThereIsNoPercentageAndNoEstimate() {
    assertThat(StatusText.bar(Progresses.endless(3), 200))
        .isEqualTo("3 completed, 0 failed, 4 running, 3 waiting, 2.0/s, 1:00");
  }

  @Test
  void withATotalThereIsAGauge() {
    assertThat(StatusText.bar(Progresses.at(0.75), 200))
        .isEqualTo(
            "[##############################..........] 75%, 90 completed, 1 failed, 4 running,"
                + " 3 waiting, 12/s, 1:00, ETA 2:05");
  }

  @Test
  void aHundredPercentIsSaidWhenItIsTrue() {
    assertThat(StatusText.line(Progresses.at(0.9999), 200)).startsWith("99%, ");
    assertThat(StatusText.line(Progresses.at(1), 200)).startsWith("100%, ");
  }

  @Test
  void everyWidthIsKeptAndWhatIsLeftOutIsLeftOutWhole() {
    String whole = StatusText.line(Progresses.at(0.5), StatusText.ANY_WIDTH);
    for (int width = 0; width < 200; width++) {
      String bar = StatusText.bar(Progresses.at(0.5), width);
      assertThat(bar).hasSizeLessThanOrEqualTo(width).matches("[\\x20-\\x7e]*");
      String line = StatusText.line(Progresses.at(0.5), width);
      if (width >= "90 completed".length()) {
        assertThat(whole.split(", ")).contains(line.split(", "));
      }
    }
  }

  @Test
  void theNarrowestSayHowManyAreDoneOfHowMuch() {
    assertThat(StatusText.line(Progresses.at(0.5), 17)).isEqualTo("50%, 90 completed");
    assertThat(StatusText.line(Progresses.at(0.5), 16)).isEqualTo("90 completed");
    assertThat(StatusText.line(Progresses.at(0.5), 5)).isEqualTo("90 co");
  }

  @Test
  void otherEndsAreSaidWhereThereAreAny() {
    Map<Fate.Kind, Long> fates = new EnumMap<>(Fate.Kind.class);
    fates.put(Fate.Kind.REFUSED, 2L);
    fates.put(Fate.Kind.UNSTARTED, 3L);
    Counts counts = new Counts(fates, 5, 0, 0, Double.NaN);
    Snapshot snapshot = new Snapshot(counts, 0, 0, Double.NaN, Snapshot.UNKNOWN);
    assertThat(StatusText.line(snapshot, 200))
        .isEqualTo(
            "0 completed, 0 failed, 3 unstarted, 2 refused, 5 skipped, 0 running, 0 waiting,"
                + " 0.0/s, 0:00");
  }

  @ParameterizedTest
  @CsvSource({"1234.5, 1235/s", "10, 10/s", "1.25, 1.3/s", "0.25, 15.0/min", "0, 0.0/s"})
  void aSlowRateIsSaidByTheMinute(double perSecond, String text) {
    Snapshot snapshot =
        new Snapshot(
            Progresses.counts(1, 0, Double.NaN), 0, perSecond, Double.NaN, Snapshot.UNKNOWN);
    assertThat(StatusText.line(snapshot, 200)).contains(", " + text + ", ");
  }

  @ParameterizedTest
  @CsvSource({"0, 0:00", "59, 0:59", "60, 1:00", "3599, 59:59", "3600, 1:00:00", "90061, 25:01:01"})
  void timesHaveHoursWhereTheyNeedThem(long seconds, String text) {
    assertThat(StatusText.time(seconds * Progresses.SECOND)).isEqualTo(text);
  }
}
