package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stops and cancels while jobs are between two attempts. The clock stands still in all of them. */
class RetryStopTest extends RetryFixture {

  private static Outcome cut(String id, int attempts, RetryCut cut) {
    return new Outcome.Failed(id, attempts, error(id, attempts), cut);
  }

  @Test
  @Tag("R7")
  @Tag("R5")
  @Tag("CASE-28")
  void aDrainEndsASuspensionAtOnceHoweverLongItsBackoff() throws Exception {
    Worker<String> worker = failing(builder(2, 2).retry(policy));
    accept(worker, "a");
    accept(worker, "b");
    awaitSuspended(worker, 2);
    Report report = assertSettled(worker.drain(LONG));
    assertThat(report.outcomes())
        .containsExactlyInAnyOrder(cut("a", 1, RetryCut.STOP), cut("b", 1, RetryCut.STOP));
    assertThat(report.failed()).isEqualTo(2);
    assertThat(report.unstarted()).isZero();
    assertThat(report.interrupted()).isZero();
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.abandoned()).as("they have failed").isEmpty();
    assertThat(calls).containsExactlyInAnyOrder("a1", "b1");
  }

  @Test
  @Tag("R7")
  void soDoAnAbortAndACloseOfAPausedWorkerWithADueJob() throws Exception {
    Worker<String> aborted = failing(builder(1, 1).retry(policy));
    accept(aborted, "a");
    awaitSuspended(aborted, 1);
    assertThat(assertSettled(aborted.abort()).outcomes())
        .containsExactly(cut("a", 1, RetryCut.STOP));

    Worker<String> closed = failing(builder(1, 1).retry(policy));
    accept(closed, "b");
    awaitSuspended(closed, 1);
    closed.pause();
    pass(SECOND);
    Aside.until(() -> closed.report().waiting() == 1);
    closed.close();
    assertThat(assertSettled(closed.report()).outcomes())
        .containsExactly(cut("b", 1, RetryCut.STOP));
    assertThat(calls).containsExactly("a1", "b1");
  }

  @Test
  @Tag("R7")
  @Tag("CASE-17")
  void whatFailsDuringADrainIsNotTriedAgain() throws Exception {
    HandlerGate<String> gate = HandlerGate.before(RetryFixture::fail);
    Worker<String> worker = start(builder(1, 1).retry(policy), gate.handler());
    accept(worker, "running");
    accept(worker, "waiting");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    Aside<Report> drain = Aside.call(() -> worker.drain(LONG));
    Aside.until(() -> worker.state() == WorkerState.DRAINING);
    gate.open();
    assertThat(assertSettled(drain.result()).outcomes())
        .containsExactly(cut("running", 1, RetryCut.STOP), cut("waiting", 1, RetryCut.STOP));
    assertThat(calls).containsExactly("running1", "waiting1");
  }

  @Test
  @Tag("R7")
  void stoppingAdmissionAloneLetsRetriesGoOn() throws Exception {
    Worker<String> worker = failing(builder(1, 1).retry(policy));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    worker.stopAdmission();
    pass(SECOND);
    awaitCalls(2);
    awaitSuspended(worker, 1);
    assertThat(worker.drain(LONG).outcomes()).containsExactly(cut("a", 2, RetryCut.STOP));
  }

  @Test
  @Tag("R7")
  void aCancelEndsASuspendedJobByThisCall() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    assertThat(worker.cancel("a")).isEqualTo(CancelResult.ENDED);
    assertThat(worker.outcome("a")).contains(cut("a", 1, RetryCut.CANCEL));
    assertThat(assertSettled(worker.report()).failed()).isEqualTo(1);
    assertThat(worker.awaitIdle(HANG)).isTrue();
    assertThat(worker.cancel("a")).isEqualTo(CancelResult.ENDED);
    assertThat(worker.report().failed()).isEqualTo(1);
  }

  @Test
  @Tag("R7")
  @Tag("L4")
  void aJobThatFailsByItselfAfterItsCancelIsFailedAndNotTriedAgain() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Worker<String> worker =
        start(
            builder(1, 0).retry(policy),
            (job, context) -> {
              context.onCancel(told::countDown);
              while (release.getCount() > 0) {
                Thread.onSpinWait();
              }
              fail(job, context);
            });
    accept(worker, "a");
    awaitCalls(1);
    assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
    Aside.awaitLatch(told);
    release.countDown();
    awaitSettled(worker);
    assertThat(worker.outcome("a")).contains(cut("a", 1, RetryCut.CANCEL));
    assertThat(calls).containsExactly("a1");
  }

  @Test
  @Tag("R7")
  void theFutureOfATrackedJobIsCompletedByTheStop() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    Submission submission = worker.submitTracked(Job.of("a", ""));
    awaitSuspended(worker, 1);
    assertThat(submission.outcome()).isNotDone();
    worker.drain(LONG);
    assertThat(submission.outcome().get(HANG.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo(cut("a", 1, RetryCut.STOP));
  }

  @Test
  @Tag("A2")
  @Tag("D2")
  void aProducerThatWaitsForTheSuspendedGetsInWhenItEnds() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    Aside<Admission> producer = Aside.call(() -> worker.offer(Job.of("b", ""), LONG));
    Aside.until(() -> worker.report().waitingProducers() == 1);
    worker.cancel("a");
    assertThat(producer.result()).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("R5")
  void aSmallerWorkerKeepsWhatIsSuspended() throws Exception {
    Worker<String> worker = failing(builder(3, 3).retry(policy));
    for (String id : new String[] {"a", "b", "c"}) {
      accept(worker, id);
    }
    awaitSuspended(worker, 3);
    worker.setConcurrency(1);
    worker.setCapacity(0);
    assertThat(worker.offer(Job.of("d", ""))).is(refusedFor(Reason.FULL));
    pass(SECOND);
    awaitCalls(6);
    assertThat(assertBalanced(worker.report()).unfinished()).isEqualTo(3);
  }

  @Test
  @Tag("R7")
  void theReportSaysWhyInJson() throws Exception {
    Worker<String> worker = failing(builder(1, 0).retry(policy));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    assertThat(worker.report().toJson()).contains("\"suspended\":1");
    worker.cancel("a");
    accept(worker, "b");
    awaitSuspended(worker, 1);
    String json = worker.drain(LONG).toJson();
    assertThat(json)
        .contains("\"retriesCutShort\":\"cancel\"")
        .contains("\"retriesCutShort\":\"stop\"");
    assertThat(StrictJson.object(json)).containsEntry("worker", "retry");
  }
}
