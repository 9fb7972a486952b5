package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.downstream.Downstream;
import io.headgate.downstream.Entry;
import io.headgate.downstream.Permit;
import io.headgate.limit.RateLimit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Permits and starts that race with releases, interrupts and the end of patience. A lost wake-up
 * leaves a thread asleep for ever, which Fray reports as a deadlock.
 */
final class LimitsFrayTest {

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration PATIENCE = Duration.ofNanos(5);

  @Test
  @Tag("A3")
  void everyWaiterGetsItsPermitInTheEnd() {
    Schedules.explore(
        400,
        () -> {
          Downstream gate = frozen(1);
          AtomicInteger inside = new AtomicInteger();
          Permit held = now(gate);
          Actor one = Actor.doing(() -> pass(gate, inside));
          Actor two = Actor.doing(() -> pass(gate, inside));
          held.close();
          one.join();
          two.join();
          assertUnused(gate);
        });
  }

  @Test
  @Tag("CASE-1")
  @Tag("CASE-13")
  void interruptedWaiterPassesItsWakeUpOn() {
    Schedules.explore(
        600,
        () -> {
          Downstream gate = frozen(1);
          AtomicInteger inside = new AtomicInteger();
          Permit held = now(gate);
          Actor first = Actor.doing(() -> pass(gate, inside));
          Actor second = Actor.doing(() -> pass(gate, inside));
          Actor interrupter = Actor.doing(first::interrupt);
          held.close();
          boolean interrupted = first.endedByInterrupt();
          second.join();
          interrupter.join();
          assertThat(gate.report().granted()).isEqualTo(interrupted ? 2 : 3);
          assertThat(gate.report().interrupted()).isEqualTo(interrupted ? 1 : 0);
          assertUnused(gate);
        });
  }

  @Test
  @Tag("CASE-1")
  void waiterWhoseTimeIsOverPassesItsWakeUpOn() {
    Schedules.explore(
        600,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          Downstream gate = Downstream.builder("gate").concurrency(1).ticker(ticker).build();
          Permit held = now(gate);
          AtomicReference<Entry> answer = new AtomicReference<>();
          Actor first =
              Actor.doing(
                  () -> {
                    Entry entry = gate.acquire(PATIENCE);
                    answer.set(entry);
                    if (entry instanceof Permit permit) {
                      permit.close();
                    }
                  });
          Actor second = Actor.doing(() -> pass(gate, new AtomicInteger()));
          Actor clock = Actor.doing(() -> ticker.step(5));
          held.close();
          first.join();
          second.join();
          clock.join();
          assertThat(gate.report().granted()).isEqualTo(answer.get().isPermitted() ? 3 : 2);
          assertUnused(gate);
        });
  }

  @Test
  @Tag("CASE-14")
  void raisedConcurrencyLetsInAllThatFit() {
    Schedules.explore(
        400,
        () -> {
          Downstream gate = frozen(1);
          Permit held = now(gate);
          AtomicReference<Entry> one = new AtomicReference<>();
          AtomicReference<Entry> two = new AtomicReference<>();
          Actor first = Actor.doing(() -> one.set(gate.acquire(FOR_EVER)));
          Actor second = Actor.doing(() -> two.set(gate.acquire(FOR_EVER)));
          gate.setConcurrency(3);
          first.join();
          second.join();
          assertThat(gate.report().inUse()).isEqualTo(3);
          ((Permit) one.get()).close();
          ((Permit) two.get()).close();
          held.close();
          assertUnused(gate);
        });
  }

  @Test
  @Tag("CASE-2")
  void permitThatIsReturnedByTwoAtOnceComesBackOnce() {
    Schedules.explore(
        400,
        () -> {
          Downstream gate = frozen(2);
          Permit shared = now(gate);
          Permit other = now(gate);
          Actor one = Actor.doing(shared::close);
          Actor two = Actor.doing(shared::close);
          one.join();
          two.join();
          assertThat(gate.report().inUse()).isOne();
          assertThat(gate.report().returnedTwice()).isOne();
          other.close();
        });
  }

  @Test
  @Tag("CASE-36")
  void startOfAnInterruptedCallerGoesToTheNext() {
    Schedules.explore(
        600,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          // With a burst of two whatever is due by the end is free then, however late it is taken.
          RateLimit limit = RateLimit.of(1, PATIENCE).burst(2).ticker(ticker).build();
          limit.tryStart();
          limit.tryStart();
          Actor first = Actor.doing(() -> limit.acquire(FOR_EVER));
          Actor second = Actor.doing(() -> limit.acquire(FOR_EVER));
          Actor interrupter = Actor.doing(first::interrupt);
          ticker.step(5);
          ticker.step(5);
          boolean interrupted = first.endedByInterrupt();
          second.join();
          interrupter.join();
          assertThat(limit.started()).isEqualTo(interrupted ? 3 : 4);
          assertThat(limit.waiting()).isZero();
        });
  }

  private static Downstream frozen(int concurrency) {
    return Downstream.builder("gate")
        .concurrency(concurrency)
        .ticker(FrozenTicker.INSTANCE)
        .build();
  }

  private static Permit now(Downstream gate) throws InterruptedException {
    return (Permit) gate.acquire(Duration.ZERO);
  }

  private static void pass(Downstream gate, AtomicInteger inside) throws InterruptedException {
    try (Permit permit = (Permit) gate.acquire(FOR_EVER)) {
      assertThat(permit).isNotNull();
      assertThat(inside.incrementAndGet()).isOne();
      inside.decrementAndGet();
    }
  }

  private static void assertUnused(Downstream gate) {
    assertThat(gate.report().inUse()).isZero();
    assertThat(gate.report().waiting()).isZero();
    assertThat(gate.report().returnedTwice()).isZero();
  }
}
