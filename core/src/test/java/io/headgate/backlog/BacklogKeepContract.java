package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Outcome;
import io.headgate.Reason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every backlog that outlives its worker: a stop keeps what waits, at no cost. */
abstract class BacklogKeepContract extends BacklogContract {

  @Test
  @Tag("K7")
  @Tag("D4")
  void aStopStartsNothingMoreAndKeepsWhatWaits() {
    open(1, 3);
    accept("running", "waiting");
    Hand hand = enrolled();
    Claim<String> running = claim(hand);
    backlog.stopAdmission();
    backlog.stopClaims();
    assertThat(backlog.isIdle()).isFalse();
    assertThat(backlog.settleAndClaim(running, Settlement.completed(), hand)).isNull();
    assertThat(backlog.isIdle()).as("what waits is the next start's").isTrue();
    assertThat(idleCalls).hasValue(1);
    backlog.discardWaiting(Outcome.Unstarted.Cause.DRAINED);
    assertThat(backlog.tally().waiting()).isEqualTo(1);
    assertThat(backlog.tally().unstarted()).isZero();
    assertThat(unstarted).isEmpty();
    assertThat(backlog.abandoned()).isEmpty();
  }

  @Test
  @Tag("K7")
  void anAbortKeepsWhatWaitsToo() {
    open(1, 1);
    Hand hand = enrolled();
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    accept("a");
    assertThat(hand.wakes()).isZero();
    assertThat(backlog.tally().waiting()).isEqualTo(1);
  }

  @Test
  @Tag("L10")
  void abandonedAreTheInterruptedByTheStopAndTheStuckInOrderOfAdmission() {
    open(4, 1);
    accept("stuck", "stopped", "cancelled", "late", "waiting");
    Claim<String> stuck = claim(enrolled());
    Claim<String> stopped = claim(enrolled());
    Claim<String> cancelled = claim(enrolled());
    Claim<String> late = claim(enrolled());
    backlog.stopAdmission();
    backlog.stopClaims();
    backlog.settle(cancelled, new Settlement.Interrupted(false));
    backlog.settle(stopped, new Settlement.Interrupted(true));
    backlog.settle(late, Settlement.completed());
    assertThat(backlog.abandoned()).containsExactly("stopped");
    backlog.dismissClaimants();
    assertThat(backlog.abandoned()).containsExactly("stuck", "stopped");
    assertThat(backlog.tally().running()).isEqualTo(1);
    complete(stuck);
    assertThat(backlog.tally().completed()).as("a late end is still counted").isEqualTo(2);
    assertThat(backlog.tally().waiting()).as("waiting, and stopped to be run again").isEqualTo(2);
  }

  @Test
  @Tag("D2")
  void aProducerThatWaitsWhenAStopComesIsToldThatItIsClosed() throws Exception {
    open(1, 0);
    accept("a");
    Call<Admission> producer = waiting("b");
    backlog.stopAdmission();
    backlog.stopClaims();
    assertThat(producer.result()).isEqualTo(refused(Reason.CLOSED));
    assertThat(backlog.tally().waiting()).isEqualTo(1);
  }

  @Test
  @Tag("R7")
  @Tag("K7")
  void aStopKeepsTheSuspendedAndTheDue() {
    open(3, 3);
    acceptSuspended("due", 10);
    acceptSuspended("suspended", 100);
    wakeDueAfter(10);
    backlog.stopAdmission();
    backlog.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    backlog.stopClaims();
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    assertThat(failed).isEmpty();
    assertThat(backlog.tally().waiting()).isEqualTo(1);
    assertThat(backlog.tally().suspended()).isEqualTo(1);
    assertThat(backlog.isIdle()).isTrue();
  }

  @Test
  @Tag("R7")
  void whatFailsDuringAStopMayStillBeSuspendedForTheNextStart() {
    open(1, 0);
    accept("a");
    Claim<String> claim = claim(enrolled());
    backlog.stopAdmission();
    backlog.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    backlog.stopClaims();
    suspend(claim, lasting(10));
    assertThat(backlog.tally().suspended()).isEqualTo(1);
    assertThat(backlog.isIdle()).isTrue();
  }
}
