package io.headgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.limit.RateDecision.Refused;
import io.headgate.testing.ManualTicker;
import io.headgate.waiting.Beside;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that wait for their start. */
@Timeout(60)
final class RateLimitWaitingTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TENTH = Duration.ofMillis(100);
  private static final Duration HANG = Duration.ofSeconds(30);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final ManualTicker ticker = ManualTicker.create();
  private final RateLimit limit = RateLimit.perSecond(10).maxWaiting(3).ticker(ticker).build();

  @Test
  @Tag("CASE-7")
  void whoCannotStartInTimeIsToldTheTimeAtOnce() throws Exception {
    limit.tryStart();
    assertThat(limit.acquire(TENTH.minusNanos(1)))
        .isEqualTo(new Refused(Refused.Cause.RATE, TENTH));
    assertThat(limit.acquire(Duration.ZERO)).isEqualTo(new Refused(Refused.Cause.RATE, TENTH));
    assertThat(ticker.waiters()).isZero();
    assertThat(limit.refused()).isEqualTo(2);
  }

  @Test
  @Tag("CASE-7")
  void timeOfWhoeverWaitsAheadIsCountedIn() throws Exception {
    limit.tryStart();
    Beside<RateDecision> first = waiting(1);
    Beside<RateDecision> second = waiting(2);

    assertThat(limit.acquire(Duration.ofMillis(299)))
        .isEqualTo(new Refused(Refused.Cause.RATE, Duration.ofMillis(300)));
    assertThat(limit.tryStart()).isEqualTo(300_000_000);
    letPass(TENTH);
    assertThat(first.result().isStarted()).isTrue();
    letPass(TENTH);
    assertThat(second.result().isStarted()).isTrue();
    assertThat(limit.waiting()).isZero();
  }

  @Test
  @Tag("A3")
  void nobodyOvertakesThoseWhoWait() throws Exception {
    limit.tryStart();
    Beside<RateDecision> first = waiting(1);
    ticker.advance(TENTH.minusNanos(1));
    assertThat(limit.tryStart()).as("the free start is that of the first").isPositive();
    ticker.advance(Duration.ofNanos(1));
    assertThat(first.result().isStarted()).isTrue();
    assertThat(limit.tryStart()).isEqualTo(100_000_000);
  }

  @Test
  @Tag("CASE-36")
  @Tag("CASE-13")
  void interruptedCallerHasTakenNothingAndThoseBehindMoveUp() throws Exception {
    limit.tryStart();
    Beside<RateDecision> first = waiting(1);
    Beside<RateDecision> second = waiting(2);

    first.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    assertThat(limit.waiting()).isOne();
    assertThat(limit.tryStart()).isEqualTo(200_000_000);
    Beside.until(() -> ticker.waiters() == 1);
    letPass(TENTH);
    assertThat(second.result().isStarted()).isTrue();
    assertThat(limit.started()).isEqualTo(2);
  }

  @Test
  @Tag("CASE-13")
  void callerThatIsInterruptedAlreadyTakesNothing() throws Exception {
    Beside<RateDecision> caller =
        Beside.call(
            () -> {
              Thread.currentThread().interrupt();
              return limit.acquire(FOR_EVER);
            });

    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(limit.started()).isZero();
    assertThat(limit.tryStart()).isZero();
  }

  @Test
  @Tag("CASE-5")
  void callersThatWaitAreBoundedAndVisible() throws Exception {
    limit.tryStart();
    for (int i = 1; i <= 3; i++) {
      waiting(i);
    }

    assertThat(limit.waiting()).isEqualTo(3);
    assertThat(limit.acquire(FOR_EVER))
        .isEqualTo(new Refused(Refused.Cause.TOO_MANY_WAITING, Duration.ofMillis(400)));
    for (int i = 2; i >= 0; i--) {
      letPass(TENTH);
      int left = i;
      Beside.until(() -> limit.waiting() == left);
    }
    assertThat(limit.started()).isEqualTo(4);
  }

  @Test
  @Tag("CASE-1")
  void afterManyGiveUpTheFullRateIsStillThere() throws Exception {
    limit.tryStart();
    for (int i = 0; i < 100; i++) {
      Beside<RateDecision> caller = waiting(1);
      caller.interrupt();
      assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    }
    ticker.advance(TENTH);
    assertThat(limit.tryStart()).isZero();
    assertThat(limit.waiting()).isZero();
    assertThat(limit.started()).isEqualTo(2);
  }

  @Test
  void startedIsTheOneValue() throws Exception {
    assertThat(limit.acquire(SECOND)).isSameAs(RateDecision.Started.INSTANCE);
  }

  @Test
  @Tag("T2")
  void negativePatienceIsRefused() {
    assertThatThrownBy(() -> limit.acquire(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("patience");
  }

  private Beside<RateDecision> waiting(int count) throws InterruptedException {
    Beside<RateDecision> caller = Beside.call(() -> limit.acquire(FOR_EVER));
    Beside.until(() -> limit.waiting() == count);
    assertThat(ticker.awaitWaiters(count, HANG)).isTrue();
    return caller;
  }

  private void letPass(Duration time) throws InterruptedException {
    int waiting = limit.waiting();
    assertThat(ticker.awaitWaiters(waiting, HANG)).isTrue();
    ticker.advance(time);
  }
}
