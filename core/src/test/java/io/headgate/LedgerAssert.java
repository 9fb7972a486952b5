package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.assertj.core.api.Condition;

/** The equation that holds for every report at every instant, and what is left after the work. */
final class LedgerAssert {

  /** A watchdog for hangs, not a measure of anything. */
  static final Duration HANG = Duration.ofSeconds(30);

  private LedgerAssert() {}

  /** Checks the equations of L1 and of DESIGN §4 on one report, of whatever moment. */
  static Report assertBalanced(Report report) {
    assertThat(report.accepted())
        .as("accepted = completed + failed + interrupted + unstarted + unfinished of %s", report)
        .isEqualTo(
            report.completed()
                + report.failed()
                + report.interrupted()
                + report.unstarted()
                + report.unfinished());
    assertThat(report.unfinished())
        .as("unfinished = waiting + suspended + held + running of %s", report)
        .isEqualTo(report.waiting() + report.suspended() + report.held() + report.running());
    assertThat(report.running())
        .as("running = executing + external of %s", report)
        .isEqualTo(report.executing() + report.external());
    assertThat(report.omittedOutcomes())
        .as("omittedOutcomes = outcomes recorded − outcomes kept of %s", report)
        .isEqualTo(report.accepted() - report.unfinished() - report.outcomes().size());
    return report;
  }

  /** Checks that nothing is left: no unfinished job, no charged byte, no waiting producer. */
  static Report assertSettled(Report report) {
    assertBalanced(report);
    assertThat(report.unfinished()).as("unfinished of %s", report).isZero();
    assertThat(report.waitingBytes()).as("bytes of waiting jobs").isZero();
    assertThat(report.runningBytes()).as("bytes of running jobs").isZero();
    assertThat(report.waitingProducers()).as("waiting producers").isZero();
    assertThat(report.waitingProducerBytes()).as("bytes of waiting producers").isZero();
    return report;
  }

  /** Awaits that every accepted job has ended, and checks that nothing is left. */
  static Report awaitSettled(Worker<?> worker) throws InterruptedException {
    assertThat(worker.awaitIdle(HANG)).as("idle: %s", worker.report()).isTrue();
    return assertSettled(worker.report());
  }

  /** A refusal for {@code reason}, whatever it says of when to come again. */
  static Condition<Admission> refusedFor(Reason reason) {
    return new Condition<>(
        answer -> answer instanceof Admission.Refused refused && refused.reason() == reason,
        "refused for %s",
        reason);
  }
}
