package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import io.headgate.testing.ManualTicker;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is measured, in virtual time where the platform lets us. */
final class OverloadSignalTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MILLI = Duration.ofMillis(1);

  private final ManualTicker ticker = ManualTicker.startingAt(Long.MAX_VALUE - 500_000_000);

  @Test
  @Tag("O3")
  void shortBurstIsNoLoadAndALastingOneIs() {
    AtomicInteger runnable = new AtomicInteger();
    OverloadSignal signal = OverloadSignal.executorLoad(runnable::get, 2, SECOND, ticker);
    runnable.set(1_000);
    signal.load();
    ticker.advance(MILLI);
    runnable.set(0);
    assertThat(signal.load()).isLessThan(1);

    runnable.set(4);
    signal.load();
    for (int i = 0; i < 50; i++) {
      ticker.advance(Duration.ofMillis(100));
      signal.load();
    }
    assertThat(signal.load()).isCloseTo(2, offset(0.05));
    runnable.set(0);
    signal.load();
    ticker.advance(SECOND);
    assertThat(signal.load()).as("and ends by itself").isLessThan(1);
  }

  @Test
  @Tag("O3")
  void smoothingDoesNotDependOnHowOftenItIsSampled() {
    SmoothedLoad often = new SmoothedLoad(1_000, 0);
    SmoothedLoad seldom = new SmoothedLoad(1_000, 0);
    often.observe(8, 0);
    seldom.observe(8, 0);
    for (int now = 1; now < 2_000; now++) {
      often.observe(8, now);
    }
    assertThat(often.observe(8, 2_000)).isCloseTo(seldom.observe(8, 2_000), offset(1e-9));
    assertThat(often.observe(8, 1_000)).as("a reading that came late").isLessThan(8);
  }

  @Test
  @Tag("O3")
  void processorTimeIsCountedBetweenTwoLooks() {
    AtomicReference<Optional<Duration>> used = new AtomicReference<>(Optional.of(SECOND));
    CpuShare share = new CpuShare(used::get, 2, ticker);
    assertThat(share.getAsDouble()).isZero();
    ticker.advance(SECOND);
    used.set(Optional.of(SECOND.multipliedBy(2)));
    assertThat(share.getAsDouble()).isEqualTo(0.5);
    assertThat(share.getAsDouble()).as("nothing new at the same time").isEqualTo(0.5);
    ticker.advance(SECOND);
    assertThat(share.getAsDouble()).isZero();

    CpuShare unknown = new CpuShare(Optional::empty, 2, ticker);
    ticker.advance(SECOND);
    assertThat(unknown.getAsDouble()).isZero();
  }

  @Test
  @Tag("O3")
  void platformSaysSomethingOfProcessorAndHeap() {
    OverloadSignal cpu = OverloadSignal.processCpu(0.9, 2, Ticker.system());
    assertThat(cpu.name()).isEqualTo("cpu");
    assertThat(cpu.load()).isNotNegative();
    System.gc();
    assertThat(OverloadSignal.heapAfterCollection(0.8).load()).isBetween(1e-9, 1.25);
  }

  @Test
  @Tag("O3")
  void queueDelayIsMeasuredAgainstItsThreshold() {
    AtomicLong millis = new AtomicLong();
    OverloadSignal signal =
        OverloadSignal.queueDelay(() -> Duration.ofMillis(millis.get()), SECOND);
    assertThat(signal.load()).isZero();
    millis.set(1_500);
    assertThat(signal.load()).isEqualTo(1.5);
  }

  @Test
  @Tag("CASE-10")
  void numbersThatAreNoneAreRefused() {
    assertThatThrownBy(() -> OverloadSignal.executorLoad(() -> 0, 0, SECOND, ticker))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OverloadSignal.executorLoad(() -> 0, 1, Duration.ZERO, ticker))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OverloadSignal.queueDelay(() -> SECOND, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OverloadSignal.processCpu(1.1, 2, ticker))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
