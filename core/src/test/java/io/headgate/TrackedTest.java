package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The future of a tracked job is completed for every kind of end. */
@Timeout(60)
class TrackedTest {

  private final ManualTicker ticker = ManualTicker.create();
  private final HandlerGate<String> gate =
      HandlerGate.before(
          (job, context) -> {
            if (job.id().startsWith("fails")) {
              throw new IllegalStateException("by itself");
            }
          });

  private Worker<String> worker(int capacity, WhenFull whenFull) {
    return Worker.<String>builder("tracked")
        .concurrency(1)
        .capacity(capacity)
        .whenFull(whenFull)
        .ticker(ticker)
        .start(gate.handler());
  }

  private Worker<String> worker(int capacity) {
    return worker(capacity, WhenFull.refuse());
  }

  private static CompletableFuture<Outcome> track(Worker<String> worker, Job<String> job)
      throws InterruptedException {
    Submission submission = worker.submitTracked(job);
    assertThat(submission.admission().isAccepted()).as(job.id()).isTrue();
    return submission.outcome();
  }

  private static CompletableFuture<Outcome> track(Worker<String> worker, String id)
      throws InterruptedException {
    return track(worker, Job.of(id, ""));
  }

  private static Outcome ended(CompletableFuture<Outcome> future) throws Exception {
    return future.get(HANG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  @Tag("L3")
  void completedFailedAndInterrupted() throws Exception {
    Worker<String> worker = worker(9);
    CompletableFuture<Outcome> completes = track(worker, "completes");
    CompletableFuture<Outcome> fails = track(worker, "fails");
    CompletableFuture<Outcome> cancelled = track(worker, "is cancelled");
    assertThat(completes).isNotDone();
    gate.pass(2);

    assertThat(ended(completes)).isEqualTo(new Outcome.Completed("completes", 1));
    assertThat(ended(fails)).isInstanceOf(Outcome.Failed.class);
    assertThat(gate.awaitEntered(3, HANG)).isTrue();
    assertThat(cancelled).isNotDone();
    assertThat(worker.cancel("is cancelled")).isEqualTo(CancelResult.SIGNALLED);
    assertThat(ended(cancelled)).isEqualTo(new Outcome.Interrupted("is cancelled", 1));
    Report report = assertSettled(worker.drain(Duration.ofHours(1)));
    assertThat(report.outcomes()).contains(ended(completes), ended(fails), ended(cancelled));
  }

  @Test
  @Tag("L3")
  void shedCancelledAndExpired() throws Exception {
    Worker<String> worker = worker(1, WhenFull.shedOldest());
    CompletableFuture<Outcome> runs = track(worker, "runs");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    CompletableFuture<Outcome> victim = track(worker, "victim");
    CompletableFuture<Outcome> cancelled = track(worker, "cancelled");
    assertThat(ended(victim))
        .isEqualTo(new Outcome.Unstarted("victim", Outcome.Unstarted.Cause.SHED));
    assertThat(worker.cancel("cancelled")).isEqualTo(CancelResult.UNSTARTED);
    assertThat(ended(cancelled))
        .isEqualTo(new Outcome.Unstarted("cancelled", Outcome.Unstarted.Cause.CANCELLED));
    CompletableFuture<Outcome> expires =
        track(worker, Job.of("expires", "").timeToLive(Duration.ofSeconds(1)));
    ticker.advance(Duration.ofSeconds(1));
    gate.open();
    assertThat(ended(expires))
        .isEqualTo(new Outcome.Unstarted("expires", Outcome.Unstarted.Cause.EXPIRED));
    assertThat(ended(runs)).isEqualTo(new Outcome.Completed("runs", 1));
    assertSettled(worker.drain(Duration.ofHours(1)));
  }

  @Test
  @Tag("L3")
  @Tag("CASE-16")
  void everyOneOfADrainThatRanOutOfTime() throws Exception {
    Worker<String> worker = worker(1);
    CompletableFuture<Outcome> runs = track(worker, "runs");
    CompletableFuture<Outcome> waits = track(worker, "waits");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();

    assertSettled(worker.drain(Duration.ZERO));

    assertThat(ended(runs)).isEqualTo(new Outcome.Interrupted("runs", 1));
    assertThat(ended(waits))
        .isEqualTo(new Outcome.Unstarted("waits", Outcome.Unstarted.Cause.DRAINED));
  }

  @Test
  @Tag("L3")
  @Tag("CASE-16")
  void everyOneOfAnAbort() throws Exception {
    Worker<String> worker = worker(1);
    CompletableFuture<Outcome> runs = track(worker, "runs");
    CompletableFuture<Outcome> waits = track(worker, "waits");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();

    assertSettled(worker.abort());

    assertThat(ended(runs)).isEqualTo(new Outcome.Interrupted("runs", 1));
    assertThat(ended(waits))
        .isEqualTo(new Outcome.Unstarted("waits", Outcome.Unstarted.Cause.ABORTED));
  }

  @Test
  @Tag("A6")
  @Tag("CASE-3")
  void aRefusedOneHasFailedAlready() throws Exception {
    try (Worker<String> worker = worker(0)) {
      CompletableFuture<Outcome> runs = track(worker, "runs");
      Submission refused = worker.submitTracked(Job.of("late", ""));

      assertThat(refused.admission()).is(refusedFor(Reason.FULL));
      assertThat(refused.outcome()).isCompletedExceptionally();
      assertThatThrownBy(() -> refused.outcome().get())
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FULL));
      gate.open();
      assertThat(ended(runs)).isEqualTo(new Outcome.Completed("runs", 1));
    }
  }

  @Test
  @Tag("L2")
  void theOutcomeIsInTheLedgerAndThePlaceFreeBeforeTheFutureCompletes() throws Exception {
    AtomicReference<Worker<String>> self = new AtomicReference<>();
    Worker<String> worker = worker(0);
    self.set(worker);
    CompletableFuture<Report> look = track(worker, "a").thenApply(outcome -> self.get().report());
    gate.open();
    Report seen = look.get(HANG.toSeconds(), TimeUnit.SECONDS);

    assertThat(assertSettled(seen).outcomes()).containsExactly(new Outcome.Completed("a", 1));
    assertSettled(worker.drain(Duration.ofHours(1)));
  }

  @Test
  @Tag("CASE-3")
  void dependentsThatThrowHarmNothing() throws Exception {
    Worker<String> worker = worker(9);
    for (String id : new String[] {"a", "fails", "b", "c"}) {
      CompletableFuture<Void> unused =
          track(worker, id)
              .thenAccept(
                  outcome -> {
                    throw new AssertionError("a dependent that throws");
                  });
    }
    gate.pass(3);
    assertThat(gate.awaitEntered(4, HANG)).isTrue();

    Report report = assertSettled(worker.abort());

    assertThat(report.completed()).isEqualTo(2);
    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.interrupted()).isEqualTo(1);
  }

  @Test
  @Tag("L2")
  @Tag("CASE-3")
  void aDependentThatBlocksKeepsNeitherTheOutcomeNorThePlace() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("blocks").concurrency(2).capacity(0).start(gate.handler());
    CompletableFuture<Void> dependent =
        track(worker, "a")
            .thenAccept(
                outcome -> {
                  blocked.countDown();
                  while (release.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                });
    gate.open();
    Aside.awaitLatch(blocked);

    assertThat(awaitSettled(worker).completed()).isEqualTo(1);
    assertThat(worker.offer(Job.of("b", "")).isAccepted()).isTrue();
    assertThat(worker.awaitIdle(HANG)).isTrue();
    Report report = assertSettled(worker.drain(Duration.ofHours(1)));
    assertThat(report.completed()).isEqualTo(2);
    assertThat(report.isClean()).isTrue();
    release.countDown();
    dependent.get(HANG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  @Tag("L3")
  void cancellingTheFutureRetractsNothing() throws Exception {
    Worker<String> worker = worker(1);
    CompletableFuture<Outcome> future = track(worker, "a");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();

    assertThat(future.cancel(true)).isTrue();

    assertThat(worker.report().running()).isEqualTo(1);
    gate.open();
    assertThat(awaitSettled(worker).completed()).isEqualTo(1);
    assertSettled(worker.drain(Duration.ofHours(1)));
  }
}
