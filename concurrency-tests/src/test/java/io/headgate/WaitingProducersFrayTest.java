package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Claim;
import io.headgate.backlog.Tally;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A wake-up reserves nothing, is never lost, and is passed on by whoever cannot use it. */
final class WaitingProducersFrayTest {

  private final AtomicReference<Admission> first = new AtomicReference<>();
  private final AtomicReference<Admission> second = new AtomicReference<>();
  private final AtomicReference<Admission> third = new AtomicReference<>();

  @Test
  @Tag("A3")
  void newcomerMayTakeTheSlotAndTheWokenWaitsOn() {
    Schedules.explore(
        600,
        () -> {
          Bench bench = Bench.of(1, 0);
          bench.offer("a");
          Actor waiter = Actor.doing(() -> first.set(bench.await("waiter")));
          Actor newcomer = Actor.doing(() -> second.set(bench.offer("newcomer")));
          Actor worker = bench.workOff();
          waiter.join();
          newcomer.join();
          Tally tally = bench.close(worker);
          assertThat(first.get().isAccepted()).as("the waiter is patient").isTrue();
          assertThat(tally.accepted()).isEqualTo(second.get().isAccepted() ? 3 : 2);
        });
  }

  @Test
  @Tag("A3")
  void twoWaitersNeverShareOneSlot() {
    Schedules.explore(
        400,
        () -> {
          Bench bench = Bench.of(1, 0);
          bench.offer("a");
          Claim<String> claim = bench.claim();
          Actor one = Actor.doing(() -> bench.await("one"));
          Actor two = Actor.doing(() -> bench.await("two"));
          bench.complete(claim);
          Tally now = bench.backlog.tally();
          assertThat(now.unfinished()).as("unfinished of at most one").isLessThanOrEqualTo(1);
          Actor worker = bench.workOff();
          one.join();
          two.join();
          assertThat(bench.close(worker).accepted()).isEqualTo(3);
        });
  }

  @Test
  @Tag("A3")
  void smallWaiterPassesABigOneThatDoesNotFit() {
    Schedules.explore(
        400,
        () -> {
          Bench bench = Bench.withBytes(1, 3, 4);
          bench.offer("a", 2);
          Claim<String> running = bench.claim();
          bench.offer("b", 2);
          Actor big = Actor.doing(() -> bench.await("big", 4));
          Actor small = Actor.doing(() -> bench.await("small", 2));
          bench.backlog.cancel("b");
          small.join();
          bench.complete(running);
          Actor worker = bench.workOff();
          big.join();
          assertThat(bench.close(worker).accepted()).isEqualTo(4);
        });
  }

  @Test
  @Tag("A3")
  void wokenThatNoLongerFitsPassesTheWakeUpOn() {
    Schedules.explore(
        600,
        () -> {
          Bench bench = Bench.withBytes(1, 3, 4);
          bench.offer("a", 4);
          Claim<String> running = bench.claim();
          Actor big = Actor.doing(() -> bench.await("big", 4));
          Actor small = Actor.doing(() -> bench.await("small", 2));
          bench.complete(running);
          boolean overtaken = bench.offer("newcomer", 2).isAccepted();
          if (overtaken) {
            small.join(); // two bytes are free, and the big waiter cannot use them
          }
          Actor worker = bench.workOff();
          small.join();
          big.join();
          assertThat(bench.close(worker).accepted()).isEqualTo(overtaken ? 4 : 3);
        });
  }

  @Test
  @Tag("A3")
  @Tag("A2")
  void wokenTwinIsToldAndPassesTheWakeUpOn() {
    Schedules.explore(
        600,
        () -> {
          Bench bench = Bench.of(1, 1);
          bench.offer("a");
          Claim<String> running = bench.claim();
          bench.offer("b");
          CountDownLatch oneTwinIsIn = new CountDownLatch(1);
          Actor twin = Actor.doing(() -> awaitTwin(bench, first, oneTwinIsIn));
          Actor other = Actor.doing(() -> awaitTwin(bench, second, oneTwinIsIn));
          Actor single = Actor.doing(() -> third.set(bench.await("single")));
          bench.backlog.cancel("b");
          bench.complete(running);
          // Two places are free for a twin and the single one; the other twin holds up neither.
          single.join();
          oneTwinIsIn.await();
          Actor worker = bench.workOff();
          twin.join();
          other.join();
          Tally tally = bench.close(worker);
          assertThat(third.get().isAccepted()).isTrue();
          long twinsIn = Stream.of(first.get(), second.get()).filter(Admission::isAccepted).count();
          assertThat(tally.accepted()).isEqualTo(3 + twinsIn);
          if (twinsIn == 1) {
            assertThat(Stream.of(first.get(), second.get()).map(Bench::reason))
                .contains(Reason.DUPLICATE);
          }
        });
  }

  private static void awaitTwin(
      Bench bench, AtomicReference<Admission> answer, CountDownLatch accepted)
      throws InterruptedException {
    answer.set(bench.await("twin"));
    if (answer.get().isAccepted()) {
      accepted.countDown();
    }
  }

  @Test
  @Tag("A8")
  void interruptAtTheWakeUpLosesNeitherTheSlotNorTheJob() {
    Schedules.explore(
        800,
        () -> {
          Bench bench = Bench.of(1, 0);
          bench.offer("a");
          Claim<String> running = bench.claim();
          first.set(null);
          CountDownLatch oneIsIn = new CountDownLatch(1);
          Actor victim =
              Actor.doing(
                  () -> {
                    first.set(bench.await("victim"));
                    oneIsIn.countDown();
                  });
          Actor next =
              Actor.doing(
                  () -> {
                    second.set(bench.await("next"));
                    oneIsIn.countDown();
                  });
          Actor interrupter = Actor.doing(victim::interrupt);
          bench.complete(running);
          oneIsIn.await(); // one slot is free, so one of them is in without any other event
          Actor worker = bench.workOff();
          boolean thrown = victim.endedByInterrupt();
          next.join();
          interrupter.join();
          Tally tally = bench.close(worker);
          assertThat(second.get().isAccepted()).isTrue();
          if (thrown) {
            assertThat(first.get()).as("answer of the interrupted").isNull();
            assertThat(tally.accepted()).isEqualTo(2);
          } else {
            assertThat(first.get().isAccepted()).isTrue();
            assertThat(tally.accepted()).isEqualTo(3);
          }
        });
  }

  @Test
  @Tag("A8")
  @Tag("A3")
  void patienceThatEndsAtTheWakeUpLosesNoSlot() {
    Schedules.explore(
        800,
        () -> {
          ManualTicker ticker = ManualTicker.create();
          Bench bench = Bench.of(1, 0, ticker);
          bench.offer("a");
          Claim<String> running = bench.claim();
          CountDownLatch anyAnswer = new CountDownLatch(1);
          Actor hasty =
              Actor.doing(
                  () -> {
                    first.set(bench.awaitFor("hasty", 1));
                    if (first.get().isAccepted()) {
                      anyAnswer.countDown();
                    }
                  });
          Actor patient =
              Actor.doing(
                  () -> {
                    second.set(bench.await("patient"));
                    anyAnswer.countDown();
                  });
          Actor clock = Actor.doing(() -> ticker.advance(Duration.ofNanos(1)));
          bench.complete(running);
          anyAnswer.await(); // one slot is free, so one of them is in without any other event
          Actor worker = bench.workOff();
          hasty.join();
          patient.join();
          clock.join();
          Tally tally = bench.close(worker);
          assertThat(second.get().isAccepted()).isTrue();
          assertThat(Bench.reason(first.get())).isIn(null, Reason.TIMED_OUT);
          assertThat(tally.accepted()).isEqualTo(first.get().isAccepted() ? 3 : 2);
        });
  }

  @Test
  @Tag("A3")
  void roomThatCameBeforeTheEndOfPatienceIsTaken() {
    Schedules.explore(
        400,
        () -> {
          ManualTicker ticker = ManualTicker.create();
          Bench bench = Bench.of(1, 0, ticker);
          bench.offer("a");
          Claim<String> running = bench.claim();
          Actor hasty = Actor.doing(() -> first.set(bench.awaitFor("hasty", 1)));
          bench.complete(running);
          ticker.advance(Duration.ofNanos(1));
          hasty.join();
          assertThat(first.get().isAccepted()).as("%s", first.get()).isTrue();
          assertThat(bench.settled().accepted()).isEqualTo(2);
        });
  }

  @Test
  @Tag("A3")
  void removalOfAWaitingJobWakesAProducer() {
    Schedules.explore(
        300,
        () -> {
          Bench bench = Bench.of(1, 1);
          bench.offer("a");
          bench.claim();
          bench.offer("b");
          Actor waiter = Actor.doing(() -> first.set(bench.await("waiter")));
          assertThat(bench.backlog.cancel("b")).isEqualTo(CancelResult.UNSTARTED);
          waiter.join();
          assertThat(first.get().isAccepted()).isTrue();
          Tally tally = bench.settled();
          assertThat(tally.accepted()).isEqualTo(3);
          assertThat(tally.unstarted()).isEqualTo(1);
        });
  }

  @Test
  @Tag("A3")
  void moreCapacityWakesEveryProducerThatFits() {
    Schedules.explore(
        300,
        () -> {
          Bench bench = Bench.of(1, 0);
          bench.offer("a");
          bench.claim();
          Actor one = Actor.doing(() -> bench.await("one"));
          Actor two = Actor.doing(() -> bench.await("two"));
          bench.backlog.resize(1, 2);
          one.join();
          two.join();
          assertThat(bench.settled().accepted()).isEqualTo(3);
        });
  }
}
