package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A place comes back exactly once, however its job ends. */
@Timeout(60)
class SlotBoundsTest {

  @Test
  @Tag("B1")
  @Tag("CASE-2")
  void cancellingAJobAgainGivesNoSecondPlace() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = start(gate)) {
      worker.offer(Job.of("running", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      worker.offer(Job.of("waiting", ""));
      assertThat(worker.cancel("waiting")).isEqualTo(CancelResult.UNSTARTED);
      for (int i = 0; i < 10; i++) {
        assertThat(worker.cancel("waiting")).isEqualTo(CancelResult.ENDED);
      }
      assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("b", ""))).is(refusedFor(Reason.FULL));
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("B1")
  @Tag("CASE-2")
  void cancelThatRacesTheEndOfARunningJobGivesOnePlace() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = start(gate)) {
      for (int i = 0; i < 1_000; i++) {
        String id = "job-" + i;
        assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
        assertThat(gate.awaitEntered(i * 3 + 1, LedgerAssert.HANG)).isTrue();
        Thread canceller = Thread.startVirtualThread(() -> worker.cancel(id));
        gate.pass(1);
        worker.cancel(id);
        assertThat(canceller.join(LedgerAssert.HANG)).isTrue();
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
        // A job that left by its cancel did not take the pass; drain it from the gate.
        assertThat(worker.outcome(id)).isPresent();
        boolean passed = worker.outcome(id).orElseThrow() instanceof Outcome.Completed;
        assertThat(worker.offer(Job.of("a-" + i, "")).isAccepted()).isTrue();
        assertThat(worker.offer(Job.of("b-" + i, "")).isAccepted()).isTrue();
        if (passed) {
          assertThat(worker.offer(Job.of("c-" + i, ""))).is(refusedFor(Reason.FULL));
        }
        gate.pass(passed ? 2 : 1);
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
        assertThat(gate.entered()).hasSize(i * 3 + 3);
      }
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.completed() + report.interrupted()).isEqualTo(3_000);
    }
  }

  @Test
  @Tag("L7")
  @Tag("CASE-3")
  void errorsThrowingListenersAndThrowingCallbacksKeepNoPlace() throws Exception {
    CountDownLatch listened = new CountDownLatch(1);
    try (Worker<String> worker =
        Worker.<String>builder("hostile")
            .concurrency(1)
            .capacity(0)
            .listener(
                event -> {
                  listened.countDown();
                  throw new AssertionError("listener");
                })
            .start(
                (job, context) -> {
                  switch (job.id()) {
                    case "error" -> throw new AssertionError("handler");
                    case "stack" -> throw new StackOverflowError();
                    default -> throw new IllegalStateException("handler");
                  }
                })) {
      for (String id : new String[] {"error", "stack", "exception"}) {
        Submission submission = worker.submitTracked(Job.of(id, ""));
        assertThat(submission.admission().isAccepted()).as(id).isTrue();
        CompletableFuture<Outcome> dependent =
            submission
                .outcome()
                .whenComplete(
                    (outcome, thrown) -> {
                      throw new IllegalStateException("callback");
                    });
        assertThat(dependent).failsWithin(LedgerAssert.HANG);
        assertThat(submission.outcome().get(30, TimeUnit.SECONDS))
            .isInstanceOf(Outcome.Failed.class);
        LedgerAssert.awaitSettled(worker);
      }
      assertThat(listened.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(worker.report().failed()).isEqualTo(3);
    }
  }

  @Test
  @Tag("CASE-3")
  void everyTrackedJobHasItsFutureCompletedHoweverItEnds() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker =
        Worker.<String>builder("tracked")
            .concurrency(1)
            .capacity(3)
            .whenFull(WhenFull.shedOldest())
            .start(gate.handler())) {
      Submission interrupted = worker.submitTracked(Job.of("interrupted", ""));
      assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
      Submission shed = worker.submitTracked(Job.of("shed", ""));
      Submission cancelled = worker.submitTracked(Job.of("cancelled", ""));
      Submission aborted = worker.submitTracked(Job.of("aborted", ""));
      worker.submit(Job.of("newcomer", ""));
      worker.cancel("cancelled");
      Submission refused = worker.submitTracked(Job.of("aborted", ""));
      Report report = worker.abort();
      LedgerAssert.assertSettled(report);
      assertThat(shed.outcome().get(30, TimeUnit.SECONDS))
          .isEqualTo(new Outcome.Unstarted("shed", Outcome.Unstarted.Cause.SHED));
      assertThat(cancelled.outcome().get(30, TimeUnit.SECONDS))
          .isEqualTo(new Outcome.Unstarted("cancelled", Outcome.Unstarted.Cause.CANCELLED));
      assertThat(aborted.outcome().get(30, TimeUnit.SECONDS))
          .isEqualTo(new Outcome.Unstarted("aborted", Outcome.Unstarted.Cause.ABORTED));
      assertThat(interrupted.outcome().get(30, TimeUnit.SECONDS))
          .isEqualTo(new Outcome.Interrupted("interrupted", 1));
      assertThat(refused.outcome())
          .failsWithin(Duration.ofSeconds(30))
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(RefusedException.class)
          .withMessageContaining("DUPLICATE");
    }
  }

  private static Worker<String> start(HandlerGate<String> gate) {
    return Worker.<String>builder("slots")
        .concurrency(1)
        .capacity(1)
        .history(10)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }
}
