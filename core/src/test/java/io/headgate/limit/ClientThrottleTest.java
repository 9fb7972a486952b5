package io.headgate.limit;

import static io.headgate.Criticality.CRITICAL;
import static io.headgate.Criticality.SHEDDABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import io.headgate.limit.ClientThrottle.Attempt;
import io.headgate.limit.ClientThrottle.Passed;
import io.headgate.limit.ClientThrottle.Throttled;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The throttle in virtual time, with the chance of one seed. */
@Timeout(60)
final class ClientThrottleTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final double PROBE = 0.01;

  private final ManualTicker ticker = ManualTicker.startingAt(Long.MAX_VALUE - 1_000_000_000);
  private final ClientThrottle throttle = throttle(2);

  @ParameterizedTest
  @CsvSource({
    "2, 0, 0, 0",
    "2, 1, 0, 0.5",
    "2, 100, 100, 0",
    "2, 100, 50, 0",
    "2, 100, 49, 0.0198",
    "2, 100, 10, 0.7921",
    "2, 100, 0, 0.9901",
    "1.1, 100, 90, 0.0099"
  })
  @Tag("O2")
  void probabilityIsThatOfTheFormula(double k, int requests, int accepts, double expected) {
    assertThat(ThrottleWindow.probability(requests, accepts, k))
        .isCloseTo(expected, offset(0.00005));
    ThrottleWindow window = new ThrottleWindow(k, MINUTE.toNanos(), 1e-9, 0);
    for (int i = 0; i < requests; i++) {
      long bucket = window.request(0);
      if (i < accepts) {
        window.accept(0, bucket);
      }
    }
    assertThat(window.rejection(0)).isCloseTo(expected, offset(0.00005));
  }

  @Test
  @Tag("O2")
  @Tag("CASE-35")
  void requestsCountWhenAttemptedAndWhileTheyHang() {
    for (int i = 0; i < 100; i++) {
      throttle.attempt();
    }
    assertThat(throttle.requests(CRITICAL)).isEqualTo(100);
    assertThat(throttle.accepts(CRITICAL)).isZero();
    assertThat(throttle.throttled()).as("own refusals are requests, too").isPositive();
    assertThat(throttle.rejectionProbability(CRITICAL)).isEqualTo(1 - PROBE, offset(0.001));
  }

  @Test
  @Tag("O2")
  @Tag("CASE-37")
  void whatIsGivenUpHereCountsNeitherWay() {
    for (int i = 0; i < 100; i++) {
      try (Passed call = (Passed) throttle.attempt()) {
        assertThat(call.isPassed()).isTrue();
      }
    }
    assertThat(throttle.requests(CRITICAL)).isZero();
    assertThat(throttle.accepts(CRITICAL)).isZero();
    assertThat(throttle.rejectionProbability(CRITICAL)).isZero();
  }

  @Test
  @Tag("O2")
  @Tag("CASE-37")
  void ownRefusalIsNeverAnAccept() {
    for (int i = 0; i < 10_000; i++) {
      if (throttle.attempt() instanceof Passed call) {
        call.rejected();
      }
    }
    assertThat(throttle.accepts(CRITICAL)).isZero();
    assertThat(throttle.requests(CRITICAL)).isEqualTo(10_000);
  }

  @Test
  @Tag("CASE-2")
  void secondAnswerIsACountedNothing() {
    Passed call = (Passed) throttle.attempt();
    call.accepted();
    call.accepted();
    call.rejected();
    call.close();

    assertThat(throttle.accepts(CRITICAL)).isOne();
    assertThat(throttle.requests(CRITICAL)).isOne();
    assertThat(throttle.answeredTwice()).isEqualTo(2);
  }

  @Test
  @Tag("O2")
  void criticalitiesAreCountedApart() {
    for (int i = 0; i < 100; i++) {
      throttle.attempt(SHEDDABLE);
    }
    assertThat(throttle.rejectionProbability(SHEDDABLE)).isGreaterThan(0.9);
    assertThat(throttle.rejectionProbability(CRITICAL)).isZero();
  }

  @Test
  @Tag("O2")
  void windowSlidesAndForgets() {
    for (int i = 0; i < 10; i++) {
      throttle.attempt();
    }
    ticker.advance(MINUTE);
    throttle.attempt();
    assertThat(throttle.requests(CRITICAL)).isEqualTo(11);
    ticker.advance(MINUTE);
    assertThat(throttle.requests(CRITICAL)).isOne();
    ticker.advance(MINUTE.multipliedBy(1_000));
    assertThat(throttle.requests(CRITICAL)).isZero();
    throttle.attempt();
    assertThat(throttle.requests(CRITICAL)).isOne();
  }

  @Test
  @Tag("CASE-35")
  void answerThatComesAfterTheWindowCountsNowhere() {
    Passed late = (Passed) throttle.attempt();
    Passed lateClosed = (Passed) throttle.attempt(SHEDDABLE);
    ticker.advance(MINUTE.multipliedBy(3));
    late.accepted();
    lateClosed.close();

    assertThat(throttle.accepts(CRITICAL)).isZero();
    assertThat(throttle.requests(SHEDDABLE)).isZero();
  }

  @Test
  @Tag("CASE-11")
  void readingThatCameLateIsCounted() {
    ThrottleWindow window = new ThrottleWindow(2, MINUTE.toNanos(), PROBE, 0);
    window.request(MINUTE.toNanos());
    window.request(MINUTE.toNanos() - 1_000_000_000);
    assertThat(window.requests(MINUTE.toNanos())).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 1.1})
  @Tag("O2")
  void asManyReachTheDependencyAsItAcceptsTimesK(double k) {
    ClientThrottle closed = throttle(k);
    // A thousand attempts a second, of which the dependency takes on a hundred.
    long reached = 0;
    long accepted = 0;
    for (int second = 0; second < 600; second++) {
      int left = 100;
      for (int i = 0; i < 1_000; i++) {
        ticker.advance(MILLI);
        if (closed.attempt() instanceof Passed call) {
          boolean isSteady = second >= 300;
          reached += isSteady ? 1 : 0;
          if (left-- > 0) {
            call.accepted();
            accepted += isSteady ? 1 : 0;
          } else {
            call.rejected();
          }
        }
      }
    }
    assertThat(reached / (double) accepted).isCloseTo(k, offset(0.1));
  }

  @Test
  @Tag("O2")
  @Tag("CASE-35")
  void shareOfProbesPassesWhateverTheCounts() {
    int passed = 0;
    for (int i = 0; i < 100_000; i++) {
      ticker.advance(MILLI);
      if (throttle.attempt().isPassed()) {
        passed++;
      }
    }
    assertThat(passed).isBetween(900, 1_150);
  }

  @Test
  @Tag("O2")
  @Tag("CASE-35")
  void recoversByItselfAfterASlowOutage() {
    // Ten attempts a second; the dependency hangs for three minutes, longer than the window.
    Deque<Passed> hanging = new ArrayDeque<>();
    for (int i = 0; i < 1_800; i++) {
      ticker.advance(MILLI.multipliedBy(100));
      if (throttle.attempt() instanceof Passed call) {
        hanging.add(call);
      }
    }
    assertThat(throttle.rejectionProbability(CRITICAL)).isGreaterThan(0.95);
    hanging.forEach(Passed::rejected);

    long tenths = 0;
    while (throttle.rejectionProbability(CRITICAL) > 0) {
      ticker.advance(MILLI.multipliedBy(100));
      if (throttle.attempt() instanceof Passed call) {
        call.accepted();
      }
      tenths++;
      assertThat(tenths).as("tenths of a second until all pass again").isLessThan(10 * 600);
    }
    for (int i = 0; i < 1_000; i++) {
      Attempt attempt = throttle.attempt();
      assertThat(attempt).isNotSameAs(Throttled.INSTANCE);
      ((Passed) attempt).accepted();
    }
  }

  @Test
  @Tag("CASE-10")
  void numbersThatAreNoneAreRefused() {
    for (double k : new double[] {0.99, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> ClientThrottle.builder().k(k))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(k));
    }
    for (double share : new double[] {0, -1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> ClientThrottle.builder().probeShare(share))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(share));
    }
    assertThatThrownBy(() -> ClientThrottle.builder().window(Duration.ofNanos(999)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0.000000999S");
    assertThatThrownBy(() -> ClientThrottle.builder().window(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private ClientThrottle throttle(double k) {
    return ClientThrottle.builder()
        .k(k)
        .probeShare(PROBE)
        .ticker(ticker)
        .random(new SplittableRandom(42))
        .build();
  }
}
