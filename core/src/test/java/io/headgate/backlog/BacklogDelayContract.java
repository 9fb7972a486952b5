package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.WhenFull;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every backlog must keep of jobs that must not be started before a time, and of those that
 * somebody else refuses, stated through the seam alone.
 */
abstract class BacklogDelayContract extends BacklogFixture {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private static Job<String> later(String id) {
    return job(id).delay(Duration.ofSeconds(1));
  }

  private void acceptLater(String id) {
    assertThat(admit(later(id), 3, WhenFull.Kind.REFUSE)).isEqualTo(Admission.accepted());
  }

  private void pass(long nanos) {
    ticker.advance(Duration.ofNanos(nanos));
  }

  @Test
  @Tag("R7")
  @Tag("B1")
  void delayedJobIsSuspendedHoldsItsPlaceAndBytesAndStartsWhenItsTimeHasCome() {
    open(1, 1, 10, 10, 100);
    acceptLater("later");
    accept("now");
    assertThat(admit("more")).isEqualTo(refused(Reason.FULL));
    assertThat(backlog.tally().suspended()).isEqualTo(1);
    assertThat(backlog.tally().waitingBytes()).isEqualTo(3);
    Hand hand = enrolled();
    Claim<String> now = claim(hand);
    assertThat(now.job().id()).isEqualTo("now");
    assertThat(backlog.settleAndClaim(now, Settlement.completed(), hand)).isNull();
    assertThat(backlog.wakeDue(ticker.nanoTime())).isEqualTo(SECOND);
    pass(SECOND - 1);
    assertThat(backlog.wakeDue(ticker.nanoTime())).isEqualTo(1);
    assertThat(backlog.claim(hand)).isNull();
    pass(1);
    assertThat(backlog.wakeDue(ticker.nanoTime())).isEqualTo(Long.MAX_VALUE);
    assertThat(backlog.tally().suspended()).isZero();
    assertThat(backlog.tally().waiting()).isEqualTo(1);
    Claim<String> later = claim(hand);
    assertThat(later.job().id()).isEqualTo("later");
    assertThat(later.attempt()).isEqualTo(1);
    complete(later);
  }

  @Test
  @Tag("R7")
  void delayedJobsWaitBehindWhatWaitsAlreadyByTheEndOfTheirDelay() {
    open(1, 5);
    assertThat(
            admit(job("last").delay(Duration.ofNanos(2 * SECOND)), 0, WhenFull.Kind.REFUSE)
                .isAccepted())
        .isTrue();
    acceptLater("second");
    accept("first");
    pass(2 * SECOND);
    backlog.wakeDue(ticker.nanoTime());
    Hand hand = enrolled();
    for (String id : List.of("first", "second", "last")) {
      Claim<String> claim = claim(hand);
      assertThat(claim.job().id()).isEqualTo(id);
      complete(claim);
    }
  }

  @Test
  @Tag("T4")
  void timeToLiveCountsFromTheSubmitAndLimitsTheStartAfterTheDelay() {
    open(1, 5);
    Job<String> job = later("later").timeToLive(Duration.ofNanos(SECOND + 5));
    assertThat(admit(job, 0, WhenFull.Kind.REFUSE)).isEqualTo(Admission.accepted());
    pass(SECOND);
    backlog.wakeDue(ticker.nanoTime());
    pass(5);
    assertThat(backlog.claim(enrolled())).isNull();
    assertThat(unstarted).containsExactly(endedAs("later", Outcome.Unstarted.Cause.EXPIRED));
  }

  @Test
  @Tag("A4")
  void sheddingDoesNotReachADelayedJob() {
    open(1, 0);
    acceptLater("later");
    assertThat(admit(job("new"), 0, WhenFull.Kind.SHED_OLDEST)).isEqualTo(refused(Reason.SHED));
    assertThat(backlog.tally().suspended()).isEqualTo(1);
  }

  @Test
  @Tag("R7")
  void cancelledBeforeItsTimeItIsUnstarted() {
    open(1, 1);
    acceptLater("later");
    assertThat(backlog.cancel("later")).isEqualTo(CancelResult.UNSTARTED);
    assertThat(unstarted).containsExactly(endedAs("later", Outcome.Unstarted.Cause.CANCELLED));
    assertThat(backlog.isIdle()).isTrue();
    pass(SECOND);
    assertThat(backlog.wakeDue(ticker.nanoTime())).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @Tag("A7")
  void whatSomebodyElseRefusesIsToldClosedOrDuplicateFirst() {
    open(1, 1);
    accept("known");
    assertThat(refusal("new")).isEqualTo(refused(Reason.OVERLOADED));
    assertThat(refusal("known")).isEqualTo(refused(Reason.DUPLICATE));
    backlog.stopAdmission();
    assertThat(refusal("new")).isEqualTo(refused(Reason.CLOSED));
    assertThat(refusal("known")).isEqualTo(refused(Reason.CLOSED));
    Job<String> over = job("over").timeToLive(Duration.ZERO);
    assertThat(backlog.refusal(over, ticker.nanoTime(), Reason.OVERLOADED))
        .isEqualTo(refused(Reason.EXPIRED));
    assertThat(backlog.tally().accepted()).isEqualTo(1);
  }

  private Admission refusal(String id) {
    return backlog.refusal(job(id), ticker.nanoTime(), Reason.OVERLOADED);
  }

  @Test
  @Tag("O6")
  void loadTellsHowMuchThereIsAndHowMuchHasEnded() {
    open(1, 5);
    accept("a", "b");
    acceptLater("c");
    Hand hand = enrolled();
    complete(claim(hand));
    Load load = backlog.load();
    assertThat(load.unfinished()).isEqualTo(2);
    assertThat(load.ended()).isEqualTo(1);
    assertThat(load.isShedding()).isFalse();
  }
}
