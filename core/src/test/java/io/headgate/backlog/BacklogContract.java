package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Outcome;
import io.headgate.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every backlog must keep, stated through the seam alone; a subclass names the backlog. This
 * part: stop, idleness, and what is reported of both. The others are its superclasses.
 */
abstract class BacklogContract extends BacklogWaitingContract {

  @Test
  @Tag("D1")
  void admissionStopsAtOnceOnAFullBacklogAndAgainAndAcceptedJobsGoOn() {
    open(1, 1);
    accept("a", "b");
    backlog.stopAdmission();
    backlog.stopAdmission();
    assertThat(admit("c")).isEqualTo(refused(Reason.CLOSED));
    Hand hand = enrolled();
    Claim<String> a = claim(hand);
    Claim<String> b = backlog.settleAndClaim(a, Settlement.completed(), hand);
    complete(b);
    assertThat(admit("c")).isEqualTo(refused(Reason.CLOSED));
    assertThat(backlog.tally().completed()).isEqualTo(2);
  }

  @Test
  @Tag("D4")
  @Tag("L10")
  void discardingEndsAllThatWaitsAndNothingIsClaimedAnyMore() {
    open(1, 50, 1);
    accept("running");
    Hand hand = enrolled();
    Claim<String> running = claim(hand);
    List<String> ids = IntStream.range(0, 50).mapToObj(i -> "job-" + i).toList();
    accept(ids.toArray(String[]::new));
    backlog.stopAdmission();
    backlog.discardWaiting(Outcome.Unstarted.Cause.DRAINED);
    assertThat(unstarted)
        .isEqualTo(ids.stream().map(id -> endedAs(id, Outcome.Unstarted.Cause.DRAINED)).toList());
    assertThat(backlog.tally().unstarted()).isEqualTo(50);
    assertThat(backlog.tally().outcomes()).hasSize(1);
    assertThat(backlog.abandoned()).as("whatever the history bound").isEqualTo(ids);
    assertThat(backlog.settleAndClaim(running, Settlement.completed(), hand)).isNull();
    assertThat(backlog.abandoned()).isEqualTo(ids);
  }

  @Test
  void whatIsAcceptedAfterADiscardIsNotClaimed() {
    open(1, 1);
    Hand hand = enrolled();
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    admit("a");
    assertThat(hand.wakes()).isZero();
    assertThat(backlog.tally().running()).isZero();
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    assertThat(backlog.tally().unstarted()).isEqualTo(1);
  }

  @Test
  @Tag("L10")
  void abandonedAreTheUnstartedTheInterruptedByTheStopAndTheStuckInOrderOfAdmission() {
    open(4, 1);
    accept("stuck", "stopped", "cancelled", "late", "unstarted");
    Claim<String> stuck = claim(enrolled());
    Claim<String> stopped = claim(enrolled());
    Claim<String> cancelled = claim(enrolled());
    Claim<String> late = claim(enrolled());
    backlog.stopAdmission();
    backlog.discardWaiting(Outcome.Unstarted.Cause.DRAINED);
    assertThat(backlog.abandoned()).containsExactly("unstarted");
    backlog.settle(cancelled, new Settlement.Interrupted(false));
    backlog.settle(stopped, new Settlement.Interrupted(true));
    backlog.settle(late, Settlement.completed());
    assertThat(backlog.abandoned()).containsExactly("stopped", "unstarted");
    backlog.dismissClaimants();
    assertThat(backlog.abandoned()).containsExactly("stuck", "stopped", "unstarted");
    assertThat(backlog.tally().running()).isEqualTo(1);
    complete(stuck);
    assertThat(backlog.tally().unfinished()).isZero();
    assertThat(backlog.tally().completed()).as("a late end is still counted").isEqualTo(2);
  }

  @Test
  @Tag("D12")
  void claimantsAreDismissedOnceNowOrWhenTheySettle() {
    open(2, 0);
    Hand idle = enrolled();
    accept("a");
    Hand busy = new Hand(() -> {});
    assertThat(idle.wakes()).isEqualTo(1);
    Claim<String> a = claim(idle);
    backlog.enrol(busy);
    backlog.dismissClaimants();
    backlog.dismissClaimants();
    assertThat(busy.dismissals()).isEqualTo(1);
    assertThat(idle.dismissals()).isZero();
    assertThat(backlog.settleAndClaim(a, Settlement.completed(), idle)).isNull();
    assertThat(idle.dismissals()).isEqualTo(1);
    assertThat(busy.dismissals()).isEqualTo(1);
  }

  @Test
  void aWokenClaimantThatComesAfterTheDismissalIsDismissed() {
    open(1, 1);
    Hand hand = enrolled();
    accept("a");
    backlog.dismissClaimants();
    assertThat(hand.dismissals()).isZero();
    assertThat(backlog.claim(hand)).isNull();
    assertThat(hand.dismissals()).isEqualTo(1);
  }

  @Test
  void theListenerHearsOfIdlenessOnceAdmissionHasStoppedAndTheLastJobHasEnded() {
    open(1, 1);
    Hand hand = enrolled();
    accept("a");
    complete(claim(hand));
    assertThat(idleCalls).hasValue(0);
    accept("b", "c");
    backlog.stopAdmission();
    Claim<String> c = backlog.settleAndClaim(claim(hand), Settlement.completed(), hand);
    assertThat(idleCalls).hasValue(0);
    complete(c);
    assertThat(idleCalls).hasValue(1);
    assertThat(backlog.isIdle()).isTrue();
  }

  @Test
  void theListenerHearsOfIdlenessThatADiscardBrings() {
    open(1, 1);
    accept("a", "b");
    backlog.stopAdmission();
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    assertThat(idleCalls).hasValue(1);
  }

  @Test
  @Tag("L2")
  @Tag("L6")
  void awaitIdleReturnsOnceEveryAcceptedJobHasAnOutcome() throws Exception {
    open(1, 1);
    assertThat(backlog.awaitIdle(0)).isTrue();
    accept("a", "b");
    Hand hand = enrolled();
    Claim<String> a = claim(hand);
    Call<Long> idle = Call.of(() -> backlog.awaitIdle(FOR_EVER) ? backlog.tally().ended() : -1);
    assertThat(ticker.awaitWaiters(1, Call.WATCHDOG)).isTrue();
    complete(a);
    assertThat(backlog.isIdle()).isFalse();
    backlog.settle(claim(hand), new Settlement.Interrupted(false));
    assertThat(idle.result()).isEqualTo(2);
    assertThat(backlog.isIdle()).isTrue();
  }

  @Test
  void awaitIdleGivesUpWhenItsTimeIsOverOrItIsInterrupted() throws Exception {
    open(1, 0);
    accept("a");
    assertThat(backlog.awaitIdle(0)).isFalse();
    Call<Boolean> timed = Call.of(() -> backlog.awaitIdle(10));
    assertThat(ticker.awaitWaiters(1, Call.WATCHDOG)).isTrue();
    ticker.advance(Duration.ofNanos(10));
    assertThat(timed.result()).isFalse();
    Call<Boolean> interrupted = Call.of(() -> backlog.awaitIdle(FOR_EVER));
    assertThat(ticker.awaitWaiters(1, Call.WATCHDOG)).isTrue();
    interrupted.interrupt();
    assertThatThrownBy(interrupted::result)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
  }
}
