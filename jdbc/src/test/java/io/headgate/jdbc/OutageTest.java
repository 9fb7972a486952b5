package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.Report;
import io.headgate.Submission;
import io.headgate.Worker;
import io.headgate.lifecycle.Lifecycle;
import io.headgate.lifecycle.Readiness;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A store that goes away while it is used, comes back, hangs, or is full. */
class OutageTest extends StoreFixture {

  private final Outage outage = new Outage();
  private final List<String> done = new CopyOnWriteArrayList<>();

  private JdbcBacklog<String> failing() {
    return JdbcBacklog.sqlite(file(), Codec.text()).observed(clock::get, outage);
  }

  private static Admission offer(Worker<String> worker, String id) {
    return worker.offer(Job.of(id, "payload of " + id));
  }

  @Test
  @Tag("K1")
  @Tag("CASE-48")
  void newcomersAreRefusedWhileItIsAwayAndAllGoesOnByItself() throws Exception {
    Worker<String> worker = start(failing(), (job, context) -> done.add(job.id()));
    submit(worker, "before");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    outage.begin();
    assertThat(offer(worker, "during")).isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    assertThat(offer(worker, "during")).isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    assertThat(worker.report().accepted()).isEqualTo(1);
    assertThat(worker.isAvailable()).as("readiness is red meanwhile").isFalse();
    outage.end();
    eventually(() -> offer(worker, "after").isAccepted() || done.contains("after"));
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("before", "after");
    assertThat(worker.isAvailable()).isTrue();
  }

  @Test
  @Tag("V1")
  @Tag("CASE-48")
  void aProcessIsNotReadyWhileItsStoreIsAwayAndStaysLive() {
    Worker<String> worker = start(failing(), (job, context) -> done.add(job.id()));
    try (Lifecycle lifecycle = Lifecycle.builder().worker(worker).install()) {
      lifecycle.started();
      assertThat(lifecycle.health().readiness()).isEqualTo(Readiness.READY);
      outage.begin();
      assertThat(offer(worker, "a")).isEqualTo(Admission.refused(Reason.UNAVAILABLE));
      assertThat(lifecycle.health().readiness()).isEqualTo(Readiness.UNAVAILABLE);
      assertThat(lifecycle.health().isLive()).isTrue();
      outage.end();
      eventually(() -> lifecycle.health().isReady());
    }
  }

  @RepeatedTest(10)
  @Tag("V1")
  @Tag("CASE-48")
  void whoIsRefusedFindsItAwayAlsoWhereOthersSharedItsCommit() throws Exception {
    Worker<String> worker = start(failing(), (job, context) -> done.add(job.id()));
    outage.hang();
    FutureTask<CancelResult> held = inBackground(() -> worker.cancel("nobody"));
    eventually(outage::isHeld);
    outage.beginAfterTheHeld();
    FutureTask<CancelResult> other = inBackground(() -> worker.cancel("nobody else"));
    FutureTask<Boolean> refused =
        inBackground(
            () ->
                offer(worker, "a").equals(Admission.refused(Reason.UNAVAILABLE))
                    && !worker.isAvailable());
    outage.letGo();
    assertThat(refused.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(held.get()).isEqualTo(CancelResult.UNKNOWN);
    assertThatThrownBy(other::get).hasCauseInstanceOf(StoreException.class);
    outage.end();
    eventually(worker::isAvailable);
  }

  /** Calls what waits for the store, and returns when it does so. */
  private static <R> FutureTask<R> inBackground(Callable<R> call) throws InterruptedException {
    FutureTask<R> task = new FutureTask<>(call);
    Thread thread = Thread.ofPlatform().daemon().start(task);
    eventually(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
    return task;
  }

  @Test
  @Tag("K1")
  @Tag("K6")
  @Tag("CASE-48")
  void anEndThatFindsItAwayIsKeptAndRecordedWhenItIsBack() throws Exception {
    Worker<String> worker = start(failing(), staying);
    submit(worker, "a", "b");
    entered.acquire(2);
    outage.begin();
    release.release(2);
    eventually(() -> offer(worker, "c").equals(Admission.refused(Reason.UNAVAILABLE)));
    assertThat(worker.report().running()).as("nothing is recorded yet").isEqualTo(2);
    assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
    outage.end();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(worker.outcome("a")).contains(new Outcome.Completed("a", 1));
    assertThat(worker.report().completed()).isEqualTo(2);
  }

  @Test
  @Tag("K6")
  @Tag("CASE-29")
  void anInterruptDoesNotBreakTheRecordingOfAnEnd() throws Exception {
    Worker<String> worker =
        start(
            failing(),
            (job, context) -> {
              entered.release();
              release.acquire();
              Thread.currentThread().interrupt();
            });
    submit(worker, "a");
    entered.acquire();
    outage.hang();
    release.release();
    outage.letGo();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(worker.outcome("a")).contains(new Outcome.Completed("a", 1));
  }

  @Test
  @Tag("D11")
  @Tag("CASE-29")
  void aStopThatInterruptsItsHandlersRecordsTheirEnds() throws Exception {
    Worker<String> worker = start(failing().uncertain(Uncertain.HOLD), staying);
    submit(worker, "a", "b");
    entered.acquire(2);
    Report report = worker.abort();
    assertThat(report.held()).isEqualTo(2);
    assertThat(report.running()).isZero();
  }

  @Test
  @Tag("K1")
  void aProducerWaitsForAHangingStoreOnlySoLongAndMayHaveBeenAccepted() throws Exception {
    Worker<String> worker =
        start(failing().storeTimeout(Duration.ofMillis(50)), (job, context) -> done.add(job.id()));
    outage.hang();
    FutureTask<Admission> offer = new FutureTask<>(() -> offer(worker, "a"));
    Thread.ofPlatform().daemon().start(offer);
    assertThat(offer.get()).isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    outage.letGo();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(offer(worker, "a")).isEqualTo(Admission.refused(Reason.DUPLICATE));
    assertThat(done).containsExactly("a");
  }

  private FutureTask<Submission> track(Worker<String> worker, String id, String payload) {
    FutureTask<Submission> submission =
        new FutureTask<>(() -> worker.submitTracked(Job.of(id, payload)));
    Thread.ofPlatform().daemon().start(submission);
    return submission;
  }

  /** A worker whose store soon gives up waiting for a commit, and which notes what it ran. */
  private Worker<String> impatient() throws Exception {
    return start(
        failing().storeTimeout(Duration.ofMillis(200)), (job, context) -> done.add(job.payload()));
  }

  private void runsTheNewOneAfter(Worker<String> worker) throws Exception {
    eventually(worker::isAvailable);
    Submission submission = track(worker, "a", "new").get();
    assertThat(submission.admission()).isEqualTo(Admission.accepted());
    assertThat(submission.outcome().get(30, TimeUnit.SECONDS))
        .isEqualTo(new Outcome.Completed("a", 1));
    assertThat(done).containsExactly("new");
  }

  @Test
  @Tag("K1")
  void aTrackedSubmissionThatWasNeverTakenLeavesNothingToTheNextOfItsId() throws Exception {
    Worker<String> worker = impatient();
    outage.hang();
    FutureTask<CancelResult> writing = new FutureTask<>(() -> worker.cancel("nobody"));
    Thread.ofPlatform().daemon().start(writing);
    eventually(outage::isHeld);
    assertThat(track(worker, "a", "old").get().admission())
        .isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    outage.letGo();
    writing.get();
    runsTheNewOneAfter(worker);
  }

  @Test
  @Tag("K1")
  void aTrackedSubmissionThatWasRolledBackUnansweredLeavesNothingToTheNextOfItsId()
      throws Exception {
    Worker<String> worker = impatient();
    outage.hang();
    assertThat(track(worker, "a", "old").get().admission())
        .isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    outage.begin();
    outage.letGo();
    eventually(() -> !worker.isAvailable());
    outage.end();
    runsTheNewOneAfter(worker);
  }

  @Test
  @Tag("K1")
  void aTrackedSubmissionThatWasCommittedUnansweredRunsAsItWasSubmitted() throws Exception {
    Worker<String> worker = impatient();
    outage.hang();
    Submission unanswered = track(worker, "a", "old").get();
    assertThat(unanswered.admission()).isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    outage.letGo();
    assertThat(track(worker, "a", "new").get().admission())
        .isEqualTo(Admission.refused(Reason.DUPLICATE));
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("old");
  }

  @Test
  @Tag("K1")
  void stoppingAdmissionDoesNotWaitForAHangingStoreAndWhatItHoldsIsDrained() throws Exception {
    Worker<String> worker =
        start(failing().drainWaiting(true), (job, context) -> done.add(job.id()));
    outage.hang();
    FutureTask<Admission> offer = new FutureTask<>(() -> offer(worker, "late"));
    Thread.ofPlatform().daemon().start(offer);
    eventually(() -> !worker.report().equals(null));
    worker.stopAdmission();
    assertThat(offer(worker, "too late")).isEqualTo(Admission.refused(Reason.CLOSED));
    outage.letGo();
    Report report = worker.drain(LONG);
    assertThat(report.unfinished()).isZero();
    assertThat(report.completed()).isEqualTo(offer.get().isAccepted() ? 1 : 0);
  }

  @Test
  @Tag("K1")
  void aFullStoreLosesNothingGoesOnEndingJobsAndTakesNewOnesWhenThereIsRoom() throws Exception {
    QuotaDialect quota = new QuotaDialect(file(), 60);
    Worker<String> worker =
        start(
            store().dialect(quota),
            (job, context) -> done.add(job.id()),
            builder -> builder.history(0));
    worker.setCapacity(10_000);
    worker.pause();
    int accepted = 0;
    Admission answer = Admission.accepted();
    while (answer.isAccepted()) {
      answer = worker.offer(Job.of("job-" + accepted, "x".repeat(2_000)));
      accepted += answer.isAccepted() ? 1 : 0;
    }
    assertThat(answer).isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    assertThat(accepted).isBetween(10, 200);
    refusesManyMoreAndSaysSoOncePerPeriod(worker);
    assertThat(worker.report().accepted()).isEqualTo(accepted);
    worker.resume();
    assertThat(worker.awaitIdle(LONG)).as("an end needs less than it frees").isTrue();
    assertThat(done).hasSize(accepted);
    quota.lift();
    eventually(() -> offer(worker, "more").isAccepted());
    assertThat(worker.awaitIdle(LONG)).isTrue();
  }

  private void refusesManyMoreAndSaysSoOncePerPeriod(Worker<String> worker) {
    long began = System.nanoTime();
    try (LogLines log = new LogLines(StoreWriter.class)) {
      for (int i = 0; i < 50; i++) {
        assertThat(worker.offer(Job.of("more-" + i, "x".repeat(2_000))))
            .isEqualTo(Admission.refused(Reason.UNAVAILABLE));
      }
      long periods = 1 + (System.nanoTime() - began) / Outages.PERIOD_NANOS;
      assertThat(log.lines().stream().filter(line -> line.contains("no room left")).count())
          .isLessThanOrEqualTo(periods);
    }
  }

  @Test
  void outagesOfAKindAreToldOncePerPeriod() {
    ManualTicker ticker = ManualTicker.create();
    Outages outages = new Outages(ticker);
    assertThat(outages.mayTell(StoreException.Kind.FULL)).isTrue();
    assertThat(outages.mayTell(StoreException.Kind.FULL)).isFalse();
    assertThat(outages.mayTell(StoreException.Kind.UNREACHABLE)).isTrue();
    ticker.advance(Duration.ofNanos(Outages.PERIOD_NANOS));
    assertThat(outages.mayTell(StoreException.Kind.FULL)).isTrue();
  }

  @Test
  void aFullDiskAtTheOpenIsSaidWithItsCure() {
    assertThatThrownBy(
            () -> start(store().dialect(new QuotaDialect(file(), 3)), (job, context) -> {}))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FULL))
        .hasMessageContaining(file().toString())
        .hasMessageContaining("free space");
  }
}
