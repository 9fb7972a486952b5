package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work, an idle slot and permission to claim never lie beside one another for long. */
final class WorkerClaimsFrayTest {

  @Test
  @Tag("L2")
  void submitRacingAWorkerThatGoesIdleIsRun() {
    Schedules.explore(
        300,
        () -> {
          Worker<String> worker = Workers.of(1, 1).start((job, context) -> {});
          worker.offer(Job.of("a", ""));
          assertThat(worker.offer(Job.of("b", ""), Workers.FOR_EVER).isAccepted()).isTrue();
          assertEndsClean(worker, 2);
        });
  }

  @Test
  @Tag("B1")
  void twoSlotsWorkOffWhatTwoProducersSubmit() {
    Schedules.explore(
        200,
        () -> {
          Worker<String> worker = Workers.of(2, 0).start((job, context) -> {});
          Actor one = Actor.doing(() -> worker.offer(Job.of("a", ""), Workers.FOR_EVER));
          Actor two = Actor.doing(() -> worker.offer(Job.of("b", ""), Workers.FOR_EVER));
          worker.offer(Job.of("c", ""), Workers.FOR_EVER);
          one.join();
          two.join();
          assertEndsClean(worker, 3);
        });
  }

  @Test
  void moreConcurrencyRacingASubmitRunsBothAtOnce() {
    Schedules.explore(
        200,
        () -> {
          CountDownLatch both = new CountDownLatch(2);
          Worker<String> worker =
              Workers.of(1, 1)
                  .start(
                      (job, context) -> {
                        both.countDown();
                        both.await();
                      });
          Actor resizer = Actor.doing(() -> worker.setConcurrency(2));
          worker.offer(Job.of("a", ""));
          worker.offer(Job.of("b", ""));
          resizer.join();
          assertEndsClean(worker, 2);
        });
  }

  @Test
  void pauseAndResumeRacingASubmitLoseNoJob() {
    Schedules.explore(
        300,
        () -> {
          Worker<String> worker = Workers.of(1, 1).start((job, context) -> {});
          Actor pauser =
              Actor.doing(
                  () -> {
                    worker.pause();
                    worker.resume();
                  });
          worker.offer(Job.of("a", ""));
          worker.offer(Job.of("b", ""), Workers.FOR_EVER);
          pauser.join();
          assertEndsClean(worker, 2);
        });
  }

  @Test
  void threadPerJobHandsOverEveryJob() {
    Schedules.explore(
        300,
        () -> {
          Worker<String> worker = Workers.of(1, 1).threadPerJob().start((job, context) -> {});
          worker.offer(Job.of("a", ""));
          Actor other = Actor.doing(() -> worker.offer(Job.of("b", ""), Workers.FOR_EVER));
          worker.offer(Job.of("c", ""), Workers.FOR_EVER);
          other.join();
          assertEndsClean(worker, 3);
        });
  }

  @Test
  @Tag("L2")
  void awaitIdleReturnsAfterTheOutcomeIsRecorded() {
    Schedules.explore(
        300,
        () -> {
          Worker<String> worker = Workers.of(1, 1).start((job, context) -> {});
          worker.offer(Job.of("a", ""));
          AtomicReference<Report> seen = new AtomicReference<>();
          Actor watcher =
              Actor.doing(
                  () -> {
                    assertThat(worker.awaitIdle(Workers.FOR_EVER)).isTrue();
                    assertThat(worker.outcome("a")).containsInstanceOf(Outcome.Completed.class);
                    seen.set(worker.report());
                  });
          worker.offer(Job.of("b", ""));
          watcher.join();
          assertThat(seen.get().completed()).isPositive();
          Workers.assertAddsUp(seen.get());
          assertEndsClean(worker, 2);
        });
  }

  @Test
  @Tag("A10")
  void handlerThatOffersToItsOwnFullWorkerIsAnsweredAtOnce() {
    Schedules.explore(
        300,
        () -> {
          AtomicReference<Admission> one = new AtomicReference<>();
          AtomicReference<Admission> two = new AtomicReference<>();
          AtomicReference<Worker<String>> self = new AtomicReference<>();
          CountDownLatch started = new CountDownLatch(1);
          Worker<String> worker =
              Workers.of(1, 1)
                  .start(
                      (job, context) -> {
                        if (job.id().equals("parent")) {
                          started.await();
                          one.set(self.get().offer(Job.of("one", ""), Workers.FOR_EVER));
                          two.set(self.get().offer(Job.of("two", ""), Workers.FOR_EVER));
                        }
                      });
          self.set(worker);
          started.countDown();
          worker.offer(Job.of("parent", ""));
          Actor stranger =
              Actor.doing(() -> worker.offer(Job.of("stranger", ""), Workers.FOR_EVER));
          stranger.join();
          assertThat(worker.awaitIdle(Workers.FOR_EVER)).isTrue();
          assertThat(Bench.reason(one.get())).isIn(null, Reason.FULL);
          assertThat(Bench.reason(two.get())).isEqualTo(Reason.FULL);
          assertEndsClean(worker, one.get().isAccepted() ? 3 : 2);
        });
  }

  @Test
  @Tag("D18")
  void cancelRacingTheClaimEndsTheJobEitherWay() {
    Schedules.explore(
        400,
        () -> {
          CountDownLatch never = new CountDownLatch(1);
          AtomicBoolean entered = new AtomicBoolean();
          Worker<String> worker =
              Workers.of(1, 0)
                  .start(
                      (job, context) -> {
                        entered.set(true);
                        never.await();
                      });
          worker.offer(Job.of("a", ""));
          CancelResult result = worker.cancel("a");
          Report report = worker.drain(Workers.FOR_EVER);
          Workers.assertClean(report);
          assertThat(result).isIn(CancelResult.UNSTARTED, CancelResult.SIGNALLED);
          boolean claimed = result == CancelResult.SIGNALLED;
          assertThat(entered.get()).as("a claimed job is entered").isEqualTo(claimed);
          assertThat(report.interrupted()).isEqualTo(claimed ? 1 : 0);
          assertThat(report.unstarted()).isEqualTo(claimed ? 0 : 1);
        });
  }

  @Test
  @Tag("L8")
  void cancelAtTheEndOfAJobNeverReachesTheNext() {
    Schedules.explore(
        500,
        () -> {
          AtomicBoolean leaked = new AtomicBoolean();
          Worker<String> worker =
              Workers.of(1, 1)
                  .start(
                      (job, context) -> {
                        if (job.id().equals("next")) {
                          leaked.compareAndSet(
                              false,
                              Thread.currentThread().isInterrupted() || context.isCancelled());
                          leaked.compareAndSet(
                              false,
                              Thread.currentThread().isInterrupted() || context.isCancelled());
                        }
                      });
          worker.offer(Job.of("victim", ""));
          worker.offer(Job.of("next", ""), Workers.FOR_EVER);
          CancelResult result = worker.cancel("victim");
          Report report = worker.drain(Workers.FOR_EVER);
          Workers.assertClean(report);
          assertThat(leaked.get()).as("the flag reached the next job").isFalse();
          assertThat(worker.outcome("next")).containsInstanceOf(Outcome.Completed.class);
          assertThat(report.unstarted()).isEqualTo(result == CancelResult.UNSTARTED ? 1 : 0);
          assertThat(report.completed()).isEqualTo(result == CancelResult.UNSTARTED ? 1 : 2);
        });
  }

  private static void assertEndsClean(Worker<String> worker, int jobs) throws InterruptedException {
    Report report = worker.drain(Workers.FOR_EVER);
    Workers.assertClean(report);
    assertThat(report.completed()).isEqualTo(jobs);
  }
}
