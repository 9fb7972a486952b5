package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Criticality;
import io.headgate.Ending;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.Report;
import io.headgate.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one worker leaves in the store, and what the next one makes of it. */
class RestartTest extends StoreFixture {

  private final List<String> done = new CopyOnWriteArrayList<>();

  private Worker<String> working() {
    return start(store(), (job, context) -> done.add(job.id() + "=" + job.payload()));
  }

  @Test
  @Tag("K1")
  @Tag("K7")
  @Tag("CASE-30")
  void whatNeverStartedIsKeptByACleanStopAndRunByTheNextWorker() throws Exception {
    Worker<String> first = start(store(), staying);
    submit(first, "a", "b");
    entered.acquire(2);
    first.pause(); // so that nothing is claimed between the release and the stop
    submit(first, "c");
    assertThat(first.offer(Job.of("d", "payload of d").criticality(Criticality.SHEDDABLE)))
        .isEqualTo(Admission.accepted());
    release.release(2);
    Report report = first.drain(LONG);
    assertThat(report.isClean()).as("kept jobs are not abandoned").isTrue();
    assertThat(report.ending()).contains(Ending.DRAINED);
    assertThat(report.waiting()).isEqualTo(2);
    assertThat(report.completed()).isEqualTo(2);
    Worker<String> second = working();
    assertThat(second.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactlyInAnyOrder("c=payload of c", "d=payload of d");
    assertThat(second.outcome("c")).contains(new Outcome.Completed("c", 1));
    Report all = second.drain(LONG);
    assertThat(all.accepted()).as("over the life of the store").isEqualTo(4);
    assertThat(all.completed()).isEqualTo(4);
  }

  @Test
  @Tag("K1")
  @Tag("K5")
  void theWindowOfDuplicatesAndTheHistoryOutliveTheProcess() throws Exception {
    Worker<String> first = working();
    submit(first, "a");
    assertThat(first.awaitIdle(LONG)).isTrue();
    first.drain(LONG);
    Worker<String> second = working();
    assertThat(second.offer(Job.of("a", "again"))).isEqualTo(Admission.refused(Reason.DUPLICATE));
    assertThat(second.report().outcomes()).containsExactly(new Outcome.Completed("a", 1));
  }

  @Test
  @Tag("K1")
  @Tag("K4")
  @Tag("K7")
  @Tag("CASE-30")
  void whatAStopInterruptedRunsAgainAtNoCostUnderRerun() throws Exception {
    Worker<String> first = start(store(), staying);
    submit(first, "a");
    entered.acquire();
    Report report = first.drain(Duration.ZERO);
    assertThat(report.abandoned()).containsExactly("a");
    assertThat(report.isClean()).isFalse();
    assertThat(report.interrupted()).as("not final where it can be run again").isZero();
    AtomicInteger attempt = new AtomicInteger();
    Worker<String> second =
        start(
            store(),
            (job, context) -> attempt.set(10 * context.uncertainStarts() + context.attempt()));
    assertThat(second.awaitIdle(LONG)).isTrue();
    assertThat(attempt).as("one uncertain start, first attempt").hasValue(11);
    assertThat(second.outcome("a")).contains(new Outcome.Completed("a", 1));
  }

  @Test
  @Tag("K4")
  void whatAStopInterruptedIsHeldUnderHold() throws Exception {
    Worker<String> first = start(store().uncertain(Uncertain.HOLD), staying);
    submit(first, "a");
    entered.acquire();
    assertThat(first.drain(Duration.ZERO).held()).isEqualTo(1);
    Worker<String> second = working();
    assertThat(second.awaitIdle(LONG)).as("nobody here can end it").isTrue();
    assertThat(done).isEmpty();
    assertThat(second.report().held()).isEqualTo(1);
    assertThat(second.report().unfinished()).isEqualTo(1);
  }

  @Test
  @Tag("K4")
  void whatAStopInterruptedHasFailedUnderFail() throws Exception {
    Worker<String> first = start(store().uncertain(Uncertain.FAIL), staying);
    submit(first, "a");
    entered.acquire();
    Report report = first.drain(Duration.ZERO);
    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.outcomes())
        .singleElement()
        .satisfies(
            outcome ->
                assertThat(((Outcome.Failed) outcome).effectsUncertain())
                    .as("it may have changed the outside")
                    .isTrue());
  }

  @Test
  void aWaitingDrainRunsWhatWaitsUntilItsDeadline() throws Exception {
    Worker<String> worker = start(store().drainWaiting(true), (job, context) -> done.add(job.id()));
    worker.pause();
    submit(worker, "a", "b", "c");
    Report report = worker.drain(LONG);
    assertThat(done).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @Tag("CASE-52")
  void anErrorIsCutBeforeItIsWrittenAndRecordingItNeverFails() throws Exception {
    Worker<String> worker =
        start(
            store(),
            (job, context) -> {
              throw new IllegalStateException("x".repeat(20_000_000));
            },
            builder -> builder.maxErrorMessageChars(Worker.UNBOUNDED));
    submit(worker, "a");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    Outcome.Failed failed = (Outcome.Failed) worker.outcome("a").orElseThrow();
    assertThat(failed.error().message()).hasSize(Errors.MAX_MESSAGE);
    assertThat(failed.error().messageTruncated()).isTrue();
  }

  @Test
  @Tag("CASE-51")
  @Tag("CASE-55")
  void theHistoryIsBoundedInBytesTooAndIdsLeaveWithTheirOutcome() throws Exception {
    Worker<String> worker =
        start(
            store().historyBytes(100_000),
            (job, context) -> {
              throw new IllegalStateException("kept with its payload");
            },
            builder -> builder.history(1_000));
    for (int i = 0; i < 40; i++) {
      assertThat(worker.offer(Job.of("job-" + i, "x".repeat(10_000)), LONG).isAccepted()).isTrue();
    }
    assertThat(worker.awaitIdle(LONG)).isTrue();
    Report report = worker.report();
    assertThat(report.failed()).isEqualTo(40);
    assertThat(report.outcomes()).hasSizeBetween(5, 10);
    assertThat(worker.outcome("job-0")).isEmpty();
    assertThat(worker.offer(Job.of("job-0", "free again"))).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("CASE-51")
  void aSmallerHistoryThanBeforeIsReachedInSmallSteps() throws Exception {
    Worker<String> first =
        start(store(), (job, context) -> {}, builder -> builder.history(Worker.UNBOUNDED));
    for (int i = 0; i < 300; i++) {
      assertThat(first.offer(Job.of("job-" + i, ""), LONG).isAccepted()).isTrue();
    }
    assertThat(first.awaitIdle(LONG)).isTrue();
    first.drain(LONG);
    Worker<String> second = start(store(), (job, context) -> {}, builder -> builder.history(10));
    assertThat(second.report().outcomes()).as("never more are shown").hasSize(10);
    for (int i = 0; i < 20; i++) {
      submit(second, "more-" + i);
      assertThat(second.awaitIdle(LONG)).isTrue();
    }
    second.drain(LONG);
    try (StoreAudit audit = StoreAudit.of(file())) {
      assertThat(audit.number("SELECT count(*) FROM outcome")).isEqualTo(10);
    }
  }

  @Test
  void aPayloadThatTheStoreDoesNotTakeIsRefusedAtOnce() {
    Worker<String> worker = start(store().maxPayloadBytes(10), (job, context) -> {});
    assertThat(worker.offer(Job.of("a", "x".repeat(11))))
        .isEqualTo(Admission.refused(Reason.TOO_LARGE));
    assertThat(worker.offer(Job.of("a", "x".repeat(10)))).isEqualTo(Admission.accepted());
  }

  @Test
  void aPayloadThatCannotBeDecodedFailsItsJobAndTheNextGoesOn() throws Exception {
    Codec<String> codec =
        new Codec<>() {
          @Override
          public byte[] encode(String payload) {
            return Codec.text().encode(payload);
          }

          @Override
          public String decode(byte[] bytes) {
            String text = Codec.text().decode(bytes);
            if (text.contains("poison")) {
              throw new IllegalArgumentException(text);
            }
            return text;
          }
        };
    Worker<String> worker =
        start(JdbcBacklog.sqlite(file(), codec), (job, context) -> done.add(job.id()));
    submit(worker, "poison", "fine");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("fine");
    assertThat(worker.outcome("poison").orElseThrow()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void aTrackedJobCompletesItsFutureThroughTheStore() throws Exception {
    Worker<String> worker = start(store(), (job, context) -> {});
    assertThat(worker.submitTracked(Job.of("a", "x")).outcome().get())
        .isEqualTo(new Outcome.Completed("a", 1));
    worker.pause();
    var cancelled = worker.submitTracked(Job.of("b", "x"));
    worker.cancel("b");
    assertThat(cancelled.outcome().get())
        .isEqualTo(new Outcome.Unstarted("b", Outcome.Unstarted.Cause.CANCELLED));
  }
}
