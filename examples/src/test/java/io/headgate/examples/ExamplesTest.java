package io.headgate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Ending;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.Report;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs every program of the documentation; {@link MailerTest} runs the one that ends itself. */
@Timeout(60)
final class ExamplesTest {

  @Test
  void answersAreGivenInTheirOrder() throws InterruptedException {
    assertThat(Answers.refusing())
        .containsExactly(
            "a: accepted",
            "b: accepted",
            "c: later: FULL",
            "a: known already",
            "late: never here: EXPIRED",
            "patient: " + Admission.refused(Reason.TIMED_OUT),
            "e: never here: CLOSED");
  }

  @Test
  void waitingJobThatMattersLessGivesWay() throws InterruptedException {
    assertThat(Answers.shedding())
        .containsExactly(
            "user: Accepted",
            "batch: " + new Outcome.Unstarted("batch", Outcome.Unstarted.Cause.SHED),
            "equal: " + Admission.refused(Reason.SHED));
  }

  @Test
  void oneLoopIsHeldBackAndLosesNothing() throws InterruptedException {
    assertThat(Producers.oneLoop(100)).isEqualTo(100);
  }

  @Test
  void threadForEachArrivalIsBoundedByTheWorkerOnly() throws InterruptedException {
    assertThat(Producers.threadForEach(10))
        .isEqualTo(
            Map.of(
                "Accepted",
                1,
                Admission.refused(Reason.TOO_MANY_WAITERS).toString(),
                7,
                Admission.refused(Reason.CLOSED).toString(),
                2));
  }

  @Test
  void handlerNeverWaitsForItsOwnWorker() throws InterruptedException {
    assertThat(OwnWorker.run())
        .containsExactly(Admission.accepted(), Admission.refused(Reason.FULL));
  }

  @Test
  void tenAtOnceIsNoRate() throws InterruptedException {
    assertThat(Pace.completedWhileTheClockStands(1_000)).isEqualTo(1_000);
  }

  @Test
  void onlyAnInterruptionThatWasToldIsInterrupted() throws InterruptedException {
    Map<String, Outcome> outcomes = OutcomeTable.sixCombinations();

    assertThat(outcomes.get("not told, RETURNS")).isInstanceOf(Outcome.Completed.class);
    assertThat(outcomes.get("not told, THROWS")).isInstanceOf(Outcome.Failed.class);
    assertThat(outcomes.get("not told, THROWS_INTERRUPTION")).isInstanceOf(Outcome.Failed.class);
    assertThat(outcomes.get("told, RETURNS")).isInstanceOf(Outcome.Completed.class);
    assertThat(outcomes.get("told, THROWS")).isInstanceOf(Outcome.Failed.class);
    assertThat(outcomes.get("told, THROWS_INTERRUPTION")).isInstanceOf(Outcome.Interrupted.class);
  }

  @Test
  void reportListsWhatTheDeadlineLeft() throws InterruptedException {
    Report report = FinalReport.report();

    assertThat(report.ending()).contains(Ending.DEADLINE);
    assertThat(report.abandoned()).containsExactly("inv-3", "inv-4");
    assertThat(report.outcomes().stream().map(FinalReport::tell))
        .containsExactly(
            "inv-2: java.lang.IllegalStateException",
            "inv-5 never began: CANCELLED",
            "inv-4 never began: DRAINED",
            "inv-3 may have had effects: look before a retry");
  }

  @Test
  void handlerThatIgnoresItsCancellationIsNamed() throws InterruptedException {
    Report report = Stuck.report();

    assertThat(report.ending()).contains(Ending.STUCK);
    assertThat(report.isClean()).isFalse();
    assertThat(report.unfinished()).isEqualTo(1);
    assertThat(report.stuck())
        .singleElement()
        .satisfies(
            stuck -> {
              assertThat(stuck.jobId()).isEqualTo("inv-7");
              assertThat(stuck.stack()).anyMatch(frame -> frame.toString().contains("waitDeaf"));
            });
  }

  @Test
  void paymentIsTriedUntilItSucceeds() throws Exception {
    assertThat(Retrying.paidThroughTrouble())
        .containsExactly(
            "attempt 1 of payments/inv-42",
            "attempt 2 of payments/inv-42",
            "attempt 3 of payments/inv-42",
            new Outcome.Completed("inv-42", 3).toString());
  }

  @Test
  void executorAndWorkerDoTheSame() throws Exception {
    assertThat(FromExecutor.byExecutor()).isEqualTo("Hello, Ada");
    assertThat(FromExecutor.byWorker())
        .isEqualTo("Hello, Ada, " + new Outcome.Completed("ada", 1) + ", clean true");
  }

  @Test
  void linesOfTheReadmeRun() throws InterruptedException {
    Readme.main(new String[0]);
  }
}
