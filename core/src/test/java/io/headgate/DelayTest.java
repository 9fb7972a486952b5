package io.headgate;

import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs that are not started before a time, on a clock moved by hand. */
class DelayTest extends RetryFixture {

  private Worker<String> worker(int concurrency, int capacity) {
    return start(builder(concurrency, capacity), (job, context) -> {});
  }

  private static Job<String> later(String id) {
    return Job.of(id, "").delay(SECOND);
  }

  @Test
  @Tag("R7")
  @Tag("T1")
  @Tag("CASE-11")
  void delayedJobStartsWhenItsTimeHasComeAndNotBefore() throws Exception {
    Worker<String> worker = worker(1, 1);
    assertThat(worker.offer(later("later")).isAccepted()).isTrue();
    awaitSuspended(worker, 1);
    accept(worker, "now");
    awaitCalls(1);
    pass(SECOND.minusNanos(1));
    Aside.until(() -> worker.report().running() == 0);
    assertThat(calls).containsExactly("now1");
    pass(Duration.ofNanos(1));
    awaitSettled(worker);
    assertThat(calls).containsExactly("now1", "later1");
  }

  @Test
  @Tag("R7")
  @Tag("D14")
  @Tag("L10")
  void drainEndsWhatIsNotDueAsUnstartedAndDoesNotCallThatClean() throws Exception {
    Worker<String> worker = worker(1, 1);
    assertThat(worker.offer(later("later")).isAccepted()).isTrue();
    Report report = worker.drain(LONG);
    assertThat(report.outcomes())
        .containsExactly(new Outcome.Unstarted("later", Outcome.Unstarted.Cause.DRAINED));
    assertThat(report.abandoned()).containsExactly("later");
    assertThat(report.isClean()).isFalse();
  }

  @Test
  @Tag("R7")
  void abortSaysThatItWasTheCause() throws Exception {
    Worker<String> worker = worker(1, 1);
    assertThat(worker.offer(later("later")).isAccepted()).isTrue();
    assertThat(worker.abort().outcomes())
        .containsExactly(new Outcome.Unstarted("later", Outcome.Unstarted.Cause.ABORTED));
  }

  @Test
  @Tag("T4")
  @Tag("A7")
  void jobThatIsOverBeforeItsDelayIsRefusedAtOnce() {
    Worker<String> worker = worker(1, 1);
    assertThat(worker.offer(later("a").timeToLive(SECOND)))
        .isEqualTo(Admission.refused(Reason.EXPIRED));
    assertThat(worker.offer(later("b").timeToLive(SECOND.plusNanos(1))).isAccepted()).isTrue();
    assertThat(worker.report().refused()).containsEntry(Reason.EXPIRED, 1L);
  }

  @Test
  @Tag("T2")
  @Tag("CASE-10")
  void extremeDelaysSaturateOrAreRefused() throws Exception {
    Worker<String> worker = worker(1, 3);
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(worker.offer(Job.of("never", "").delay(forEver)).isAccepted()).isTrue();
    assertThat(worker.offer(Job.of("now", "").delay(Duration.ZERO)).isAccepted()).isTrue();
    awaitCalls(1);
    pass(LONG);
    assertThat(calls).containsExactly("now1");
    assertThat(worker.report().suspended()).isEqualTo(1);
    assertThat(worker.cancel("never")).isEqualTo(CancelResult.UNSTARTED);
    awaitSettled(worker);
    assertThatThrownBy(() -> Job.of("x", "").delay(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delay is PT-0.000000001S");
  }

  @Test
  @Tag("R1")
  void delayedJobIsRetriedLikeAnyOther() throws Exception {
    Worker<String> worker = failing(builder(1, 1).retry(policy));
    assertThat(worker.offer(later("a")).isAccepted()).isTrue();
    pass(SECOND);
    awaitCalls(1);
    awaitSuspended(worker, 1);
    pass(SECOND);
    awaitCalls(2);
    awaitSuspended(worker, 1);
    pass(Duration.ofSeconds(2));
    awaitSettled(worker);
    assertThat(calls).containsExactly("a1", "a2", "a3");
  }

  @Test
  @Tag("D12")
  @Tag("B5")
  void nothingWatchesOnceNothingIsDelayed() throws Exception {
    Worker<String> worker = worker(1, 1);
    assertThat(worker.offer(later("a")).isAccepted()).isTrue();
    pass(SECOND);
    awaitSettled(worker);
    ThreadWatch.awaitNoControlThread("retry");
  }
}
