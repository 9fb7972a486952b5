package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Outcome;
import io.headgate.RetryCut;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every backlog that does not outlive its worker: a stop ends what waits. */
abstract class BacklogDiscardContract extends BacklogContract {

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
  void theListenerHearsOfIdlenessThatADiscardBrings() {
    open(1, 1);
    accept("a", "b");
    backlog.stopAdmission();
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    assertThat(idleCalls).hasValue(1);
  }

  @Test
  @Tag("A3")
  void aDiscardWakesAProducerForThePlaceThatItFrees() throws Exception {
    open(1, 0);
    accept("a");
    Call<Admission> producer = waiting("b");
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    assertThat(producer.result()).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("R7")
  @Tag("CASE-28")
  void aStopEndsTheSuspendedAndTheDueAtOnceAsFailedWithTheirLastError() {
    open(3, 3);
    acceptSuspended("due", 10);
    acceptSuspended("suspended", 100);
    wakeDueAfter(10);
    accept("fresh");
    backlog.stopAdmission();
    backlog.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    backlog.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    assertThat(failed)
        .containsExactlyInAnyOrder(
            cutShort("due", 1, RetryCut.STOP), cutShort("suspended", 1, RetryCut.STOP));
    assertThat(backlog.outcome("due")).contains(cutShort("due", 1, RetryCut.STOP));
    assertThat(backlog.tally().failed()).isEqualTo(2);
    assertThat(backlog.tally().waiting()).as("what never ran is left").isEqualTo(1);
    assertThat(backlog.abandoned()).as("failed, not abandoned").isEmpty();
    assertThat(idleCalls).hasValue(0);
    backlog.discardWaiting(Outcome.Unstarted.Cause.DRAINED);
    assertThat(idleCalls).hasValue(1);
  }

  @Test
  @Tag("R7")
  void afterAStopNothingIsSuspendedAndTheClaimantSettles() {
    open(1, 0);
    accept("a");
    Claim<String> claim = claim(enrolled());
    backlog.stopRetries(Outcome.Unstarted.Cause.DRAINED);
    assertThat(backlog.suspend(claim, lasting(10))).isEqualTo(RetryCut.STOP);
    assertThat(backlog.tally().running()).isEqualTo(1);
    backlog.settle(claim, new Settlement.Failed(error("last"), RetryCut.STOP));
    assertThat(backlog.outcome("a")).contains(cutShort("a", 1, RetryCut.STOP));
  }

  @Test
  @Tag("R7")
  void aDiscardEndsThemAsFailedNeverAsUnstarted() {
    open(2, 0);
    acceptSuspended("ran", 10);
    accept("never ran");
    backlog.discardWaiting(Outcome.Unstarted.Cause.ABORTED);
    assertThat(failed).containsExactly(cutShort("ran", 1, RetryCut.STOP));
    assertThat(unstarted).containsExactly(endedAs("never ran", Outcome.Unstarted.Cause.ABORTED));
    assertThat(backlog.isIdle()).isTrue();
  }
}
