package io.headgate;

import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.retry.DoNotRetry;
import io.headgate.retry.OverloadedException;
import io.headgate.retry.RetryPolicy;
import io.headgate.retry.RetryableException;
import io.headgate.testing.HandlerGate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which failures are tried again, how often, and when. */
class RetryTest extends RetryFixture {

  private static final class Closed extends RuntimeException implements DoNotRetry {
    private static final long serialVersionUID = 1L;
  }

  private RetryPolicy atOnce() {
    return RetryPolicy.attempts(3).backoff(Duration.ZERO, Duration.ZERO);
  }

  @Test
  @Tag("R1")
  void threeAttemptsAreTheFirstAndTwoMore() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(atOnce()));
    accept(worker, "a");
    Report report = awaitSettled(worker);
    assertThat(calls).containsExactly("a1", "a2", "a3");
    assertThat(report.outcomes()).containsExactly(new Outcome.Failed("a", 3, error("a", 3)));
    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.accepted()).isEqualTo(1);
  }

  @Test
  @Tag("R1")
  void aJobThatSucceedsAtLastIsCompletedWithItsAttempts() throws Exception {
    Worker<String> worker =
        start(
            builder(1, 0).retry(atOnce()),
            (job, context) -> {
              if (context.attempt() < 3) {
                fail(job, context);
              }
            });
    accept(worker, "a");
    assertThat(awaitSettled(worker).outcomes()).containsExactly(new Outcome.Completed("a", 3));
    assertThat(worker.report().failed()).isZero();
  }

  @Test
  @Tag("R1")
  void withoutAPolicyOrWithOneAttemptNothingIsTriedAgain() throws Exception {
    Worker<String> none = failing(builder(1, 0));
    Worker<String> one = failing(builder(1, 0).retry(RetryPolicy.attempts(1)));
    accept(none, "a");
    accept(one, "b");
    awaitSettled(none);
    awaitSettled(one);
    assertThat(calls).containsExactlyInAnyOrder("a1", "b1");
    assertThat(one.outcome("b")).contains(new Outcome.Failed("b", 1, error("b", 1)));
  }

  @Test
  @Tag("R5")
  @Tag("B1")
  void aJobBetweenAttemptsKeepsItsPlaceAndHoldsNoThread() throws Exception {
    Worker<String> worker =
        start(
            builder(1, 1).capacityBytes(100, payload -> 30).retry(policy),
            (job, context) -> {
              if (job.id().equals("a")) {
                fail(job, context);
              }
              HandlerGate.<String>closed().handler().handle(job, context);
            });
    accept(worker, "a");
    awaitSuspended(worker, 1);
    accept(worker, "b");
    awaitCalls(2);
    assertThat(worker.offer(Job.of("c", ""))).is(refusedFor(Reason.FULL));
    assertThat(worker.offer(Job.of("a", ""))).isEqualTo(Admission.refused(Reason.DUPLICATE));
    Report report = assertBalanced(worker.report());
    assertThat(report.unfinished()).isEqualTo(2);
    assertThat(report.suspended()).isEqualTo(1);
    assertThat(report.running()).as("its slot runs another").isEqualTo(1);
    assertThat(report.waitingBytes()).isEqualTo(30);
    assertThat(report.runningBytes()).isEqualTo(30);
    assertThat(worker.outcome("a")).isEmpty();
  }

  @Test
  @Tag("R2")
  void theNextAttemptComesWhenTheBackoffIsOverAndNotBefore() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    pass(SECOND.minusNanos(1));
    Aside.until(() -> ticker.waiters() == 1);
    assertThat(calls).containsExactly("a1");
    pass(Duration.ofNanos(1));
    awaitCalls(2);
    awaitSuspended(worker, 1);
    pass(SECOND);
    assertThat(calls).as("two seconds the second time").hasSize(2);
    pass(SECOND);
    assertThat(awaitSettled(worker).failed()).isEqualTo(1);
    assertThat(calls).containsExactly("a1", "a2", "a3");
  }

  @Test
  @Tag("R2")
  @Tag("R4")
  void whatTheFailureAsksForIsWaitedForAndTheBackoffAdded() throws Exception {
    Worker<String> worker =
        start(
            builder(2, 0).retry(policy),
            (job, context) -> {
              if (context.attempt() == 1) {
                throw job.id().equals("busy")
                    ? new OverloadedException(Duration.ofSeconds(5))
                    : new RetryableException("later", Duration.ofSeconds(5));
              }
            });
    accept(worker, "busy");
    accept(worker, "later");
    awaitSuspended(worker, 2);
    pass(Duration.ofSeconds(6).minusNanos(1));
    Aside.until(() -> ticker.waiters() == 1);
    assertThat(calls).hasSize(2);
    pass(Duration.ofNanos(1));
    assertThat(awaitSettled(worker).completed()).isEqualTo(2);
  }

  @Test
  @Tag("R2")
  void aRetryWhoseBackoffEndsAtTheDeadlineIsNotScheduled() throws Exception {
    Worker<String> at = failing(builder(1, 0).retry(policy.deadline(SECOND)));
    Worker<String> after = failing(builder(1, 0).retry(policy.deadline(SECOND.plusNanos(1))));
    accept(at, "a");
    accept(after, "b");
    awaitSettled(at);
    assertThat(at.outcome("a"))
        .contains(new Outcome.Failed("a", 1, error("a", 1), RetryCut.DEADLINE));
    awaitSuspended(after, 1);
    pass(SECOND);
    awaitSettled(after);
    assertThat(after.outcome("b"))
        .contains(new Outcome.Failed("b", 2, error("b", 2), RetryCut.DEADLINE));
  }

  @Test
  @Tag("R2")
  void eachAttemptGetsTheSmallerOfItsTimeoutAndWhatRemains() throws Exception {
    List<Duration> remaining = new CopyOnWriteArrayList<>();
    RetryPolicy limited =
        RetryPolicy.attempts(4)
            .backoff(SECOND, 1, SECOND)
            .random(LONGEST)
            .timeout(Duration.ofSeconds(5))
            .deadline(Duration.ofSeconds(7));
    Worker<String> worker =
        start(
            builder(1, 0).retry(limited),
            (job, context) -> {
              remaining.add(context.remaining().orElseThrow());
              fail(job, context);
            });
    accept(worker, "a");
    for (int attempt = 2; attempt <= 4; attempt++) {
      awaitSuspended(worker, 1);
      pass(SECOND);
      awaitCalls(attempt);
    }
    awaitSettled(worker);
    assertThat(remaining)
        .containsExactly(
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(4));
  }

  @Test
  @Tag("R2")
  @Tag("L11")
  void theDeadlineOverAllAttemptsCutsARunningOneOff() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        start(builder(1, 0).retry(policy.idempotent().deadline(SECOND)), gate.handler());
    accept(worker, "a");
    assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
    pass(SECOND);
    awaitSettled(worker);
    assertThat(worker.outcome("a"))
        .containsInstanceOf(Outcome.Failed.class)
        .hasValueSatisfying(
            outcome -> {
              Outcome.Failed failed = (Outcome.Failed) outcome;
              assertThat(failed.error().errorType()).isEqualTo("AttemptTimeout");
              assertThat(failed.error().message()).contains("PT1S");
              assertThat(failed.retriesCutShort()).isEqualTo(RetryCut.DEADLINE);
            });
  }

  @Test
  @Tag("R4")
  void overloadedDoNotRetryGoesUpAtOnceAndIsToldFromFailed() throws Exception {
    Worker<String> worker =
        start(
            builder(1, 0).retry(atOnce()),
            (job, context) -> {
              throw OverloadedException.doNotRetry("full over there");
            });
    accept(worker, "a");
    awaitSettled(worker);
    assertThat(calls).containsExactly("a1");
    assertThat(worker.outcome("a"))
        .contains(
            new Outcome.Failed(
                "a",
                1,
                new JobError(OverloadedException.class.getName(), "full over there", false, false),
                RetryCut.OVERLOADED));
  }

  @Test
  @Tag("R8")
  void aMarkIsFinalWhateverThePolicySays() throws Exception {
    RetryPolicy eager = atOnce().idempotent().retryIf(failure -> true);
    Worker<String> worker =
        start(
            builder(1, 1).retry(eager),
            (job, context) -> {
              if (job.id().equals("told")) {
                context.doNotRetry();
                throw new RetryableException("but it is too late");
              }
              throw new Closed();
            });
    accept(worker, "told");
    accept(worker, "marked");
    awaitSettled(worker);
    assertThat(calls).containsExactly("told1", "marked1");
    assertThat(worker.report().outcomes())
        .allSatisfy(
            outcome ->
                assertThat(((Outcome.Failed) outcome).retriesCutShort()).isEqualTo(RetryCut.NONE));
  }

  @Test
  void theMarkOfOneJobIsNotThatOfTheNext() throws Exception {
    Worker<String> worker =
        start(
            builder(1, 1).retry(atOnce()),
            (job, context) -> {
              if (job.id().equals("marked")) {
                context.doNotRetry();
              }
              fail(job, context);
            });
    accept(worker, "marked");
    accept(worker, "free");
    awaitSettled(worker);
    assertThat(calls).filteredOn(call -> call.startsWith("free")).hasSize(3);
    assertThat(calls).filteredOn(call -> call.startsWith("marked")).hasSize(1);
  }

  @Test
  void thePredicateDecides() throws Exception {
    RetryPolicy network = atOnce().retryIf(IOException.class::isInstance);
    Worker<String> worker =
        start(
            builder(1, 1).retry(network),
            (job, context) -> {
              if (job.id().equals("io")) {
                throw new IOException("reset");
              }
              fail(job, context);
            });
    accept(worker, "io");
    accept(worker, "bug");
    awaitSettled(worker);
    assertThat(calls).containsExactlyInAnyOrder("io1", "io2", "io3", "bug1");
  }

  @Test
  @Tag("L2")
  void aPredicateThatThrowsEndsTheJobAndHarmsNobody() throws Exception {
    RetryPolicy broken =
        atOnce()
            .retryIf(
                failure -> {
                  throw new AssertionError("no idea");
                });
    Worker<String> worker = failing(builder(1, 1).retry(broken));
    accept(worker, "a");
    accept(worker, "b");
    assertThat(awaitSettled(worker).failed()).isEqualTo(2);
    assertThat(calls).containsExactly("a1", "b1");
  }

  @Test
  @Tag("R8")
  @Tag("L11")
  void anAttemptBeyondItsTimeoutIsRetriedOnlyWhereThePolicySaysIdempotent() throws Exception {
    RetryPolicy short1 = policy.timeout(SECOND);
    CountDownLatch never = new CountDownLatch(1);
    Worker<String> careful = start(builder(1, 0).retry(short1), (job, context) -> never.await());
    accept(careful, "a");
    awaitCalls(1);
    pass(SECOND);
    awaitSettled(careful);
    assertThat(calls).containsExactly("a1");
    assertThat(careful.outcome("a"))
        .hasValueSatisfying(
            outcome -> {
              assertThat(((Outcome.Failed) outcome).retriesCutShort())
                  .isEqualTo(RetryCut.UNCERTAIN);
              assertThat(((Outcome.Failed) outcome).effectsUncertain()).isTrue();
            });

    calls.clear();
    Worker<String> bold =
        start(builder(1, 0).retry(short1.idempotent()), (job, context) -> never.await());
    accept(bold, "b");
    awaitCalls(1);
    pass(SECOND);
    awaitSuspended(bold, 1);
    pass(SECOND);
    awaitCalls(2);
    assertThat(calls).containsExactly("b1", "b2");
  }

  @Test
  @Tag("R8")
  void soIsOneThatSaysItselfThatItsEffectsAreUncertain() throws Exception {
    Handler<String> lost =
        (job, context) -> {
          throw RetryableException.uncertain("answer lost", new IOException("reset"));
        };
    Worker<String> careful = start(builder(1, 0).retry(atOnce()), lost);
    Worker<String> bold = start(builder(1, 0).retry(atOnce().idempotent()), lost);
    accept(careful, "a");
    accept(bold, "b");
    awaitSettled(careful);
    awaitSettled(bold);
    assertThat(calls).containsExactlyInAnyOrder("a1", "b1", "b2", "b3");
    assertThat(careful.outcome("a"))
        .hasValueSatisfying(
            outcome -> {
              assertThat(((Outcome.Failed) outcome).retriesCutShort())
                  .isEqualTo(RetryCut.UNCERTAIN);
              assertThat(((Outcome.Failed) outcome).effectsUncertain()).isTrue();
            });
  }

  @Test
  @Tag("L5")
  void anInterruptedJobIsNotTriedAgain() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Worker<String> worker =
        start(builder(1, 0).retry(policy.idempotent()), (job, context) -> never.await());
    accept(worker, "a");
    awaitCalls(1);
    worker.cancel("a");
    assertThat(awaitSettled(worker).interrupted()).isEqualTo(1);
    assertThat(calls).containsExactly("a1");
  }

  @Test
  @Tag("T4")
  void aTimeToLiveLimitsTheFirstStartOnly() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    assertThat(worker.offer(Job.of("a", "").timeToLive(Duration.ofMillis(1))).isAccepted())
        .isTrue();
    awaitSuspended(worker, 1);
    assertThat(worker.offer(Job.of("b", ""))).is(refusedFor(Reason.FULL));
    pass(SECOND);
    awaitCalls(2);
    assertThat(worker.report().unstarted()).isZero();
  }

  @Test
  void whilePausedADueJobWaits() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    worker.pause();
    pass(SECOND);
    Aside.until(() -> worker.report().waiting() == 1);
    assertThat(assertBalanced(worker.report()).suspended()).isZero();
    assertThat(calls).containsExactly("a1");
    worker.resume();
    awaitCalls(2);
  }

  @Test
  @Tag("CASE-10")
  void twoTimeoutsContradictEachOther() {
    assertThatThrownBy(
            () ->
                builder(1, 0)
                    .timeout(SECOND)
                    .retry(policy.timeout(Duration.ofSeconds(2)))
                    .start((job, context) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("PT1S")
        .hasMessageContaining("PT2S");
  }

  @Test
  @Tag("L3")
  void listenersHearOfEverySuspensionAndOfOneEnd() throws Exception {
    List<WorkerEvent> told = new CopyOnWriteArrayList<>();
    Worker<String> worker = failing(builder(1, 0).retry(policy).listener(told::add));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    pass(SECOND);
    awaitCalls(2);
    awaitSuspended(worker, 1);
    worker.cancel("a");
    Outcome end = new Outcome.Failed("a", 2, error("a", 2), RetryCut.CANCEL);
    Aside.until(() -> told.contains(new WorkerEvent.Ended(end)));
    assertThat(told)
        .contains(
            new WorkerEvent.Suspended("a", 1, SECOND),
            new WorkerEvent.Suspended("a", 2, Duration.ofSeconds(2)))
        .filteredOn(WorkerEvent.Ended.class::isInstance)
        .hasSize(1);
  }

  @Test
  @Tag("D12")
  void theTimekeeperEndsOnceNothingIsSuspended() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    assertThat(ticker.awaitWaiters(1, LedgerAssert.HANG)).isTrue();
    worker.cancel("a");
    pass(Duration.ofSeconds(1));
    Aside.until(() -> ticker.waiters() == 0);
    assertThat(worker.isLive()).isTrue();
  }
}
