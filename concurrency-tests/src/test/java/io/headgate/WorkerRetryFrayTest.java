package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.retry.RetryPolicy;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a back-off, a stop and a cancel, each against the other. */
final class WorkerRetryFrayTest {

  private static final Duration BACKOFF = Duration.ofNanos(1);

  /** Draws the largest number there is, so that the back-off is as long as it may be. */
  private static final RandomGenerator LONGEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failure() {
      super("fails", null, false, false);
    }
  }

  private static WorkerBuilder<String> retrying(Ticker ticker) {
    return Workers.of(1, 1, ticker)
        .retry(RetryPolicy.attempts(2).backoff(BACKOFF, BACKOFF).random(LONGEST));
  }

  private static void fail(Job<String> job, JobContext context) {
    throw new Failure();
  }

  private static Outcome.Failed failed(Worker<String> worker) {
    return (Outcome.Failed) worker.outcome("a").orElseThrow();
  }

  /** Returns once the job is suspended; nothing moves it from there but the scenario. */
  private static void awaitSuspended(Worker<String> worker) {
    while (worker.report().suspended() == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Tag("R5")
  void backoffThatEndsIsNotMissedThoughTheTimekeeperWasAboutToEnd() {
    Schedules.explore(
        200,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          Worker<String> worker = retrying(ticker).start(WorkerRetryFrayTest::fail);
          worker.offer(Job.of("a", ""));
          Actor clock =
              Actor.doing(
                  () -> {
                    awaitSuspended(worker);
                    ticker.step(1);
                  });
          assertThat(worker.awaitIdle(Workers.FOR_EVER)).isTrue();
          clock.join();
          assertThat(failed(worker).attempts()).isEqualTo(2);
          Workers.assertClean(worker.drain(Workers.FOR_EVER));
        });
  }

  @Test
  @Tag("R7")
  void stopThatRacesTheEndOfABackoffEndsTheJobOnce() {
    Schedules.explore(
        200,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          Worker<String> worker = retrying(ticker).start(WorkerRetryFrayTest::fail);
          worker.offer(Job.of("a", ""));
          awaitSuspended(worker);
          Actor clock = Actor.doing(() -> ticker.step(1));
          Report report = worker.drain(Workers.FOR_EVER);
          clock.join();
          Workers.assertClean(report);
          assertThat(report.failed()).isEqualTo(1);
          assertThat(failed(worker).attempts()).isBetween(1, 2);
          assertThat(failed(worker).retriesCutShort() == RetryCut.STOP)
              .isEqualTo(failed(worker).attempts() == 1);
        });
  }

  @Test
  @Tag("R7")
  void cancelThatRacesTheEndOfABackoffIsNeverLost() {
    Schedules.explore(
        200,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          CountDownLatch never = new CountDownLatch(1);
          Worker<String> worker =
              retrying(ticker)
                  .start(
                      (job, context) -> {
                        if (context.attempt() == 1) {
                          throw new Failure();
                        }
                        never.await();
                      });
          worker.offer(Job.of("a", ""));
          awaitSuspended(worker);
          Actor clock = Actor.doing(() -> ticker.step(1));
          CancelResult told = worker.cancel("a");
          assertThat(worker.awaitIdle(Workers.FOR_EVER)).isTrue();
          clock.join();
          if (told == CancelResult.ENDED) {
            assertThat(failed(worker).retriesCutShort()).isEqualTo(RetryCut.CANCEL);
          } else {
            assertThat(told).isEqualTo(CancelResult.SIGNALLED);
            assertThat(worker.outcome("a")).contains(new Outcome.Interrupted("a", 2));
          }
          Workers.assertAddsUp(worker.drain(Workers.FOR_EVER));
        });
  }

  /** Were the cancel lost, the job would be suspended for ever, for the clock stands still. */
  @Test
  @Tag("R7")
  void cancelThatRacesTheSuspensionIsNeverLost() {
    Schedules.explore(
        300,
        () -> {
          CountDownLatch entered = new CountDownLatch(1);
          Worker<String> worker =
              retrying(FrozenTicker.INSTANCE)
                  .start(
                      (job, context) -> {
                        entered.countDown();
                        throw new Failure();
                      });
          worker.offer(Job.of("a", ""));
          entered.await();
          CancelResult told = worker.cancel("a");
          assertThat(told).isIn(CancelResult.SIGNALLED, CancelResult.ENDED);
          assertThat(worker.awaitIdle(Workers.FOR_EVER)).isTrue();
          assertThat(failed(worker).retriesCutShort()).isEqualTo(RetryCut.CANCEL);
          Workers.assertClean(worker.drain(Workers.FOR_EVER));
        });
  }

  @Test
  @Tag("R7")
  @Tag("D9")
  void abortThatRacesASuspensionLeavesNothingSuspended() {
    Schedules.explore(
        300,
        () -> {
          CountDownLatch entered = new CountDownLatch(1);
          AtomicReference<Report> drained = new AtomicReference<>();
          Worker<String> worker =
              retrying(FrozenTicker.INSTANCE)
                  .start(
                      (job, context) -> {
                        entered.countDown();
                        throw new Failure();
                      });
          worker.offer(Job.of("a", ""));
          worker.offer(Job.of("b", ""));
          entered.await();
          Actor drain = Actor.doing(() -> drained.set(worker.drain(Workers.FOR_EVER)));
          Report report = worker.abort();
          drain.join();
          assertThat(drained.get()).isSameAs(report);
          Workers.assertAddsUp(report);
          assertThat(report.unfinished()).isZero();
          assertThat(failed(worker).retriesCutShort()).isEqualTo(RetryCut.STOP);
          assertThat(report.failed() + report.unstarted()).isEqualTo(2);
        });
  }
}
