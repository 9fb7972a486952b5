package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.WhenFull;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every backlog: producers that wait for room. */
abstract class BacklogWaitingContract extends BacklogRetryContract {

  @Test
  @Tag("A2")
  void aWaitingProducerHasSubmittedNothing() throws Exception {
    open(1, 1, 10, 5, 100);
    accept("a", "b");
    Call<Admission> producer = waiting(job("c"), 7, FOR_EVER);
    Tally tally = backlog.tally();
    assertThat(tally.accepted()).isEqualTo(2);
    assertThat(tally.waitingProducers()).isEqualTo(1);
    assertThat(tally.waitingProducerBytes()).isEqualTo(7);
    assertThat(tally.waitingBytes()).isZero();
    assertThat(backlog.cancel("c")).isEqualTo(CancelResult.UNKNOWN);
    complete(claim(enrolled()));
    assertThat(producer.result()).isEqualTo(Admission.accepted());
    assertThat(backlog.tally().waitingProducers()).isZero();
  }

  @Test
  @Tag("A2")
  void ofTwoWaitersWithOneIdTheSecondIsToldThatItIsADuplicate() throws Exception {
    open(1, 1);
    accept("a", "b");
    Call<Admission> first = waiting("twin");
    Call<Admission> second = waiting("twin");
    backlog.cancel("b");
    assertThat(first.result()).isEqualTo(Admission.accepted());
    complete(claim(enrolled()));
    assertThat(second.result()).isEqualTo(refused(Reason.DUPLICATE));
  }

  @Test
  void aProducerWhosePatienceEndsIsToldSoAndLeavesTheLine() throws Exception {
    open(1, 0);
    accept("a");
    Call<Admission> producer = waiting(job("b"), 0, 10);
    ticker.advance(Duration.ofNanos(9));
    assertThat(backlog.tally().waitingProducers()).isEqualTo(1);
    ticker.advance(Duration.ofNanos(1));
    assertThat(producer.result()).isEqualTo(refused(Reason.TIMED_OUT));
    assertThat(backlog.tally().waitingProducers()).isZero();
    complete(claim(enrolled()));
    accept("b");
  }

  @Test
  void patienceCountsFromTheSubmitAndZeroDoesNotWait() throws Exception {
    open(1, 0);
    accept("a");
    long earlier = ticker.nanoTime() - 10;
    Call<Admission> late = Call.of(() -> backlog.admitWaiting(job("b"), 0, earlier, 10));
    assertThat(late.result()).isEqualTo(refused(Reason.TIMED_OUT));
    Call<Admission> none = Call.of(() -> backlog.admitWaiting(job("b"), 0, earlier + 10, 0));
    assertThat(none.result()).isEqualTo(refused(Reason.TIMED_OUT));
    complete(claim(enrolled()));
    assertThat(backlog.admitWaiting(job("b"), 0, earlier, 0)).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("T4")
  void aTimeToLiveThatEndsBeforeThePatienceIsTold() throws Exception {
    open(1, 0);
    accept("a");
    Job<String> job = job("b").timeToLive(Duration.ofNanos(10));
    Call<Admission> producer = waiting(job, 0, 100);
    ticker.advance(Duration.ofNanos(10));
    assertThat(producer.result()).isEqualTo(refused(Reason.EXPIRED));
  }

  @Test
  @Tag("T4")
  void aWaitingJobThatExpiresMakesRoomForAWaitingProducer() throws Exception {
    open(1, 1);
    accept("a");
    claim(enrolled());
    admit(job("b").timeToLive(Duration.ofNanos(10)), 0, WhenFull.Kind.REFUSE);
    Call<Admission> producer = waiting("c");
    ticker.advance(Duration.ofNanos(10));
    assertThat(producer.result()).isEqualTo(Admission.accepted());
    assertThat(unstarted).containsExactly(endedAs("b", Outcome.Unstarted.Cause.EXPIRED));
  }

  @Test
  @Tag("A8")
  void anInterruptedProducerThrowsAndHasSubmittedNothing() throws Exception {
    open(1, 0);
    accept("a");
    Call<Admission> producer = waiting("b");
    producer.interrupt();
    assertThatThrownBy(producer::result)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(backlog.tally().waitingProducers()).isZero();
    complete(claim(enrolled()));
    accept("b");
  }

  @Test
  @Tag("A9")
  void waitingProducersAreBoundedInNumber() throws Exception {
    open(1, 0, Long.MAX_VALUE, 2, 100);
    accept("a");
    List<Call<Admission>> waiting = List.of(waiting("b"), waiting("c"));
    Call<Admission> third =
        Call.of(() -> backlog.admitWaiting(job("d"), 0, ticker.nanoTime(), FOR_EVER));
    assertThat(third.result()).isEqualTo(refused(Reason.TOO_MANY_WAITERS));
    closeAndExpect(waiting, Reason.CLOSED);
  }

  @Test
  @Tag("A9")
  void bytesOfWaitingProducersAreBounded() throws Exception {
    open(1, 0, 10, 5, 100);
    acceptBytes("a", 10);
    List<Call<Admission>> waiting = List.of(waiting(job("b"), 6, FOR_EVER));
    Call<Admission> second =
        Call.of(() -> backlog.admitWaiting(job("c"), 5, ticker.nanoTime(), FOR_EVER));
    assertThat(second.result()).isEqualTo(refused(Reason.TOO_MANY_WAITERS));
    closeAndExpect(waiting, Reason.CLOSED);
  }

  @Test
  @Tag("A3")
  void producersAreWokenInTheOrderOfTheirArrival() throws Exception {
    open(1, 0);
    accept("a");
    List<Call<Admission>> producers = List.of(waiting("b"), waiting("c"), waiting("d"));
    Hand hand = enrolled();
    for (int i = 0; i < 3; i++) {
      complete(claim(hand));
      assertThat(producers.get(i).result()).isEqualTo(Admission.accepted());
      assertThat(backlog.tally().waitingProducers()).isEqualTo(2 - i);
    }
  }

  @Test
  @Tag("A3")
  void aSmallOneBehindABigOneIsNotHeldUpByIt() throws Exception {
    open(2, 2, 10, 5, 100);
    acceptBytes("a", 6);
    acceptBytes("b", 4);
    Call<Admission> big = waiting(job("big"), 8, FOR_EVER);
    Call<Admission> small = waiting(job("small"), 2, FOR_EVER);
    Hand hand = enrolled();
    Claim<String> a = claim(hand);
    backlog.cancel("b");
    assertThat(small.result()).isEqualTo(Admission.accepted());
    assertThat(big.isDone()).isFalse();
    complete(a);
    assertThat(big.result()).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("A3")
  void everyWayToFreeAPlaceWakesAProducer() throws Exception {
    open(1, 1);
    Hand hand = enrolled();
    accept("a", "b");
    Claim<String> a = claim(hand);
    Call<Admission> byCancel = waiting("c");
    backlog.cancel("b");
    assertThat(byCancel.result()).isEqualTo(Admission.accepted());
    Call<Admission> bySettle = waiting("d");
    Claim<String> c = backlog.settleAndClaim(a, Settlement.completed(), hand);
    assertThat(bySettle.result()).isEqualTo(Admission.accepted());
    Call<Admission> byResize = waiting("e");
    backlog.resize(1, 2);
    assertThat(byResize.result()).isEqualTo(Admission.accepted());
    Call<Admission> byInterrupted = waiting("f");
    backlog.settle(c, new Settlement.Interrupted(false));
    assertThat(byInterrupted.result()).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("A3")
  void placesFreedAtOnceAreAllTaken() throws Exception {
    open(1, 0);
    accept("a");
    List<Call<Admission>> producers = List.of(waiting("b"), waiting("c"), waiting("d"));
    backlog.resize(1, 3);
    for (Call<Admission> producer : producers) {
      assertThat(producer.result()).isEqualTo(Admission.accepted());
    }
  }

  /** Whoever wins, the place is used or free, never lost: the next producer proves it. */
  @Test
  @Tag("A8")
  @Tag("A3")
  void aWakeUpMetByAnInterruptOrATimeoutIsPassedOn() throws Exception {
    openInRealTime(1, 0);
    Hand hand = enrolled();
    for (int round = 0; round < 100; round++) {
      String suffix = "-" + round;
      accept("holder" + suffix);
      Claim<String> holder = claim(hand);
      boolean interrupt = round % 2 == 0;
      long patience = interrupt ? FOR_EVER : 20_000L * (round % 20);
      long now = System.nanoTime();
      Call<Admission> leaving =
          Call.of(() -> backlog.admitWaiting(job("leaving" + suffix), 0, now, patience));
      if (interrupt) {
        Call.eventually(() -> backlog.tally().waitingProducers() == 1);
      }
      Call<Admission> staying =
          Call.of(() -> backlog.admitWaiting(job("staying" + suffix), 0, now, FOR_EVER));
      Call<Boolean> settling =
          Call.of(
              () -> {
                complete(holder);
                return true;
              });
      if (interrupt) {
        leaving.interrupt();
      }
      settling.result();
      // Either may be first; each that is accepted gets the place of the other.
      Call.eventually(() -> backlog.tally().unfinished() == 1);
      complete(claim(hand));
      if (acceptedUnlessInterrupted(leaving)) {
        Call.eventually(() -> backlog.tally().unfinished() == 1);
        complete(claim(hand));
      }
      assertThat(staying.result()).isEqualTo(Admission.accepted());
      assertThat(backlog.isIdle()).isTrue();
    }
  }

  /** The interrupt comes when the producer is woken already and has not looked yet. */
  @Test
  @Tag("A8")
  void aProducerInterruptedAfterItWasWokenPassesTheWakeUpOn() throws Exception {
    HoldingTicker time = new HoldingTicker();
    openInTimeOf(time);
    accept("a");
    Claim<String> a = claim(enrolled());
    Call<Admission> leaving = heldAfterItsWakeUp(time, "leaving");
    Call<Admission> staying =
        Call.of(() -> backlog.admitWaiting(job("staying"), 0, System.nanoTime(), FOR_EVER));
    Call.eventually(() -> backlog.tally().waitingProducers() == 2);
    complete(a);
    leaving.interrupt();
    time.letGo();
    assertThat(acceptedUnlessInterrupted(leaving)).isFalse();
    assertThat(staying.result()).isEqualTo(Admission.accepted());
  }

  @Test
  @Tag("A3")
  void aWokenProducerWhosePlaceANewcomerTookWaitsOn() throws Exception {
    HoldingTicker time = new HoldingTicker();
    openInTimeOf(time);
    accept("a");
    Hand hand = enrolled();
    Claim<String> a = claim(hand);
    Call<Admission> woken = heldAfterItsWakeUp(time, "woken");
    complete(a);
    accept("newcomer");
    time.letGo();
    Call.eventually(() -> time.parks() >= 2 || woken.isDone());
    Claim<String> newcomer = claim(hand);
    assertThat(newcomer.job().id()).isEqualTo("newcomer");
    assertThat(backlog.tally().unfinished()).isEqualTo(1);
    complete(newcomer);
    assertThat(woken.result()).isEqualTo(Admission.accepted());
    assertThat(claim(hand).job().id()).isEqualTo("woken");
  }

  /** A producer that waits, and that does nothing after its wake-up until it is let go. */
  private Call<Admission> heldAfterItsWakeUp(HoldingTicker time, String id) {
    Call<Admission> call =
        Call.of(
            () -> {
              time.holdThisThread();
              return backlog.admitWaiting(job(id), 0, System.nanoTime(), FOR_EVER);
            });
    Call.eventually(() -> backlog.tally().waitingProducers() == 1);
    return call;
  }

  private static boolean acceptedUnlessInterrupted(Call<Admission> call) throws Exception {
    try {
      return call.result().isAccepted();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(InterruptedException.class);
      return false;
    }
  }

  @Test
  @Tag("D1")
  @Tag("D2")
  void stoppingAdmissionWakesEveryWaitingProducerWithClosed() throws Exception {
    open(1, 0);
    accept("a");
    List<Call<Admission>> producers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      producers.add(waiting("b" + i));
    }
    closeAndExpect(producers, Reason.CLOSED);
    assertThat(backlog.tally().accepted()).isEqualTo(1);
  }

  private void closeAndExpect(List<Call<Admission>> producers, Reason reason) throws Exception {
    backlog.stopAdmission();
    for (Call<Admission> producer : producers) {
      assertThat(producer.result()).isEqualTo(refused(reason));
    }
  }
}
