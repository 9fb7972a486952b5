package io.headgate.downstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.downstream.Entry.Cause;
import io.headgate.downstream.Entry.Refused;
import io.headgate.limit.RateLimit;
import io.headgate.testing.ManualTicker;
import io.headgate.waiting.Beside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits, those who wait for them, and what a call leaves behind. */
@Timeout(60)
final class DownstreamTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HANG = Duration.ofSeconds(30);
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final ManualTicker ticker = ManualTicker.create();
  private final Downstream payments =
      Downstream.builder("payments").concurrency(2).maxWaiting(2).ticker(ticker).build();

  @AfterEach
  void nothingIsLeftBehind() {
    assertThat(payments.report().inUse()).isZero();
    assertThat(payments.report().waiting()).isZero();
  }

  @Test
  @Tag("R6")
  void callsAtOnceAreBoundedWhateverTheirRate() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      assertThat(payments.call(() -> payments.report().inUse(), Duration.ZERO)).isOne();
    }
    try (Permit first = permit();
        Permit second = permit()) {
      assertThat(first).isNotSameAs(second);
      assertThat(payments.acquire(Duration.ZERO))
          .isEqualTo(new Refused(Cause.BUSY, Optional.empty()));
    }
    assertThat(payments.report().granted()).isEqualTo(1_002);
    assertThat(payments.report().refused()).isEqualTo(Map.of(Cause.BUSY, 1L));
  }

  @Test
  @Tag("R6")
  void concurrencyAndRateHoldTogetherAndApart() throws Exception {
    RateLimit rate = RateLimit.perSecond(10).burst(3).ticker(ticker).build();
    Downstream both = Downstream.builder("both").concurrency(2).rate(rate).ticker(ticker).build();

    Permit one = (Permit) both.acquire(Duration.ZERO);
    Permit two = (Permit) both.acquire(Duration.ZERO);
    assertThat(both.acquire(Duration.ZERO))
        .as("two at once, though a start is free")
        .isEqualTo(new Refused(Cause.BUSY, Optional.empty()));
    one.close();
    both.call(() -> 3, Duration.ZERO);
    assertThat(both.acquire(Duration.ofMillis(99)))
        .as("three starts, though a permit is free")
        .isEqualTo(new Refused(Cause.RATE_LIMITED, Optional.of(Duration.ofMillis(100))));
    assertThat(rate.started()).as("who found no permit took no start").isEqualTo(3);
    two.close();
  }

  @Test
  @Tag("R6")
  void whoeverWaitsForTheRateGoesWhenItsStartIsFree() throws Exception {
    RateLimit rate = RateLimit.perSecond(10).ticker(ticker).build();
    Downstream slow = Downstream.builder("slow").concurrency(9).rate(rate).ticker(ticker).build();
    slow.call(() -> 1, Duration.ZERO);

    Beside<Integer> first = Beside.call(() -> slow.call(() -> 1, SECOND));
    Beside.until(() -> slow.report().waiting() == 1);
    Beside<Integer> second = Beside.call(() -> slow.call(() -> 2, SECOND));
    assertThat(ticker.awaitWaiters(2, HANG)).isTrue();
    ticker.advance(Duration.ofMillis(100));
    assertThat(first.result()).isEqualTo(1);
    Beside.until(() -> slow.report().waiting() == 1 && ticker.waiters() == 1);
    assertThat(second.isDone()).isFalse();
    ticker.advance(Duration.ofMillis(100));
    assertThat(second.result()).isEqualTo(2);
  }

  @Test
  @Tag("A3")
  void permitsAreGivenInOrderOfArrival() throws Exception {
    Permit one = permit();
    Permit two = permit();
    List<Integer> order = new ArrayList<>();
    Beside<Integer> first = waiting(1, order);
    Beside<Integer> second = waiting(2, order);
    assertThat(payments.acquire(Duration.ZERO).isPermitted()).isFalse();

    one.close();
    first.result();
    second.result();
    two.close();
    assertThat(order).containsExactly(1, 2);
  }

  @Test
  @Tag("CASE-5")
  void callersThatWaitAreBoundedAndVisible() throws Exception {
    Permit one = permit();
    Permit two = permit();
    List<Integer> order = new ArrayList<>();
    Beside<Integer> first = waiting(1, order);
    Beside<Integer> second = waiting(2, order);

    assertThat(payments.acquire(FOR_EVER))
        .isEqualTo(new Refused(Cause.TOO_MANY_WAITING, Optional.empty()));
    one.close();
    two.close();
    first.result();
    second.result();
  }

  @Test
  @Tag("CASE-1")
  void waitEndsWithThePatience() throws Exception {
    Permit one = permit();
    Permit two = permit();
    Beside<Entry> caller = Beside.call(() -> payments.acquire(SECOND));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(SECOND);

    assertThat(caller.result()).isEqualTo(new Refused(Cause.BUSY, Optional.empty()));
    one.close();
    two.close();
  }

  @Test
  @Tag("CASE-1")
  @Tag("CASE-13")
  void interruptedCallerPassesOnWhatItWasWokenFor() throws Exception {
    Permit one = permit();
    Permit two = permit();
    List<Integer> order = new ArrayList<>();
    Beside<Integer> first = waiting(1, order);
    Beside<Integer> second = waiting(2, order);
    first.interrupt();
    assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    one.close();

    second.result();
    two.close();
    assertThat(payments.report().interrupted()).isOne();
    assertThat(order).containsExactly(2);
  }

  @Test
  @Tag("CASE-2")
  void secondReturnIsACountedNothing() throws Exception {
    Permit one = permit();
    Permit two = permit();
    one.close();
    one.close();
    assertThat(payments.report().inUse()).isOne();
    assertThat(payments.report().returnedTwice()).isOne();
    two.close();
  }

  @Test
  @Tag("CASE-3")
  void permitComesBackHoweverTheCallEnds() {
    List<Throwable> ends =
        List.of(
            new IllegalStateException(),
            new StackOverflowError(),
            new OutOfMemoryError("planted"),
            new AssertionError(),
            new InterruptedException());
    for (int round = 0; round < 3; round++) {
      for (Throwable end : ends) {
        assertThatThrownBy(
                () ->
                    payments.call(
                        () -> {
                          throw sneaky(end);
                        },
                        Duration.ZERO))
            .isSameAs(end);
      }
    }
    assertThat(payments.report().granted()).isEqualTo(15);
  }

  @Test
  @Tag("CASE-14")
  void loweringTheConcurrencyBlocksNobodyAndRaisingItLetsInAllThatFit() throws Exception {
    Permit one = permit();
    Permit two = permit();
    List<Integer> order = new ArrayList<>();
    Beside<Integer> first = waiting(1, order);
    Beside<Integer> second = waiting(2, order);

    payments.setConcurrency(1);
    one.close();
    assertThat(payments.report().inUse()).isOne();
    assertThat(payments.report().waiting()).isEqualTo(2);
    payments.setConcurrency(3);
    first.result();
    second.result();
    two.close();
    assertThat(order).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  @Tag("CASE-4")
  @Tag("CASE-1")
  void boundIsExactAndWholeAfterManyMixedEnds() throws Exception {
    long seed = Beside.seed(DownstreamTest.class);
    Downstream busy = Downstream.builder("busy").concurrency(3).maxWaiting(64).build();
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Beside<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Random random = new Random(seed + i);
      callers.add(Beside.call(() -> callOften(busy, random, now, most)));
    }
    for (int round = 0; round < 200; round++) {
      callers.get(round % 16).interrupt();
    }
    for (Beside<Integer> caller : callers) {
      caller.result();
    }
    assertThat(most).hasValueLessThanOrEqualTo(3);
    assertThat(busy.report().waiting()).isZero();
    assertThat(busy.report().inUse()).isZero();
    for (int i = 0; i < 3; i++) {
      assertThat(busy.acquire(Duration.ZERO).isPermitted()).isTrue();
    }
    assertThat(busy.acquire(Duration.ZERO).isPermitted()).isFalse();
  }

  @Test
  void refusalOfACallSaysWhatIsAndWhy() throws Exception {
    try (Permit one = permit();
        Permit two = permit()) {
      assertThat(one).isNotSameAs(two);
      assertThatThrownBy(() -> payments.call(() -> 1, Duration.ZERO))
          .isInstanceOfSatisfying(
              DownstreamRefusedException.class,
              refusal -> {
                assertThat(refusal.reason()).isEqualTo(Cause.BUSY);
                assertThat(refusal.retryAfter()).isEmpty();
              })
          .hasMessage(
              "payments refused a call: BUSY; 2 of 2 calls are made now and 0 of 2 callers wait");
    }
  }

  private static int callOften(
      Downstream busy, Random random, AtomicInteger now, AtomicInteger most) {
    int calls = 0;
    for (int i = 0; i < 500; i++) {
      try {
        busy.call(
            () -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              try {
                Thread.onSpinWait();
                if (random.nextInt(4) == 0) {
                  throw new IllegalStateException("planted");
                }
                return 1;
              } finally {
                now.decrementAndGet();
              }
            },
            Duration.ofNanos(random.nextInt(100_000)));
        calls++;
      } catch (InterruptedException | IllegalStateException | DownstreamRefusedException e) {
        // Each of them is an end that must leave nothing behind.
        calls--;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return calls;
  }

  private Permit permit() throws InterruptedException {
    return (Permit) payments.acquire(Duration.ZERO);
  }

  private Beside<Integer> waiting(int number, List<Integer> order) throws InterruptedException {
    Beside<Integer> caller =
        Beside.call(
            () ->
                payments.call(
                    () -> {
                      synchronized (order) {
                        order.add(number);
                      }
                      return number;
                    },
                    FOR_EVER));
    Beside.until(() -> payments.report().waiting() == number);
    assertThat(ticker.awaitWaiters(number, HANG)).isTrue();
    return caller;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> Error sneaky(Throwable end) throws E {
    throw (E) end;
  }
}
