package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Criticality;
import io.headgate.JobError;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import io.headgate.WhenFull;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every backlog: jobs between two attempts. */
abstract class BacklogRetryContract extends BacklogClaimContract {

  private static final long NEVER = Long.MAX_VALUE / 2;

  static JobError error(String message) {
    return new JobError("Boom", message, false, false);
  }

  Suspension lasting(long nanos) {
    return lasting(nanos, NEVER);
  }

  private Suspension lasting(long nanos, long nanosToDeadline) {
    long now = ticker.nanoTime();
    return new Suspension(now + nanos, now + nanosToDeadline, error("last"), 0);
  }

  void suspend(Claim<String> claim, Suspension suspension) {
    assertThat(backlog.suspend(claim, suspension)).isEqualTo(RetryCut.NONE);
  }

  /** Accepts a job, claims it and suspends it. */
  void acceptSuspended(String id, long nanos) {
    accept(id);
    suspend(claim(enrolled()), lasting(nanos));
  }

  long wakeDueAfter(long nanos) {
    ticker.advance(Duration.ofNanos(nanos));
    return backlog.wakeDue(ticker.nanoTime());
  }

  static Outcome cutShort(String id, int attempts, RetryCut cut) {
    return new Outcome.Failed(id, attempts, error("last"), cut);
  }

  @Test
  @Tag("R5")
  @Tag("B1")
  void aSuspendedJobKeepsItsPlaceAndItsBytesAndNoClaimant() {
    open(1, 1, 10, 10, 100);
    acceptBytes("a", 6);
    Hand hand = enrolled();
    suspend(claim(hand), lasting(1_000));
    Tally tally = backlog.tally();
    assertThat(tally.suspended()).isEqualTo(1);
    assertThat(tally.running()).isZero();
    assertThat(tally.waiting()).isZero();
    assertThat(tally.waitingBytes()).isEqualTo(6);
    assertThat(tally.runningBytes()).isZero();
    assertThat(admit(job("big"), 5, WhenFull.Kind.REFUSE)).isEqualTo(refused(Reason.FULL_BYTES));
    acceptBytes("b", 4);
    assertThat(admit("c")).isEqualTo(refused(Reason.FULL));
    assertThat(admit("a")).isEqualTo(refused(Reason.DUPLICATE));
    assertThat(claim(hand).job().id()).as("its slot is free for others").isEqualTo("b");
    assertThat(backlog.isIdle()).isFalse();
    assertThat(backlog.outcome("a")).isEmpty();
  }

  @Test
  @Tag("R5")
  void itIsReadyOnceItsTimeHasComeAndNotBefore() {
    open(1, 1);
    Hand hand = enrolled();
    accept("a");
    Suspension suspension = lasting(100);
    suspend(claim(hand), suspension);
    assertThat(backlog.claim(hand)).isNull();
    assertThat(wakeDueAfter(99)).isEqualTo(1);
    assertThat(hand.wakes()).isEqualTo(1);
    assertThat(wakeDueAfter(1)).isEqualTo(Long.MAX_VALUE);
    assertThat(hand.wakes()).as("woken for it").isEqualTo(2);
    assertThat(backlog.tally().waiting()).isEqualTo(1);
    assertThat(backlog.tally().suspended()).isZero();
    Claim<String> again = claim(hand);
    assertThat(again.job().id()).isEqualTo("a");
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.suspension()).isEqualTo(suspension);
    complete(again);
    assertThat(backlog.outcome("a")).contains(new Outcome.Completed("a", 2));
  }

  @Test
  @Tag("R5")
  void theDueGoFirstInTheOrderInWhichTheirTimeCame() {
    open(4, 0);
    acceptSuspended("late", 30);
    acceptSuspended("early", 10);
    acceptSuspended("middle", 20);
    accept("fresh");
    assertThat(wakeDueAfter(40)).isEqualTo(Long.MAX_VALUE);
    Hand hand = enrolled();
    for (String expected : List.of("early", "middle", "late", "fresh")) {
      Claim<String> claim = claim(hand);
      assertThat(claim.job().id()).isEqualTo(expected);
      complete(claim);
    }
  }

  @Test
  void everyClaimOfOneJobHasATokenOfItsOwn() {
    open(1, 0);
    Hand hand = enrolled();
    accept("a");
    Set<Long> tokens = new HashSet<>();
    for (int attempt = 1; attempt <= 5; attempt++) {
      Claim<String> claim = claim(hand);
      assertThat(claim.attempt()).isEqualTo(attempt);
      assertThat(tokens.add(claim.token())).isTrue();
      suspend(claim, lasting(0));
      wakeDueAfter(0);
    }
  }

  @Test
  @Tag("L3")
  void aSuspendedClaimCannotBeSettledOrSuspendedAgain() {
    open(1, 0);
    accept("a");
    Claim<String> claim = claim(enrolled());
    suspend(claim, lasting(10));
    assertThatThrownBy(() -> complete(claim)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> backlog.suspend(claim, lasting(10)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(backlog.tally().suspended()).isEqualTo(1);
  }

  @Test
  @Tag("R7")
  void aCancelEndsASuspendedOrDueJobByThisCall() {
    open(2, 0);
    acceptSuspended("suspended", 100);
    acceptSuspended("due", 10);
    wakeDueAfter(10);
    assertThat(backlog.cancel("suspended")).isEqualTo(CancelResult.ENDED);
    assertThat(backlog.cancel("due")).isEqualTo(CancelResult.ENDED);
    assertThat(failed)
        .containsExactly(
            cutShort("suspended", 1, RetryCut.CANCEL), cutShort("due", 1, RetryCut.CANCEL));
    assertThat(wakeDueAfter(1_000)).isEqualTo(Long.MAX_VALUE);
    assertThat(backlog.isIdle()).isTrue();
    assertThat(backlog.cancel("due")).isEqualTo(CancelResult.ENDED);
    assertThat(backlog.tally().failed()).isEqualTo(2);
  }

  @Test
  @Tag("R7")
  void aCancelThatFindsTheJobRunningForbidsItsSuspension() {
    open(1, 0);
    accept("a");
    Hand hand = enrolled();
    Claim<String> claim = claim(hand);
    assertThat(backlog.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
    assertThat(backlog.suspend(claim, lasting(10))).isEqualTo(RetryCut.CANCEL);
    backlog.settle(claim, new Settlement.Failed(error("last"), RetryCut.CANCEL));
    assertThat(backlog.outcome("a")).contains(cutShort("a", 1, RetryCut.CANCEL));
    accept("b");
    suspend(claim(hand), lasting(10));
    assertThat(backlog.tally().suspended()).as("the mark was of the other job").isEqualTo(1);
  }

  @Test
  @Tag("T4")
  void aTimeToLiveDoesNotCountOnceAJobHasRun() {
    open(1, 0);
    admit(job("a").timeToLive(Duration.ofNanos(5)), 0, WhenFull.Kind.REFUSE);
    Hand hand = enrolled();
    suspend(claim(hand), lasting(10));
    wakeDueAfter(10);
    assertThat(admit("b")).as("nothing expires for it").isEqualTo(refused(Reason.FULL));
    assertThat(claim(hand).attempt()).isEqualTo(2);
    assertThat(unstarted).isEmpty();
  }

  @Test
  @Tag("A4")
  void neitherSuspendedNorDueJobsAreShed() {
    open(2, 0);
    admit(job("due").criticality(Criticality.SHEDDABLE), 0, WhenFull.Kind.REFUSE);
    suspend(claim(enrolled()), lasting(10));
    admit(job("suspended").criticality(Criticality.SHEDDABLE), 0, WhenFull.Kind.REFUSE);
    suspend(claim(enrolled()), lasting(100));
    wakeDueAfter(10);
    assertThat(admit(job("new"), 0, WhenFull.Kind.SHED_OLDEST)).isEqualTo(refused(Reason.SHED));
    assertThat(admit(job("new"), 0, WhenFull.Kind.SHED_LEAST_CRITICAL))
        .isEqualTo(refused(Reason.SHED));
    assertThat(backlog.tally().unfinished()).isEqualTo(2);
  }

  @Test
  @Tag("R2")
  void aDueJobThatIsClaimedTooLateFailsInsteadOfStarting() {
    open(1, 1);
    accept("a");
    Hand hand = enrolled();
    suspend(claim(hand), lasting(10, 20));
    backlog.pause(true);
    wakeDueAfter(20);
    accept("b");
    backlog.pause(false);
    assertThat(claim(hand).job().id()).isEqualTo("b");
    assertThat(failed).containsExactly(cutShort("a", 1, RetryCut.DEADLINE));
  }

  @Test
  void whilePausedADueJobWaitsAndItsClaimantIsWokenByTheResume() {
    open(1, 0);
    Hand hand = enrolled();
    accept("a");
    suspend(claim(hand), lasting(10));
    assertThat(backlog.claim(hand)).isNull();
    backlog.pause(true);
    wakeDueAfter(10);
    int wakes = hand.wakes();
    backlog.pause(false);
    assertThat(hand.wakes()).isEqualTo(wakes + 1);
    assertThat(claim(hand).attempt()).isEqualTo(2);
  }

  @Test
  @Tag("A3")
  void theEndOfASuspendedJobWakesAProducerThatWaits() throws Exception {
    open(1, 0);
    acceptSuspended("a", 1_000);
    Call<Admission> producer =
        Call.of(() -> backlog.admitWaiting(job("b"), 0, ticker.nanoTime(), FOR_EVER));
    Call.eventually(() -> backlog.tally().waitingProducers() == 1);
    assertThat(backlog.cancel("a")).isEqualTo(CancelResult.ENDED);
    assertThat(producer.result()).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("H3")
  void theOutcomeOfAJobThatWasCutShortIsInTheHistoryAndItsIdADuplicate() {
    open(1, 0, 1);
    acceptSuspended("a", 10);
    backlog.cancel("a");
    assertThat(admit("a")).isEqualTo(refused(Reason.DUPLICATE));
    assertThat(backlog.tally().outcomes()).containsExactly(cutShort("a", 1, RetryCut.CANCEL));
  }
}
