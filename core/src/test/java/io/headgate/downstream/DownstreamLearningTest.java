package io.headgate.downstream;

import static io.headgate.Criticality.CRITICAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.downstream.Entry.Cause;
import io.headgate.limit.AdaptiveConcurrency;
import io.headgate.limit.ClientThrottle;
import io.headgate.limit.RateLimit;
import io.headgate.testing.ManualTicker;
import io.headgate.waiting.Beside;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a downstream tells its throttle and its adaptive limit of the calls it sees. */
@Timeout(60)
final class DownstreamLearningTest {

  private static final Duration HANG = Duration.ofSeconds(30);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final ManualTicker ticker = ManualTicker.create();
  private final ClientThrottle throttle =
      ClientThrottle.builder().ticker(ticker).random(new SplittableRandom(7)).build();
  private final AdaptiveConcurrency limit =
      AdaptiveConcurrency.aimd(Duration.ofMillis(100)).initial(1).max(3).ticker(ticker).build();
  private final Downstream search =
      Downstream.builder("search")
          .adaptive(limit)
          .throttle(throttle)
          .overloadWhen(failure -> failure instanceof TimeoutException)
          .ticker(ticker)
          .build();

  @Test
  @Tag("O2")
  @Tag("CASE-37")
  void failureThatIsNoOverloadIsACallThatWasAccepted() {
    assertThatThrownBy(() -> fail(new IOException("not found"))).isInstanceOf(IOException.class);

    assertThat(throttle.requests(CRITICAL)).isOne();
    assertThat(throttle.accepts(CRITICAL)).isOne();
    assertThat(limit.drops()).isZero();
    assertThat(limit.samples()).isOne();
  }

  @Test
  @Tag("O2")
  @Tag("CASE-38")
  void overloadIsARequestWithoutAcceptAndADrop() {
    assertThatThrownBy(() -> fail(new TimeoutException())).isInstanceOf(TimeoutException.class);

    assertThat(throttle.requests(CRITICAL)).isOne();
    assertThat(throttle.accepts(CRITICAL)).isZero();
    assertThat(limit.drops()).isOne();
  }

  @Test
  @Tag("CASE-37")
  void whatIsGivenUpOnThisSideIsNoWordOfTheDependency() {
    for (Exception end :
        new Exception[] {
          new InterruptedException(),
          new CancellationException(),
          new ClosedByInterruptException(),
          new RuntimeException(new IOException(new InterruptedException()))
        }) {
      assertThatThrownBy(() -> fail(end)).isSameAs(end);
    }
    assertThat(throttle.requests(CRITICAL)).isZero();
    assertThat(throttle.accepts(CRITICAL)).isZero();
    assertThat(limit.samples()).isZero();
  }

  @Test
  @Tag("CASE-37")
  void callThatFoundNoRoomHereIsNoWordOfTheDependency() throws Exception {
    Downstream single =
        Downstream.builder("single").concurrency(1).throttle(throttle).ticker(ticker).build();
    for (int i = 0; i < 100; i++) {
      single.call(() -> 1, Duration.ZERO);
    }
    try (Permit held = (Permit) single.acquire(Duration.ZERO)) {
      assertThat(single.acquire(Duration.ZERO).isPermitted()).isFalse();
      Beside<Entry> waiting = Beside.call(() -> single.acquire(FOR_EVER));
      assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
      waiting.interrupt();
      assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
      assertThat(throttle.requests(CRITICAL)).as("with the permit held").isEqualTo(101);
      held.accepted();
    }
    assertThat(throttle.accepts(CRITICAL)).isEqualTo(101);
  }

  @Test
  @Tag("O2")
  void callIsThrottledWithoutTakingAnything() throws Exception {
    int throttled = 0;
    for (int i = 0; i < 200; i++) {
      switch (search.acquire(Duration.ZERO)) {
        case Permit permit -> {
          permit.rejected();
          permit.close();
        }
        case Entry.Refused refusal -> {
          assertThat(refusal.cause()).isEqualTo(Cause.THROTTLED);
          throttled++;
        }
      }
    }
    assertThat(throttled).isGreaterThan(150);
    assertThat(search.report().inUse()).isZero();
    assertThat(search.report().refused()).containsEntry(Cause.THROTTLED, (long) throttled);
    assertThat(limit.drops()).isEqualTo(200 - throttled);
  }

  @Test
  @Tag("CASE-38")
  void limitThatRisesLetsInThoseWhoWait() throws Exception {
    Downstream risen = Downstream.builder("risen").adaptive(limit).ticker(ticker).build();
    Permit held = (Permit) risen.acquire(Duration.ZERO);
    Beside<Entry> second = Beside.call(() -> risen.acquire(FOR_EVER));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    // Reported while the call is still in flight: the limit goes from one to two.
    held.accepted();

    Permit permit = (Permit) second.result();
    assertThat(risen.report().concurrency()).isEqualTo(2);
    assertThat(risen.report().inUse()).isEqualTo(2);
    held.accepted();
    assertThat(limit.samples()).as("an answer counts once").isOne();
    held.close();
    permit.close();
    assertThatThrownBy(() -> risen.setConcurrency(5)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Tag("CASE-10")
  void settingsThatContradictAreRefusedWithBothValues() {
    assertThatThrownBy(() -> Downstream.builder("d").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("concurrency is not given and adaptive is null");
    assertThatThrownBy(() -> Downstream.builder("d").concurrency(3).adaptive(limit).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("concurrency is 3 and adaptive is AdaptiveConcurrency[limit 1]");
    RateLimit elsewhere = RateLimit.perSecond(1).build();
    assertThatThrownBy(
            () -> Downstream.builder("d").concurrency(1).rate(elsewhere).ticker(ticker).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.0 starts per second")
        .hasMessageContaining("another ticker");
    for (int wrong : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> Downstream.builder("d").concurrency(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(wrong));
    }
    assertThatThrownBy(() -> Downstream.builder("d").maxWaiting(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void fail(Exception end) throws Exception {
    search.call(
        () -> {
          throw end;
        },
        Duration.ZERO);
  }
}
