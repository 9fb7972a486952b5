package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Criticality;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.WhenFull;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every backlog: how it decides on a job. */
abstract class BacklogAdmissionContract extends BacklogFixture {

  @Test
  @Tag("B1")
  void acceptsWhileFewerThanConcurrencyPlusCapacityAreUnfinished() {
    open(2, 2);
    accept("a", "b", "c", "d");
    assertThat(admit("e")).isEqualTo(refused(Reason.FULL));
    Claim<String> a = claim(enrolled());
    assertThat(admit("e")).as("a running job keeps its place").isEqualTo(refused(Reason.FULL));
    complete(a);
    accept("e");
    assertThat(admit("f")).isEqualTo(refused(Reason.FULL));
  }

  @Test
  @Tag("B7")
  void withoutCapacityAcceptsWhatCanRun() {
    open(1, 0);
    accept("a");
    assertThat(admit("b")).isEqualTo(refused(Reason.FULL));
    complete(claim(enrolled()));
    accept("b");
  }

  @Test
  @Tag("B2")
  void bytesOfAllUnfinishedJobsStayWithinTheBudget() {
    open(1, 3, 10, 0, 100);
    acceptBytes("a", 6);
    assertThat(admit(job("b"), 5, WhenFull.Kind.REFUSE)).isEqualTo(refused(Reason.FULL_BYTES));
    acceptBytes("c", 4);
    Claim<String> a = claim(enrolled());
    assertThat(backlog.tally().runningBytes()).isEqualTo(6);
    assertThat(backlog.tally().waitingBytes()).isEqualTo(4);
    assertThat(admit(job("b"), 5, WhenFull.Kind.REFUSE)).isEqualTo(refused(Reason.FULL_BYTES));
    complete(a);
    acceptBytes("b", 5);
  }

  @Test
  @Tag("A7")
  void tellsTheFirstReasonInTheFixedOrder() {
    open(1, 0);
    accept("a");
    Job<String> over = job("a").timeToLive(Duration.ZERO);
    assertThat(admit("a")).isEqualTo(refused(Reason.DUPLICATE));
    assertThat(admit(over, 0, WhenFull.Kind.REFUSE)).isEqualTo(refused(Reason.EXPIRED));
    backlog.stopAdmission();
    assertThat(admit("a")).isEqualTo(refused(Reason.CLOSED));
    assertThat(admit(over, 0, WhenFull.Kind.REFUSE)).isEqualTo(refused(Reason.EXPIRED));
  }

  @Test
  @Tag("A7")
  void aDuplicateOnAFullBacklogIsToldAndNeverWaits() throws Exception {
    open(1, 0);
    accept("a");
    Call<Admission> call =
        Call.of(() -> backlog.admitWaiting(job("a"), 0, ticker.nanoTime(), FOR_EVER));
    assertThat(call.result()).isEqualTo(refused(Reason.DUPLICATE));
  }

  @Test
  @Tag("H4")
  @Tag("H3")
  void anIdIsTakenWhileItWaitsRunsOrIsRememberedAndThenFree() {
    open(1, 3, 1);
    accept("a");
    assertThat(admit("a")).isEqualTo(refused(Reason.DUPLICATE));
    Hand hand = enrolled();
    Claim<String> a = claim(hand);
    assertThat(admit("a")).isEqualTo(refused(Reason.DUPLICATE));
    complete(a);
    assertThat(admit("a")).isEqualTo(refused(Reason.DUPLICATE));
    accept("b");
    complete(claim(hand));
    accept("a");
  }

  @Test
  @Tag("H5")
  void withoutHistoryAnIdIsFreeAsSoonAsItsJobEnds() {
    open(1, 0, 0);
    accept("a");
    complete(claim(enrolled()));
    assertThat(backlog.tally().outcomes()).isEmpty();
    assertThat(backlog.outcome("a")).isEmpty();
    accept("a");
  }

  @Test
  @Tag("H1")
  @Tag("H2")
  void theLatestOutcomesOfAllKindsAreKeptOldestFirst() {
    open(1, 3, 2);
    accept("a", "b", "c");
    Hand hand = enrolled();
    complete(claim(hand));
    Claim<String> b = claim(hand);
    backlog.cancel("c");
    backlog.settle(b, new Settlement.Interrupted(false));
    assertThat(backlog.tally().outcomes())
        .containsExactly(
            endedAs("c", Outcome.Unstarted.Cause.CANCELLED), new Outcome.Interrupted("b", 1));
    assertThat(backlog.tally().ended()).isEqualTo(3);
    assertThat(backlog.outcome("a")).isEmpty();
    assertThat(backlog.outcome("b")).contains(new Outcome.Interrupted("b", 1));
  }

  @Test
  @Tag("A6")
  @Tag("H6")
  void aRefusalChangesNothingAndLeavesNoTraceInTheWindow() {
    open(1, 0);
    accept("a");
    Tally before = backlog.tally();
    assertThat(admit("b")).isEqualTo(refused(Reason.FULL));
    assertThat(admit(job("b"), 0, WhenFull.Kind.SHED_LEAST_CRITICAL))
        .isEqualTo(refused(Reason.SHED));
    assertThat(backlog.tally()).isEqualTo(before);
    complete(claim(enrolled()));
    accept("b");
  }

  @Test
  @Tag("A5")
  void admitAnswersWaitAsItAnswersRefuse() {
    open(1, 0);
    accept("a");
    assertThat(admit(job("b"), 0, WhenFull.Kind.WAIT)).isEqualTo(refused(Reason.FULL));
  }

  @Test
  @Tag("A4")
  void shedOldestEndsTheOldestThatIsNotMoreCritical() {
    open(1, 2);
    admit(job("plus").criticality(Criticality.CRITICAL_PLUS), 0, WhenFull.Kind.REFUSE);
    accept("old", "new");
    assertThat(admit(job("c"), 0, WhenFull.Kind.SHED_OLDEST)).isEqualTo(Admission.accepted());
    assertThat(unstarted).containsExactly(endedAs("old", Outcome.Unstarted.Cause.SHED));
    Job<String> low = job("low").criticality(Criticality.SHEDDABLE);
    assertThat(admit(low, 0, WhenFull.Kind.SHED_OLDEST)).isEqualTo(refused(Reason.SHED));
    assertThat(unstarted).hasSize(1);
  }

  @Test
  @Tag("A4")
  void shedLeastCriticalEndsTheOldestOfTheLowestClassBelow() {
    open(1, 2);
    accept("critical");
    admit(job("low-1").criticality(Criticality.SHEDDABLE), 0, WhenFull.Kind.REFUSE);
    admit(job("low-2").criticality(Criticality.SHEDDABLE), 0, WhenFull.Kind.REFUSE);
    WhenFull.Kind kind = WhenFull.Kind.SHED_LEAST_CRITICAL;
    assertThat(admit(job("a"), 0, kind)).isEqualTo(Admission.accepted());
    assertThat(admit(job("b"), 0, kind)).isEqualTo(Admission.accepted());
    assertThat(admit(job("c"), 0, kind)).as("not its own class").isEqualTo(refused(Reason.SHED));
    assertThat(unstarted)
        .containsExactly(
            endedAs("low-1", Outcome.Unstarted.Cause.SHED),
            endedAs("low-2", Outcome.Unstarted.Cause.SHED));
  }

  @ParameterizedTest
  @Tag("A4")
  @EnumSource(names = {"SHED_OLDEST", "SHED_LEAST_CRITICAL"})
  void nothingIsShedWhereAllThatMayBeDoesNotSuffice(WhenFull.Kind kind) {
    open(1, 3, 10, 0, 100);
    acceptBytes("running", 6);
    Claim<String> running = claim(enrolled());
    Job<String> low = job("low").criticality(Criticality.SHEDDABLE);
    admit(low, 3, WhenFull.Kind.REFUSE);
    assertThat(admit(job("big"), 5, kind)).isEqualTo(refused(Reason.SHED));
    assertThat(unstarted).isEmpty();
    assertThat(admit(job("fits"), 4, kind)).isEqualTo(Admission.accepted());
    assertThat(unstarted).containsExactly(endedAs("low", Outcome.Unstarted.Cause.SHED));
    assertThat(backlog.tally().running()).as("running jobs are never shed").isEqualTo(1);
    complete(running);
  }

  @Test
  @Tag("T4")
  void anAdmissionWithoutRoomNoticesTheEarliestExpired() {
    open(1, 2);
    admit(job("late").timeToLive(Duration.ofNanos(20)), 0, WhenFull.Kind.REFUSE);
    admit(job("early").timeToLive(Duration.ofNanos(10)), 0, WhenFull.Kind.REFUSE);
    accept("a");
    ticker.advance(Duration.ofNanos(9));
    assertThat(admit("b")).isEqualTo(refused(Reason.FULL));
    ticker.advance(Duration.ofNanos(11));
    accept("b");
    assertThat(unstarted).containsExactly(endedAs("early", Outcome.Unstarted.Cause.EXPIRED));
    accept("c");
    assertThat(unstarted).contains(endedAs("late", Outcome.Unstarted.Cause.EXPIRED));
  }

  @Test
  @Tag("A1")
  void ofManyThatOfferOneIdAtOnceExactlyOneIsAccepted() throws Exception {
    open(2, 6);
    for (int round = 0; round < 60; round++) {
      String id = "job-" + round;
      List<Call<Admission>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        calls.add(Call.of(() -> admit(id)));
      }
      int accepted = 0;
      for (Call<Admission> call : calls) {
        accepted += call.result().isAccepted() ? 1 : 0;
      }
      assertThat(accepted).isEqualTo(1);
      backlog.cancel(id);
    }
  }

  /** Claims agreement of answers and ledger, not that every interleaving is met. */
  @Test
  @Tag("A1")
  @Tag("D1")
  void everyAnswerGivenWhileAdmissionStopsAgreesWithTheLedger() throws Exception {
    for (int round = 0; round < 60; round++) {
      open(2, 6);
      List<Call<Admission>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String id = "job-" + i;
        calls.add(Call.of(() -> admit(id)));
      }
      backlog.stopAdmission();
      assertThat(admit("late")).isEqualTo(refused(Reason.CLOSED));
      long accepted = 0;
      for (Call<Admission> call : calls) {
        Admission answer = call.result();
        assertThat(answer).isIn(Admission.accepted(), refused(Reason.CLOSED));
        accepted += answer.isAccepted() ? 1 : 0;
      }
      assertThat(backlog.tally().accepted()).isEqualTo(accepted);
      assertThat(backlog.tally().waiting()).isEqualTo(accepted);
    }
  }
}
