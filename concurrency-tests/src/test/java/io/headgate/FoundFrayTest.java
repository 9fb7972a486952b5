package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Races that the worker once lost, each found by these schedules. */
final class FoundFrayTest {

  private final AtomicReference<Admission> answer = new AtomicReference<>();

  /**
   * B1a: the timekeeper steps between the request and the close of admission: idle worker closes
   * early.
   */
  @Test
  @Tag("D9")
  void offerRacingADrainWhileTheTimekeeperIsAwakeIsRunOrRefused() {
    Schedules.explore(
        300,
        () -> {
          Worker<String> worker =
              Workers.of(1, 1).timeout(Duration.ofSeconds(1)).start((job, context) -> {});
          worker.offer(Job.of("a", ""));
          Actor producer = Actor.doing(() -> answer.set(worker.offer(Job.of("b", ""))));
          Report report = worker.drain(Workers.FOR_EVER);
          producer.join();
          Workers.assertClean(report);
          assertThat(report.accepted()).isEqualTo(answer.get().isAccepted() ? 2 : 1);
          assertThat(worker.report().unfinished()).isZero();
        });
  }

  /**
   * B1b: the same window with a running job: declared stuck at once though the grace is endless.
   */
  @Test
  @Tag("D4")
  void drainWhileTheTimekeeperIsAwakeLetsTheRunningJobEnd() {
    Schedules.explore(
        300,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          ticker.step(Duration.ofDays(1).toNanos()); // as nanoTime, which is not near zero
          CountDownLatch gate = new CountDownLatch(1);
          Worker<String> worker =
              Workers.of(1, 1, ticker)
                  .timeout(Duration.ofDays(1))
                  .start((job, context) -> gate.await());
          worker.offer(Job.of("a", ""));
          Actor opener = Actor.doing(gate::countDown);
          Report report = worker.drain(Workers.FOR_EVER);
          opener.join();
          Workers.assertClean(report);
        });
  }

  /** pause checks the state, then pauses. */
  @Test
  @Tag("D4")
  void pauseRacingADrainDoesNotHoldItUp() {
    Schedules.explore(
        300,
        () -> {
          Worker<String> worker = Workers.of(1, 1).start((job, context) -> {});
          worker.offer(Job.of("a", ""));
          Actor pauser = Actor.doing(worker::pause);
          Report report = worker.drain(Workers.FOR_EVER);
          pauser.join();
          Workers.assertClean(report);
        });
  }

  /** lowering the concurrency of an idle worker. */
  @Test
  @Tag("CASE-14")
  void lessConcurrencyOfAnIdleWorker() throws Exception {
    Worker<String> worker = Workers.of(2, 1).start((job, context) -> {});
    worker.setConcurrency(1);
    worker.close();
  }

  /** who knew of the expiry leaves; who does not know of it sleeps. */
  @Test
  @Tag("T4")
  void expiryOfAWaitingJobIsNoticedThoughItsWatcherLeft() {
    Schedules.explore(
        200,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          Bench bench = Bench.of(1, 1, ticker);
          bench.offer("running");
          bench.claim();
          bench.offer("b");
          Actor one = Actor.doing(() -> bench.await("one"));
          while (bench.backlog.tally().waitingProducers() < 1) Thread.onSpinWait();
          Actor two = Actor.doing(() -> answer.set(bench.await("two")));
          while (bench.backlog.tally().waitingProducers() < 2) Thread.onSpinWait();
          bench.backlog.cancel("b"); // wakes one
          boolean overtook =
              bench
                  .backlog
                  .admit(
                      Job.of("short", "").timeToLive(Duration.ofNanos(10)),
                      0,
                      0,
                      WhenFull.Kind.REFUSE)
                  .isAccepted();
          one.interrupt();
          boolean gone = one.endedByInterrupt();
          if (overtook && gone) {
            ticker.step(20); // short is over: there is room for two
            two.join();
          } else {
            bench.backlog.stopAdmission();
            two.join();
          }
        });
  }

  /** foreign code in the listener eats the permit between the join and the park. */
  @Test
  @Tag("A3")
  void permitEatenByAListenerLosesNoWakeUp() {
    Schedules.explore(
        200,
        () -> {
          AtomicReference<MemoryBacklog<String>> self = new AtomicReference<>();
          SteppedTicker ticker = new SteppedTicker();
          MemoryBacklog<String> backlog =
              new MemoryBacklog<>(
                  new Backlog.Settings(1, 2, 10, 4, 10, 0, ticker),
                  new BacklogListener<>() {
                    @Override
                    public void failed(Job<String> job, Outcome.Failed outcome) {}

                    @Override
                    public void unstarted(Job<String> job, Outcome.Unstarted outcome) {
                      if (job.id().equals("short")) {
                        // Another thread makes room and wakes the producer that is in this call ...
                        Actor other = Actor.doing(() -> self.get().cancel("big"));
                        try {
                          other.join();
                        } catch (InterruptedException e) {
                          throw new AssertionError(e);
                        }
                        // ... and the listener parks, as a contended lock does.
                        LockSupport.parkNanos(1);
                      }
                    }

                    @Override
                    public void idle() {}
                  });
          self.set(backlog);
          backlog.admit(Job.of("big", ""), 8, 0, WhenFull.Kind.REFUSE);
          backlog.admit(
              Job.of("short", "").timeToLive(Duration.ofNanos(10)), 2, 0, WhenFull.Kind.REFUSE);
          ticker.step(20);
          assertThat(backlog.admitWaiting(Job.of("new", ""), 6, 0, Long.MAX_VALUE).isAccepted())
              .isTrue();
        });
  }

  /** no thread of the worker is started once its stop has returned. */
  @Test
  @Tag("D12")
  void noTimekeeperStartsAfterTheStop() {
    Schedules.explore(
        200,
        () -> {
          Worker<String> worker = Workers.of(1, 1).start((job, context) -> {});
          worker.offer(Job.of("a", ""));
          worker.drain(Workers.FOR_EVER);
          assertThat(
                  Thread.getAllStackTraces().keySet().stream()
                      .map(Thread::getName)
                      .filter(n -> n.startsWith("headgate-w-"))
                      .toList())
              .isEmpty();
        });
  }
}
