package io.headgate.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a budget of retries counts, in every corner in which one has been known to count wrong. */
@Tag("R3")
@Tag("CASE-34")
@Timeout(60)
class RetryBudgetTest {

  private final ManualTicker ticker = ManualTicker.create();

  private RetryBudget budget(int percent, int perSecond, int saved) {
    return RetryBudget.builder()
        .percent(percent)
        .perSecond(perSecond)
        .saved(saved)
        .ticker(ticker)
        .build("b");
  }

  private static void deposit(RetryBudget budget, int firstAttempts) {
    for (int i = 0; i < firstAttempts; i++) {
      budget.deposit();
    }
  }

  private static long drain(RetryBudget budget) {
    long taken = 0;
    while (budget.withdraw()) {
      taken++;
    }
    return taken;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1000, 10",
    "10, 1000, 100",
    "33, 1000, 330",
    "60, 1000, 600",
    "99, 1000, 990",
    "100, 1000, 1000",
    "7, 99, 6",
    "60, 1, 0",
    "60, 2, 1",
    "10, 9, 0",
    "10, 10, 1"
  })
  void exactlyItsShareOfFirstAttemptsPasses(int percent, int firstAttempts, long retries) {
    RetryBudget budget = budget(percent, 0, 10_000);
    deposit(budget, firstAttempts);
    assertThat(drain(budget)).isEqualTo(retries);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 60})
  void mixedDepositsAndWithdrawalsDoNotDrift(int percent) {
    RetryBudget budget = budget(percent, 0, 10);
    long taken = 0;
    for (int i = 0; i < 100_000; i++) {
      budget.deposit();
      taken += budget.withdraw() ? 1 : 0;
    }
    assertThat(taken).isEqualTo(1_000L * percent);
  }

  @Test
  void retriesPutNothingIn() {
    RetryBudget budget = budget(50, 0, 100);
    deposit(budget, 10);
    assertThat(drain(budget)).as("no withdrawal fed another").isEqualTo(5);
    assertThat(budget.withdraw()).isFalse();
    assertThat(budget.granted()).isEqualTo(5);
    assertThat(budget.refused()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "1, 59, 59", "5, 3, 15", "1000000, 1, 100"})
  void timeRefillsAnEmptyBudget(int perSecond, long seconds, long retries) {
    RetryBudget budget = budget(0, perSecond, 100);
    drain(budget);
    ticker.advance(Duration.ofSeconds(seconds).minusNanos(1));
    long before = drain(budget);
    ticker.advance(Duration.ofNanos(1));
    assertThat(before + drain(budget)).isEqualTo(retries);
  }

  @Test
  void readingTheClockOftenLosesNothingOfTheRefill() {
    RetryBudget budget = budget(0, 3, 100);
    drain(budget);
    for (int i = 0; i < 1_000_000; i++) {
      ticker.advance(Duration.ofNanos(1_000));
      assertThat(budget.available()).isLessThanOrEqualTo(3);
    }
    assertThat(drain(budget)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"100, 100", "1, 1", "1000000000, 1000000000"})
  void aQuietDaySavesNoMoreThanTheLimit(int saved, long available) {
    RetryBudget budget = budget(10, 1_000_000, saved);
    deposit(budget, 1_000);
    ticker.advance(Duration.ofDays(365));
    assertThat(budget.available()).isEqualTo(available);
    ticker.advance(Duration.ofDays(100_000));
    deposit(budget, 1_000);
    assertThat(budget.available()).isEqualTo(available);
  }

  @Test
  void theLargestSettingsDoNotOverflow() {
    RetryBudget budget = budget(100, RetryBudget.MAX_PER_SECOND, RetryBudget.MAX_SAVED);
    for (int i = 0; i < 1_000; i++) {
      ticker.advance(Duration.ofSeconds(Long.MAX_VALUE / 2_000_000_000_000L));
      deposit(budget, 10);
      assertThat(budget.available()).isBetween(1L, (long) RetryBudget.MAX_SAVED);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE - 500_000_000})
  @Tag("CASE-11")
  void readingsMayBeNegativeAndWrap(long start) {
    ManualTicker odd = ManualTicker.startingAt(start);
    RetryBudget budget =
        RetryBudget.builder().percent(0).perSecond(1).saved(5).ticker(odd).build("b");
    drain(budget);
    odd.advance(Duration.ofSeconds(2));
    assertThat(drain(budget)).isEqualTo(2);
  }

  @Test
  void itBeginsWithTenSecondsOfTheFloorButNeverMoreThanItSaves() {
    assertThat(budget(10, 1, 100).available()).isEqualTo(10);
    assertThat(budget(10, 1, 4).available()).isEqualTo(4);
    assertThat(budget(10, 0, 100).available()).isZero();
  }

  @Test
  @Tag("CASE-33")
  void whereEverythingFailsAttemptsStayWithinElevenTenthsOfTheRequests() {
    RetryBudget budget = budget(10, 0, 100);
    int attempts = 0;
    for (int request = 0; request < 100_000; request++) {
      budget.deposit();
      attempts++;
      while (budget.withdraw()) {
        attempts++;
      }
    }
    assertThat(attempts).isLessThanOrEqualTo(110_000);
  }

  @Test
  void threadsTogetherTakeNoMoreThanThereIs() throws Exception {
    RetryBudget budget = budget(10, 0, 1_000);
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      begin.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    for (int i = 0; i < 1_000; i++) {
                      budget.deposit();
                      budget.withdraw();
                    }
                  }));
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    drain(budget);
    assertThat(budget.granted()).isEqualTo(800);
  }

  @Test
  void budgetsOfOneNameAreOneAndOthersAreNot() {
    RetryBudget one = RetryBudget.shared("RetryBudgetTest.one");
    assertThat(RetryBudget.shared("RetryBudgetTest.one")).isSameAs(one);
    assertThat(RetryBudget.shared("RetryBudgetTest.other")).isNotSameAs(one);
    assertThat(RetryBudget.builder().build("RetryBudgetTest.one")).isNotSameAs(one);
    long before = one.available();
    assertThat(RetryBudget.shared("RetryBudgetTest.one").withdraw()).isTrue();
    assertThat(one.granted()).isOne();
    assertThat(before).isEqualTo(10);
  }

  @Test
  void oneNameWithOtherSettingsIsRefusedWithBoth() {
    RetryBudget one = RetryBudget.shared("RetryBudgetTest.settings");
    assertThatThrownBy(() -> RetryBudget.builder().percent(20).shared(one.name()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("10 % of first attempts")
        .hasMessageContaining("20 % of first attempts");
  }

  static Stream<Arguments> badSettings() {
    return Stream.of(
        bad("percent is -1", b -> b.percent(-1)),
        bad("percent is 101", b -> b.percent(101)),
        bad("perSecond is -1", b -> b.perSecond(-1)),
        bad("perSecond is 1000001", b -> b.perSecond(RetryBudget.MAX_PER_SECOND + 1)),
        bad("saved is 0", b -> b.saved(0)),
        bad("saved is -2147483648", b -> b.saved(Integer.MIN_VALUE)));
  }

  private static Arguments bad(String message, Consumer<RetryBudget.Builder> setting) {
    return Arguments.of(message, setting);
  }

  @ParameterizedTest
  @MethodSource("badSettings")
  @Tag("CASE-10")
  void badSettingIsRefusedAtOnce(String message, Consumer<RetryBudget.Builder> setting) {
    RetryBudget.Builder builder = RetryBudget.builder();
    assertThatThrownBy(() -> setting.accept(builder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void oneThatNothingFillsIsRefused() {
    assertThatThrownBy(() -> budget(0, 0, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("never has a token");
  }
}
