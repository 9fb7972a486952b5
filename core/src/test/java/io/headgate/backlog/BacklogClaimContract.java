package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.CancelResult;
import io.headgate.Criticality;
import io.headgate.JobError;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.WhenFull;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every backlog: how jobs are claimed, and how they end. */
abstract class BacklogClaimContract extends BacklogAdmissionContract {

  @Test
  void claimsInTheOrderOfAdmissionOverAllCriticalities() {
    open(3, 0);
    admit(job("low").criticality(Criticality.SHEDDABLE), 0, WhenFull.Kind.REFUSE);
    admit(job("high").criticality(Criticality.CRITICAL_PLUS), 0, WhenFull.Kind.REFUSE);
    accept("middle");
    assertThat(claim(enrolled()).job().id()).isEqualTo("low");
    assertThat(claim(enrolled()).job().id()).isEqualTo("high");
    assertThat(claim(enrolled()).job().id()).isEqualTo("middle");
  }

  @Test
  void aClaimCarriesTheJobTheAttemptAndATokenOfItsOwn() {
    open(1, 20);
    Hand hand = enrolled();
    Set<Long> tokens = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      accept("job-" + i);
      Claim<String> claim = claim(hand);
      assertThat(claim.job().payload()).isEqualTo("payload");
      assertThat(claim.attempt()).isEqualTo(1);
      assertThat(tokens.add(claim.token())).as("token used once").isTrue();
      complete(claim);
    }
  }

  @Test
  void oneJobWakesOneIdleClaimantOnce() {
    open(3, 3);
    List<Hand> hands = List.of(enrolled(), enrolled(), enrolled());
    accept("a");
    assertThat(hands.stream().mapToInt(Hand::wakes).sum()).isEqualTo(1);
    accept("b");
    backlog.tally();
    assertThat(hands.stream().mapToInt(Hand::wakes).max()).hasValue(1);
  }

  @Test
  void whoeverArrivesSeesThatTheNextIsWokenWhileThereIsWork() {
    open(3, 0);
    List<Hand> hands = List.of(enrolled(), enrolled(), enrolled());
    accept("a", "b", "c");
    Set<Hand> arrived = new HashSet<>();
    Set<String> claimed = new HashSet<>();
    while (arrived.size() < 3) {
      Hand next =
          hands.stream().filter(h -> h.wakes() == 1 && !arrived.contains(h)).findFirst().get();
      arrived.add(next);
      claimed.add(claim(next).job().id());
    }
    assertThat(claimed).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(backlog.tally().running()).isEqualTo(3);
  }

  @Test
  void aClaimantThatComesInVainIsIdleAgainAndWokenForTheNextJob() {
    open(1, 1);
    Hand hand = enrolled();
    accept("a");
    backlog.cancel("a");
    assertThat(backlog.claim(hand)).isNull();
    accept("b");
    assertThat(hand.wakes()).isEqualTo(2);
    assertThat(claim(hand).job().id()).isEqualTo("b");
  }

  @Test
  void oneThatCannotComeIsTheLastToBeWokenAgain() {
    open(2, 2);
    Hand first = enrolled();
    Hand second = enrolled();
    accept("a");
    Hand woken = first.wakes() == 1 ? first : second;
    Hand other = first.wakes() == 1 ? second : first;
    backlog.decline(woken);
    accept("b");
    assertThat(other.wakes()).isEqualTo(1);
    assertThat(claim(other).job().id()).isEqualTo("a");
    assertThat(woken.wakes()).isEqualTo(2);
    assertThat(claim(woken).job().id()).isEqualTo("b");
  }

  @Test
  void settlingRecordsTheOutcomeAndClaimsTheNextInOneStep() {
    open(1, 1);
    accept("a", "b");
    Hand hand = enrolled();
    Claim<String> a = claim(hand);
    Claim<String> b = backlog.settleAndClaim(a, Settlement.completed(), hand);
    assertThat(b.job().id()).isEqualTo("b");
    assertThat(backlog.outcome("a")).contains(new Outcome.Completed("a", 1));
    assertThat(backlog.tally().running()).isEqualTo(1);
    assertThat(backlog.settleAndClaim(b, Settlement.completed(), hand)).isNull();
    accept("c");
    assertThat(hand.wakes()).as("it was made idle").isEqualTo(2);
  }

  @Test
  @Tag("L3")
  void everyWayToEndIsCountedOnceAndRemembered() {
    open(1, 3);
    accept("completed", "failed", "interrupted");
    Hand hand = enrolled();
    JobError error = new JobError("Boom", "text", false, true);
    backlog.settle(claim(hand), Settlement.completed());
    backlog.settle(claim(hand), new Settlement.Failed(error));
    backlog.settle(claim(hand), new Settlement.Interrupted(false));
    Tally tally = backlog.tally();
    assertThat(tally.completed()).isEqualTo(1);
    assertThat(tally.failed()).isEqualTo(1);
    assertThat(tally.interrupted()).isEqualTo(1);
    assertThat(tally.outcomes())
        .containsExactly(
            new Outcome.Completed("completed", 1),
            new Outcome.Failed("failed", 1, error),
            new Outcome.Interrupted("interrupted", 1));
  }

  @Test
  @Tag("T4")
  void aJobThatIsOverWhenItWouldBeClaimedEndsExpired() {
    open(1, 2);
    admit(job("over").timeToLive(Duration.ofNanos(10)), 0, WhenFull.Kind.REFUSE);
    admit(job("in time").timeToLive(Duration.ofNanos(11)), 0, WhenFull.Kind.REFUSE);
    ticker.advance(Duration.ofNanos(10));
    Claim<String> claim = claim(enrolled());
    assertThat(claim.job().id()).isEqualTo("in time");
    assertThat(unstarted).containsExactly(endedAs("over", Outcome.Unstarted.Cause.EXPIRED));
    ticker.advance(Duration.ofNanos(10));
    complete(claim);
    assertThat(backlog.outcome("in time")).contains(new Outcome.Completed("in time", 1));
  }

  @Test
  void cancelEndsAWaitingJobTellsTheClaimantOfARunningOneAndKnowsTheRest() {
    open(1, 1);
    accept("running", "waiting");
    Hand hand = enrolled();
    Claim<String> claim = claim(hand);
    assertThat(backlog.cancel("waiting")).isEqualTo(CancelResult.UNSTARTED);
    assertThat(unstarted).containsExactly(endedAs("waiting", Outcome.Unstarted.Cause.CANCELLED));
    assertThat(backlog.cancel("waiting")).isEqualTo(CancelResult.ENDED);
    assertThat(hand.cancels()).isZero();
    assertThat(backlog.cancel("running")).isEqualTo(CancelResult.SIGNALLED);
    assertThat(hand.cancels()).isEqualTo(1);
    complete(claim);
    assertThat(backlog.cancel("running")).isEqualTo(CancelResult.ENDED);
    assertThat(backlog.cancel("never there")).isEqualTo(CancelResult.UNKNOWN);
    assertThat(hand.cancels()).isEqualTo(1);
  }

  @Test
  void whilePausedNothingIsClaimedAndAdmissionGoesOn() {
    open(1, 1);
    Hand hand = enrolled();
    backlog.pause(true);
    accept("a", "b");
    assertThat(hand.wakes()).isZero();
    assertThat(admit("c")).isEqualTo(refused(Reason.FULL));
    backlog.pause(false);
    assertThat(hand.wakes()).isEqualTo(1);
    assertThat(claim(hand).job().id()).isEqualTo("a");
  }

  @Test
  void aWokenClaimantThatMeetsAPauseIsIdleAndWokenByTheResume() {
    open(1, 0);
    Hand hand = enrolled();
    accept("a");
    backlog.pause(true);
    assertThat(backlog.claim(hand)).isNull();
    backlog.pause(false);
    assertThat(hand.wakes()).isEqualTo(2);
    claim(hand);
  }

  @Test
  @Tag("B1")
  void aSmallerConcurrencyTakesEffectAsJobsEndAndALargerAtOnce() {
    open(2, 2);
    accept("a", "b", "c");
    Hand first = enrolled();
    Claim<String> a = claim(first);
    Hand second = enrolled();
    Claim<String> b = claim(second);
    backlog.resize(1, 1);
    assertThat(admit("d")).isEqualTo(refused(Reason.FULL));
    assertThat(backlog.settleAndClaim(a, Settlement.completed(), first)).isNull();
    assertThat(first.dismissals()).as("one too many").isEqualTo(1);
    assertThat(backlog.tally().running()).isEqualTo(1);
    backlog.resize(2, 2);
    accept("d");
    Hand third = enrolled();
    assertThat(third.wakes()).as("woken for the waiting job").isEqualTo(1);
    assertThat(claim(third).job().id()).isEqualTo("c");
    complete(b);
    assertThat(second.dismissals()).isZero();
  }

  @Test
  void idleClaimantsTooManyAreDismissedAtOnce() {
    open(3, 0);
    List<Hand> hands = List.of(enrolled(), enrolled(), enrolled());
    backlog.resize(1, 0);
    assertThat(hands.stream().mapToInt(Hand::dismissals).sum()).isEqualTo(2);
    accept("a");
    Hand left = hands.stream().filter(hand -> hand.dismissals() == 0).findFirst().get();
    assertThat(left.wakes()).isEqualTo(1);
  }

  @Test
  @Tag("L3")
  void aSettledClaimOfWhichTheEntryIsInUseAgainSettlesNothingThatWaits() {
    open(1, 0);
    accept("a");
    Hand hand = enrolled();
    Claim<String> a = claim(hand);
    complete(a);
    accept("b");
    assertThatThrownBy(() -> complete(a)).isInstanceOf(IllegalStateException.class);
    assertThat(backlog.tally().waiting()).isEqualTo(1);
    assertThat(backlog.tally().completed()).isEqualTo(1);
  }

  /** Real threads as claimants: each job is done once, nothing is left lying, all go home. */
  @Test
  @Tag("L1")
  @Tag("L3")
  void noJobIsLostOrDoneTwiceByThreadsThatSleepUntilTheyAreWoken() throws Exception {
    openInRealTime(3, 5);
    List<ClaimingThread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      threads.add(ClaimingThread.start(backlog));
    }
    int each = 500;
    List<Call<Integer>> producers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String prefix = "p" + i + "-";
      producers.add(
          Call.of(
              () -> {
                for (int n = 0; n < each; n++) {
                  long now = System.nanoTime();
                  assertThat(backlog.admitWaiting(job(prefix + n), 0, now, FOR_EVER).isAccepted())
                      .isTrue();
                }
                return each;
              }));
    }
    for (Call<Integer> producer : producers) {
      producer.result();
    }
    assertThat(backlog.awaitIdle(FOR_EVER)).isTrue();
    backlog.dismissClaimants();
    List<String> done = new ArrayList<>();
    for (ClaimingThread thread : threads) {
      done.addAll(thread.done());
    }
    assertThat(done).hasSize(3 * each).doesNotHaveDuplicates();
    assertThat(backlog.tally().completed()).isEqualTo(3L * each);
  }
}
