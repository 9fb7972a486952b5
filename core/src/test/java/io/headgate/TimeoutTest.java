package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attempts that take too long. */
@Timeout(60)
class TimeoutTest {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final ManualTicker ticker = ManualTicker.create();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void noCarrierStaysHeld() {
    release.countDown();
  }

  private Worker<String> worker(int capacity, Handler<String> handler) {
    return Worker.<String>builder("timeout")
        .concurrency(1)
        .capacity(capacity)
        .timeout(LIMIT)
        .ticker(ticker)
        .start(handler);
  }

  private static void accept(Worker<String> worker, String id) {
    assertThat(worker.offer(Job.of(id, "")).isAccepted()).as(id).isTrue();
  }

  /** Lets the limit of the running attempt pass. */
  private void exceed() throws InterruptedException {
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(LIMIT);
  }

  /** Ignores its interrupt, until the test releases it. */
  private void ignoreUntilReleased(JobContext context) {
    context.onCancel(told::countDown);
    entered.countDown();
    while (release.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  private static void assertTimedOut(Report report, String id) {
    assertThat(report.outcomes())
        .filteredOn(outcome -> outcome.jobId().equals(id))
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> {
              assertThat(failed.error().errorType()).isEqualTo("AttemptTimeout");
              assertThat(failed.effectsUncertain()).isTrue();
              assertThat(failed.attempts()).isEqualTo(1);
            });
  }

  @Test
  @Tag("L11")
  void anAttemptToldByItsTimeoutIsFailedNotInterrupted() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker = worker(1, gate.handler());
    accept(worker, "a");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();

    exceed();

    Report report = awaitSettled(worker);
    assertTimedOut(report, "a");
    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.interrupted()).isZero();
    assertThat(assertSettled(worker.drain(LIMIT)).isClean()).isTrue();
  }

  @Test
  @Tag("L11")
  void whateverItThrowsThenItTimedOut() throws Exception {
    Worker<String> worker =
        worker(
            1,
            (job, context) -> {
              ignoreUntilReleased(context);
              throw new IllegalStateException("because it was told");
            });
    accept(worker, "a");
    Aside.awaitLatch(entered);
    exceed();
    Aside.awaitLatch(told);
    release.countDown();

    assertTimedOut(awaitSettled(worker), "a");
    assertThat(worker.drain(LIMIT).isClean()).isTrue();
  }

  @Test
  @Tag("L11")
  void oneThatReturnsNormallyIsCompletedHoweverLate() throws Exception {
    Worker<String> worker = worker(1, (job, context) -> ignoreUntilReleased(context));
    accept(worker, "a");
    Aside.awaitLatch(entered);
    exceed();
    Aside.awaitLatch(told);
    release.countDown();

    assertThat(awaitSettled(worker).outcomes()).containsExactly(new Outcome.Completed("a", 1));
    assertThat(worker.drain(LIMIT).isClean()).isTrue();
  }

  @Test
  @Tag("L11")
  @Tag("CASE-8")
  void thePlaceStaysTakenUntilTheAttemptTrulyEnds() throws Exception {
    Worker<String> worker =
        worker(
            0,
            (job, context) -> {
              if (job.id().equals("slow")) {
                ignoreUntilReleased(context);
              }
            });
    accept(worker, "slow");
    Aside.awaitLatch(entered);
    exceed();
    Aside.awaitLatch(told);

    assertThat(worker.offer(Job.of("next", ""))).is(refusedFor(Reason.FULL));
    Report during = assertBalanced(worker.report());
    assertThat(during.running()).isEqualTo(1);
    assertThat(during.failed()).isZero();
    assertThat(worker.outcome("slow")).isEmpty();
    release.countDown();
    awaitSettled(worker);
    accept(worker, "next");

    assertThat(assertSettled(worker.drain(LIMIT)).completed()).isEqualTo(2);
  }

  @Test
  @Tag("L11")
  void nobodyIsToldBeforeTheLimitAndEachAttemptHasItsOwn() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker = worker(1, gate.handler());
    accept(worker, "a");
    accept(worker, "b");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(LIMIT.minusNanos(1));
    gate.pass(1);
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    // The limit of "a" passes while "b" runs.
    ticker.advance(LIMIT.minusNanos(1));
    assertThat(assertBalanced(worker.report()).completed()).isEqualTo(1);
    gate.pass(1);

    assertThat(awaitSettled(worker).completed()).isEqualTo(2);
    assertThat(worker.drain(LIMIT).isClean()).isTrue();
  }

  @Test
  @Tag("L11")
  void theContextCountsDownWhatIsLeft() throws Exception {
    List<Optional<Duration>> seen = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        worker(
            1,
            (job, context) -> {
              seen.add(context.remaining());
              ticker.advance(Duration.ofSeconds(2));
              seen.add(context.remaining());
              ticker.advance(Duration.ofSeconds(9));
              seen.add(context.remaining());
            });
    accept(worker, "a");
    awaitSettled(worker);

    assertThat(seen)
        .containsExactly(
            Optional.of(LIMIT), Optional.of(Duration.ofSeconds(3)), Optional.of(Duration.ZERO));
    worker.close();
  }

  @Test
  @Tag("L11")
  void withoutALimitThereIsNothingLeftToTell() throws Exception {
    List<Optional<Duration>> seen = new CopyOnWriteArrayList<>();
    try (Worker<String> worker =
        Worker.<String>builder("unlimited")
            .concurrency(1)
            .start((job, context) -> seen.add(context.remaining()))) {
      accept(worker, "a");
      awaitSettled(worker);
    }
    assertThat(seen).containsExactly(Optional.empty());
  }

  @Test
  @Tag("L11")
  @Tag("L10")
  void aStopDoesNotRelabelAnAttemptThatTimedOut() throws Exception {
    Worker<String> worker =
        worker(
            1,
            (job, context) -> {
              ignoreUntilReleased(context);
              throw new InterruptedException();
            });
    accept(worker, "a");
    Aside.awaitLatch(entered);
    exceed();
    Aside.awaitLatch(told);
    Aside<Report> drain = Aside.call(() -> worker.drain(Duration.ZERO));
    Aside.until(() -> worker.state() == WorkerState.CANCELLING);
    release.countDown();

    Report report = assertSettled(drain.result());

    assertTimedOut(report, "a");
    assertThat(report.abandoned()).isEmpty();
  }

  @Test
  @Tag("L11")
  void aCancelThatCameFirstCounts() throws Exception {
    Worker<String> worker =
        worker(
            1,
            (job, context) -> {
              ignoreUntilReleased(context);
              throw new InterruptedException();
            });
    accept(worker, "a");
    Aside.awaitLatch(entered);
    assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
    Aside.awaitLatch(told);
    // Nothing is timed any more, so nobody need wait for the clock.
    ticker.advance(LIMIT);
    release.countDown();

    assertThat(awaitSettled(worker).outcomes()).containsExactly(new Outcome.Interrupted("a", 1));
    assertThat(worker.drain(LIMIT).isClean()).isTrue();
  }

  @Test
  @Tag("L11")
  @Tag("L8")
  void timeoutsThatRaceTheEndNeverReachTheNextJob() throws Exception {
    CopyOnWriteArrayList<String> leaks = new CopyOnWriteArrayList<>();
    try (Worker<String> worker =
        Worker.<String>builder("tight")
            .concurrency(1)
            .capacity(64)
            .history(0)
            .timeout(Duration.ofNanos(40_000))
            .start(
                (job, context) -> {
                  if (Thread.currentThread().isInterrupted() && !context.isCancelled()) {
                    leaks.add(job.id());
                  }
                })) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(worker.offer(Job.of("j" + i, ""), HANG).isAccepted()).isTrue();
      }
      Report report = awaitSettled(worker);
      assertThat(leaks).isEmpty();
      // They all returned normally, told or not.
      assertThat(report.completed()).isEqualTo(10_000);
    }
  }
}
