package io.headgate.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a policy says of attempts, back-off and failures. */
class RetryPolicyTest {

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
  private static final RetryPolicy POLICY =
      RetryPolicy.attempts(30).backoff(Duration.ofMillis(100), Duration.ofSeconds(20));

  private static final class Final extends RuntimeException implements DoNotRetry {
    private static final long serialVersionUID = 1L;

    Final() {
      super("the account is closed");
    }
  }

  private static final class Circle extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      return this;
    }
  }

  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause for you");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, PT0.1S",
    "2, PT0.2S",
    "3, PT0.4S",
    "8, PT12.8S",
    "9, PT20S",
    "20, PT20S",
    "99, PT20S",
    "2147483647, PT20S"
  })
  @Tag("R2")
  void longestBackoffGrowsUpToTheCap(int retry, Duration longest) {
    assertThat(POLICY.longestBackoff(retry)).isEqualTo(longest);
  }

  /** Were the jitter under the cap, late clients would all come back at the same moment. */
  @Test
  @Tag("R2")
  @Tag("CASE-32")
  void lateBackoffsAreSpreadOverTheWholeRange() {
    long seed = Long.getLong("headgate.retry.seed", new Random().nextLong());
    RetryPolicy policy = POLICY.random(new Random(seed));
    int buckets = 10;
    int[] hits = new int[buckets];
    long cap = Duration.ofSeconds(20).toNanos();
    for (int i = 0; i < 2_000; i++) {
      long drawn = policy.drawBackoff(20, Duration.ZERO).toNanos();
      assertThat(drawn).as("-Dheadgate.retry.seed=%d", seed).isBetween(0L, cap);
      hits[(int) Math.min(buckets - 1, drawn * buckets / cap)]++;
    }
    for (int hit : hits) {
      // 200 are expected; a fair draw is outside of this once in 10^10 runs.
      assertThat(hit).as("-Dheadgate.retry.seed=%d", seed).isBetween(110, 300);
    }
  }

  @Test
  @Tag("R2")
  void bothEndsOfTheRangeAreDrawn() {
    RetryPolicy tiny =
        RetryPolicy.attempts(3)
            .backoff(Duration.ofNanos(2), Duration.ofNanos(2))
            .random(new Random(1));
    assertThat(
            LongStream.range(0, 200)
                .map(i -> tiny.drawBackoff(1, Duration.ZERO).toNanos())
                .distinct()
                .sorted()
                .toArray())
        .containsExactly(0, 1, 2);
  }

  @Test
  @Tag("R2")
  void whatTheFailureAsksForIsNeverUndercut() {
    Duration asked = Duration.ofSeconds(7);
    RetryPolicy policy = POLICY.random(new Random(2));
    boolean added = false;
    for (int i = 0; i < 1_000; i++) {
      Duration drawn = policy.drawBackoff(1, asked);
      assertThat(drawn).isBetween(asked, asked.plusMillis(100));
      added |= drawn.compareTo(asked) > 0;
    }
    assertThat(added).as("the back-off is added").isTrue();
  }

  @Test
  @Tag("R2")
  @Tag("T2")
  @Tag("CASE-10")
  void durationsSaturate() {
    RetryPolicy policy =
        RetryPolicy.attempts(5)
            .backoff(FOR_EVER, 1e300, FOR_EVER)
            .timeout(FOR_EVER)
            .deadline(FOR_EVER);
    assertThat(policy.longestBackoff(4)).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    for (int i = 0; i < 100; i++) {
      assertThat(policy.drawBackoff(4, FOR_EVER)).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    }
    assertThat(RetryPolicy.attempts(2).backoff(Duration.ZERO, Duration.ZERO).longestBackoff(50))
        .isEqualTo(Duration.ZERO);
  }

  @Test
  @Tag("R1")
  void attemptsAreCountedInTotal() {
    assertThat(RetryPolicy.attempts(3).attempts()).isEqualTo(3);
    assertThat(RetryPolicy.attempts(1).attempts()).isEqualTo(1);
  }

  static Stream<Arguments> badSettings() {
    Duration second = Duration.ofSeconds(1);
    Duration negative = Duration.ofNanos(-1);
    RetryPolicy fine = RetryPolicy.attempts(3);
    return Stream.of(
        bad("attempts is 0", () -> RetryPolicy.attempts(0)),
        bad("attempts is -3", () -> RetryPolicy.attempts(-3)),
        bad("attempts is 101", () -> RetryPolicy.attempts(RetryPolicy.MAX_ATTEMPTS + 1)),
        bad("base is PT-0.000000001S", () -> fine.backoff(negative, second)),
        bad("cap is PT-0.000000001S", () -> fine.backoff(Duration.ZERO, negative)),
        bad("cap is PT1S", () -> fine.backoff(second.plusNanos(1), second)),
        bad("base, which is PT1.000000001S", () -> fine.backoff(second.plusNanos(1), second)),
        bad("multiplier is 0.99", () -> fine.backoff(second, 0.99, second)),
        bad("multiplier is NaN", () -> fine.backoff(second, Double.NaN, second)),
        bad("multiplier is Infinity", () -> fine.backoff(second, 1 / 0.0, second)),
        bad("timeout is zero", () -> fine.timeout(Duration.ZERO)),
        bad("timeout is PT-0.000000001S", () -> fine.timeout(negative)),
        bad("deadline is zero", () -> fine.deadline(Duration.ZERO)),
        bad("deadline is PT-0.000000001S", () -> fine.deadline(negative)),
        bad("retry is 0", () -> fine.longestBackoff(0)),
        bad("retryAfter is PT-0.000000001S", () -> new RetryableException("x", negative)),
        bad("retryAfter is PT-0.000000001S", () -> new OverloadedException(negative)));
  }

  private static Arguments bad(String message, Runnable setting) {
    return Arguments.of(message, setting);
  }

  @ParameterizedTest
  @MethodSource("badSettings")
  @Tag("CASE-10")
  void badSettingIsRefusedAtOnce(String message, Runnable setting) {
    assertThatThrownBy(setting::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void changingAPolicyLeavesTheFirstOneAsItWas() {
    RetryPolicy first = RetryPolicy.attempts(3);
    RetryPolicy second = first.idempotent().deadline(Duration.ofSeconds(9));
    assertThat(first.isIdempotent()).isFalse();
    assertThat(first.deadline()).isEmpty();
    assertThat(second.isIdempotent()).isTrue();
    assertThat(second.deadline()).contains(Duration.ofSeconds(9));
    assertThat(second.attempts()).isEqualTo(3);
    assertThat(second)
        .hasToString(
            "RetryPolicy[attempts 3, back-off PT0.1S x 2.0 up to PT20S, deadline PT9S, idempotent]");
  }

  // ---- failures ----

  @Test
  void everyExceptionIsRetriedByDefaultAndNoError() {
    RetryPolicy policy = RetryPolicy.attempts(3);
    assertThat(policy.retries(new IOException("reset"))).isTrue();
    assertThat(policy.retries(new IllegalStateException("busy"))).isTrue();
    assertThat(policy.retries(new OutOfMemoryError("full"))).isFalse();
    assertThat(policy.retries(new AssertionError("wrong"))).isFalse();
  }

  @Test
  void thePredicateDecidesButForWhatAsksByItself() {
    RetryPolicy policy = RetryPolicy.attempts(3).retryIf(IOException.class::isInstance);
    assertThat(policy.retries(new IOException("reset"))).isTrue();
    assertThat(policy.retries(new IllegalStateException("bug"))).isFalse();
    assertThat(policy.retries(new RetryableException("later"))).isTrue();
    assertThat(policy.retries(new IllegalStateException(new RetryableException("later")))).isTrue();
    assertThat(policy.retries(new OverloadedException(Duration.ofSeconds(1)))).isTrue();
  }

  @Test
  @Tag("R4")
  void overloadedWithoutATimeIsNotRetriedAndIsToldFromFailed() {
    OverloadedException told = OverloadedException.doNotRetry("queue over there is full");
    assertThat(POLICY.retries(told)).isFalse();
    assertThat(FailureSigns.of(told).isOverload()).isTrue();
    assertThat(FailureSigns.of(new IllegalStateException("wrapped", told)).isOverload()).isTrue();
    assertThat(FailureSigns.of(new RetryableException("failed")).isOverload()).isFalse();
    FailureSigns later = FailureSigns.of(new OverloadedException(Duration.ofSeconds(3)));
    assertThat(later.isOverload()).isTrue();
    assertThat(later.isFinal()).isFalse();
    assertThat(later.retryAfter()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void theMarkIsFinalHoweverItIsWrapped() {
    RetryPolicy eager = RetryPolicy.attempts(3).retryIf(failure -> true);
    assertThat(eager.retries(new Final())).isFalse();
    assertThat(eager.retries(new RetryableException("wrapped", new Final()))).isFalse();
    assertThat(eager.retries(new IllegalStateException(new IOException(new Final())))).isFalse();
  }

  @Test
  @Tag("R8")
  void uncertainEffectsAreASignOfTheFailure() {
    Throwable lost = RetryableException.uncertain("answer lost", new IOException("reset"));
    assertThat(FailureSigns.of(lost).effectsUncertain()).isTrue();
    assertThat(FailureSigns.of(new IllegalStateException(lost)).effectsUncertain()).isTrue();
    assertThat(FailureSigns.of(new RetryableException("refused")).effectsUncertain()).isFalse();
  }

  @Test
  @Tag("P5")
  void oddCausesHarmNobody() {
    assertThat(POLICY.retries(new Circle())).isTrue();
    assertThat(POLICY.retries(new Hostile())).isTrue();
  }
}
