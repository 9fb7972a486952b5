package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that ignore their cancellation. */
@Timeout(60)
class StuckTest {

  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration CLEANUP = Duration.ofSeconds(3);

  private final ManualTicker ticker = ManualTicker.create();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicReference<Thread> handlerThread = new AtomicReference<>();

  @AfterEach
  void nothingStaysStuck() {
    release.countDown();
  }

  private void ignore(Job<String> job, JobContext context) {
    handlerThread.set(Thread.currentThread());
    context.onCancel(told::countDown);
    entered.countDown();
    while (release.getCount() > 0) {
      try {
        release.await();
      } catch (InterruptedException e) {
        // Ignored on purpose, and the flag with it.
      }
    }
  }

  private void ignoreAtDepth(int depth, Job<String> job, JobContext context) {
    if (depth == 0) {
      ignore(job, context);
    } else {
      ignoreAtDepth(depth - 1, job, context);
    }
  }

  private Worker<String> worker(Handler<String> handler) throws InterruptedException {
    Worker<String> worker =
        Worker.<String>builder("stuck")
            .concurrency(1)
            .capacity(1)
            .cleanup(CLEANUP)
            .ticker(ticker)
            .start(handler);
    assertThat(worker.offer(Job.of("ignores", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);
    assertThat(worker.offer(Job.of("waits", "")).isAccepted()).isTrue();
    return worker;
  }

  /** Drains until both deadlines have passed. */
  private Report drained(Worker<String> worker) throws Exception {
    Aside<Report> drain = Aside.call(() -> worker.drain(GRACE));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(GRACE);
    Aside.awaitLatch(told);
    Aside.until(() -> worker.state() == WorkerState.CANCELLING);
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(CLEANUP.minusNanos(1));
    assertThat(worker.state()).isEqualTo(WorkerState.CANCELLING);
    assertThat(drain.isDone()).isFalse();
    ticker.advance(Duration.ofNanos(1));
    return drain.result();
  }

  @Test
  @Tag("D5")
  @Tag("D14")
  @Tag("L10")
  @Tag("CASE-19")
  void theStopEndsAtGraceAndCleanupAndNamesWhoIsLeft() throws Exception {
    Report report = assertBalanced(drained(worker(this::ignore)));

    assertThat(report.drainTime()).isEqualTo(GRACE);
    assertThat(report.cleanupTime()).isEqualTo(CLEANUP);
    assertThat(report.ending()).contains(Ending.STUCK);
    assertThat(report.isClean()).isFalse();
    assertThat(report.unfinished()).isEqualTo(1);
    assertThat(report.running()).isEqualTo(1);
    assertThat(report.outcomes())
        .containsExactly(new Outcome.Unstarted("waits", Outcome.Unstarted.Cause.DRAINED));
    assertThat(report.abandoned()).containsExactly("ignores", "waits");
    assertThat(report.stuck())
        .singleElement()
        .satisfies(
            stuck -> {
              assertThat(stuck.jobId()).isEqualTo("ignores");
              assertThat(stuck.age()).isEqualTo(GRACE.plus(CLEANUP));
              assertThat(stuck.thread()).isEqualTo(handlerThread.get().getName());
              assertThat(stuck.stack())
                  .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("ignore"));
            });
  }

  @Test
  @Tag("D5")
  @Tag("L1")
  void itsLaterEndIsStillCountedAndTheFinalReportStays() throws Exception {
    Worker<String> worker = worker(this::ignore);
    Report report = drained(worker);

    release.countDown();
    Aside.until(() -> worker.report().unfinished() == 0);

    Report later = assertSettled(worker.report());
    assertThat(later.completed()).isEqualTo(1);
    assertThat(later.isClean()).isFalse();
    assertThat(later.ending()).contains(Ending.STUCK);
    assertThat(worker.outcome("ignores")).contains(new Outcome.Completed("ignores", 1));
    assertThat(report.unfinished()).isEqualTo(1);
    assertThat(report.completed()).isZero();
    assertThat(worker.drain(GRACE)).isSameAs(report);
    Aside.until(() -> !handlerThread.get().isAlive());
    ThreadWatch.awaitNoControlThread("stuck");
  }

  @Test
  @Tag("D5")
  void aDeepStackIsCut() throws Exception {
    Report report = drained(worker((job, context) -> ignoreAtDepth(500, job, context)));

    assertThat(report.stuck())
        .singleElement()
        .satisfies(stuck -> assertThat(stuck.stack()).hasSizeBetween(1, 32));
  }

  @Test
  @Tag("D5")
  void cleanupMayGoBeyondTheGrace() throws Exception {
    Worker<String> worker = worker(this::ignore);
    Aside<Report> drain = Aside.call(() -> worker.drain(GRACE));
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(GRACE);
    Aside.awaitLatch(told);
    Aside.until(() -> worker.state() == WorkerState.CANCELLING);
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(Duration.ofSeconds(2));

    release.countDown();
    Report report = assertSettled(drain.result());

    assertThat(report.completed()).isEqualTo(1);
    assertThat(report.stuck()).isEmpty();
    assertThat(report.drainTime()).isEqualTo(GRACE);
    assertThat(report.cleanupTime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(report.ending()).contains(Ending.DEADLINE);
    assertThat(report.abandoned()).containsExactly("waits");
  }

  @Test
  @Tag("D5")
  @Tag("D6")
  void withoutCleanupWhoIgnoresIsStuckAtOnce() throws Exception {
    Worker<String> worker =
        Worker.<String>builder("impatient")
            .concurrency(1)
            .cleanup(Duration.ZERO)
            .ticker(ticker)
            .start(this::ignore);
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);

    Report report = assertBalanced(worker.abort());

    assertThat(report.stuck()).hasSize(1);
    assertThat(report.cleanupTime()).isZero();
    assertThat(report.ending()).contains(Ending.STUCK);
  }

  @Test
  @Tag("D10")
  void aStuckHandlerStillMayNotWaitForItsWorker() throws Exception {
    AtomicReference<Worker<String>> self = new AtomicReference<>();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Worker<String> worker =
        worker(
            (job, context) -> {
              ignore(job, context);
              try {
                self.get().close();
              } catch (IllegalStateException e) {
                thrown.set(e);
              }
            });
    self.set(worker);
    assertThat(drained(worker).stuck()).hasSize(1);
    release.countDown();
    Aside.until(() -> worker.report().unfinished() == 0);
    assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
  }
}
