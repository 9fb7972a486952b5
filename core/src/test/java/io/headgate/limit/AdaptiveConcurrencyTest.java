package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.ManualTicker;
import io.headgate.waiting.Beside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is told of a limit, and which settings make one. */
@Timeout(60)
final class AdaptiveConcurrencyTest {

  private static final Duration CEILING = Duration.ofMillis(100);

  private final ManualTicker ticker = ManualTicker.create();
  private final AdaptiveConcurrency limit =
      AdaptiveConcurrency.aimd(CEILING).initial(2).max(10).ticker(ticker).build();
  private final List<Integer> told = new ArrayList<>();

  @Test
  @Tag("CASE-38")
  void listenerHearsEveryNewLimitAndTheFirst() {
    limit.onChange(told::add);
    grow();
    ticker.advance(Duration.ofSeconds(1));
    limit.onSample(0, 1, true);
    limit.onSample(0, 1, false);

    assertThat(told).containsExactly(2, 3, 2);
    assertThat(limit.limit()).isEqualTo(2);
    assertThat(limit.drops()).isOne();
    assertThat(limit.samples()).isEqualTo(4);
  }

  @Test
  void listenerThatFailsHarmsNobody() {
    limit.onChange(
        value -> {
          throw new IllegalStateException("planted");
        });
    limit.onChange(told::add);
    grow();

    assertThat(told).containsExactly(2, 3);
  }

  @Test
  @Tag("CASE-38")
  void slowListenerHearsTheLatestLimitLast() throws Exception {
    CountDownLatch isTold = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    limit.onChange(
        value -> {
          synchronized (told) {
            told.add(value);
          }
          if (value == 3) {
            isTold.countDown();
            await(goOn);
          }
        });
    Beside<Boolean> first =
        Beside.call(
            () -> {
              grow();
              return true;
            });
    await(isTold);
    grow();
    grow();
    assertThat(limit.limit()).isEqualTo(5);
    goOn.countDown();
    first.result();

    assertThat(told).containsExactly(2, 3, 5);
  }

  @Test
  @Tag("CASE-11")
  void negativeTimeCountsAsNone() {
    limit.onSample(Long.MIN_VALUE, 2, false);
    assertThat(limit.samples()).isOne();
    assertThat(limit.limit()).isEqualTo(2);
  }

  @Test
  @Tag("CASE-10")
  void settingsThatContradictAreRefusedWithTheirValues() {
    assertThatThrownBy(() -> AdaptiveConcurrency.aimd(CEILING).initial(11).max(10).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("initial 11 and max 10");
    assertThatThrownBy(() -> AdaptiveConcurrency.gradient(CEILING).floor(12).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("floor is 12, initial 10");
    assertThatThrownBy(() -> AdaptiveConcurrency.aimd(CEILING).probeShare(0.5).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("AIMD");
    assertThatThrownBy(() -> AdaptiveConcurrency.aimd(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AdaptiveConcurrency.gradient(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AdaptiveConcurrency.gradient(CEILING).probeEvery(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    for (double wrong : new double[] {0, 1, -1, Double.NaN}) {
      assertThatThrownBy(() -> AdaptiveConcurrency.aimd(CEILING).backoff(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(wrong));
      assertThatThrownBy(() -> AdaptiveConcurrency.gradient(CEILING).probeShare(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> AdaptiveConcurrency.gradient(CEILING).tolerance(0.5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AdaptiveConcurrency.aimd(CEILING).floor(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** One round at the limit. */
  private void grow() {
    int calls = limit.limit();
    for (int i = 0; i < calls; i++) {
      limit.onSample(1_000, 10, false);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).as("hang").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
