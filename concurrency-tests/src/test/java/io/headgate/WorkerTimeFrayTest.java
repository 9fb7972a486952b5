package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is expected of the timekeeper is done in time, however it was about to sleep or to end. */
final class WorkerTimeFrayTest {

  private static final long DUE = 1;

  /** One thing to be done at one time. */
  private static final class OneDuty implements Timekeeper.Duties {
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean published;

    @Override
    public long perform(long now) {
      if (!published || done.getCount() == 0) {
        return Timekeeper.NOTHING;
      }
      if (now < DUE) {
        return DUE - now;
      }
      done.countDown();
      return Timekeeper.NOTHING;
    }
  }

  @Test
  @Tag("T1")
  void deadlineExpectedWhileTheThreadEndsIsKept() {
    Schedules.explore(
        600,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          OneDuty duty = new OneDuty();
          Timekeeper timekeeper = new Timekeeper("w", ticker, duty);
          timekeeper.wake(); // finds nothing to do, and ends
          Actor clock = Actor.doing(() -> ticker.step(DUE));
          duty.published = true;
          timekeeper.expect(DUE);
          clock.join();
          duty.done.await();
        });
  }

  @Test
  @Tag("T1")
  void laterExpectationDoesNotHideAnEarlierOne() {
    Schedules.explore(
        600,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          OneDuty early = new OneDuty();
          OneDuty late = new OneDuty();
          Timekeeper timekeeper =
              new Timekeeper(
                  "w",
                  ticker,
                  now -> {
                    long first = early.perform(now);
                    long wait = late.published && late.done.getCount() > 0 ? 10 * DUE - now : 0;
                    if (wait <= 0) {
                      if (late.published) {
                        late.done.countDown();
                      }
                      return first;
                    }
                    return Math.min(first, wait);
                  });
          Actor one =
              Actor.doing(
                  () -> {
                    late.published = true;
                    timekeeper.expect(10 * DUE);
                  });
          Actor two =
              Actor.doing(
                  () -> {
                    early.published = true;
                    timekeeper.expect(DUE);
                  });
          one.join();
          two.join();
          ticker.step(DUE);
          early.done.await();
          ticker.step(9 * DUE);
          late.done.await();
        });
  }

  @Test
  @Tag("L11")
  @Tag("T1")
  void timeoutIsKeptThoughTheTimekeeperWasAboutToEnd() {
    Schedules.explore(
        300,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          CountDownLatch never = new CountDownLatch(1);
          CountDownLatch entered = new CountDownLatch(1);
          Worker<String> worker =
              Workers.of(1, 1, ticker)
                  .timeout(Duration.ofNanos(DUE))
                  .start(
                      (job, context) -> {
                        if (job.id().equals("slow")) {
                          entered.countDown();
                          never.await();
                        }
                      });
          worker.offer(Job.of("quick", ""));
          worker.offer(Job.of("slow", ""));
          entered.await();
          ticker.step(DUE);
          assertThat(worker.awaitIdle(Workers.FOR_EVER)).isTrue();
          assertThat(worker.outcome("slow")).containsInstanceOf(Outcome.Failed.class);
          Report report = worker.drain(Workers.FOR_EVER);
          Workers.assertClean(report);
          assertThat(report.completed()).isEqualTo(1);
          assertThat(report.failed()).isEqualTo(1);
        });
  }

  @Test
  @Tag("D4")
  @Tag("D9")
  void deadlineOfADrainThatRacesTheClockIsKept() {
    Schedules.explore(
        200,
        () -> {
          SteppedTicker ticker = new SteppedTicker();
          CountDownLatch never = new CountDownLatch(1);
          Worker<String> worker = Workers.of(1, 0, ticker).start((job, context) -> never.await());
          worker.offer(Job.of("a", ""));
          Actor hasty = Actor.doing(() -> worker.drain(Duration.ofNanos(DUE)));
          while (worker.state() == WorkerState.OPEN) {
            Thread.onSpinWait(); // the drain has read its clock when the state has changed
          }
          Actor patient = Actor.doing(() -> worker.drain(Workers.FOR_EVER));
          ticker.step(DUE);
          hasty.join();
          patient.join();
          Workers.assertAddsUp(worker.report());
          assertThat(worker.report().abandoned()).containsExactly("a");
        });
  }
}
