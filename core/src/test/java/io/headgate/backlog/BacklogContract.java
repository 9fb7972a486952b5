package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Reason;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
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
