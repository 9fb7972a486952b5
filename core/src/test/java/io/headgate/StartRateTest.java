package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.limit.RateLimit;
import io.headgate.testing.HandlerGate;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers that start so many jobs in a time. The clock is moved by hand. */
class StartRateTest extends RetryFixture {

  private static final Duration ALMOST = SECOND.minusNanos(1);
  private static final Duration REST = Duration.ofNanos(1);

  private RateLimit everySecond() {
    return RateLimit.perSecond(1).ticker(ticker).build();
  }

  private Worker<String> limited(WorkerBuilder<String> builder) {
    return start(builder, (job, context) -> {});
  }

  /** Awaits that the worker is at rest with so many jobs kept back. */
  private static void awaitKeptBack(Worker<String> worker, int jobs) {
    Aside.until(() -> worker.report().waiting() == jobs && worker.report().running() == 0);
    assertBalanced(worker.report());
  }

  @Test
  @Tag("R6")
  @Tag("B6")
  void startsComeOneASecondInTheOrderOfAdmissionHoweverManySlotsAreFree() throws Exception {
    Worker<String> worker = limited(builder(4, 4).startRate(everySecond()));
    accept(worker, "a");
    awaitCalls(1);
    accept(worker, "b");
    accept(worker, "c");
    accept(worker, "d");
    awaitKeptBack(worker, 3);
    pass(ALMOST);
    assertThat(calls).containsExactly("a1");
    pass(REST);
    awaitCalls(2);
    awaitKeptBack(worker, 2);
    pass(SECOND);
    awaitCalls(3);
    pass(SECOND);
    awaitSettled(worker);
    assertThat(calls).containsExactly("a1", "b1", "c1", "d1");
  }

  @Test
  @Tag("R6")
  void aBurstStartsAtOnceAndAtMostTheConcurrencyRuns() throws Exception {
    RateLimit limit = RateLimit.perSecond(1).burst(3).ticker(ticker).build();
    Worker<String> worker = limited(builder(2, 6).startRate(limit));
    for (String id : List.of("a", "b", "c", "d")) {
      accept(worker, id);
    }
    awaitCalls(3);
    awaitKeptBack(worker, 1);
    assertThat(limit.started()).isEqualTo(3);
    pass(SECOND);
    awaitSettled(worker);
    assertThat(limit.started()).isEqualTo(4);
  }

  @Test
  @Tag("R6")
  @Tag("CASE-7")
  @Tag("A6")
  void aJobThatCannotStartInItsTimeIsRefusedAtOnceWithTheTimeThatItLacks() throws Exception {
    Worker<String> worker = limited(builder(4, 10).startRate(everySecond()));
    accept(worker, "a");
    awaitCalls(1);
    accept(worker, "b");
    awaitKeptBack(worker, 1);
    Admission refused = worker.offer(Job.of("c", "").timeToLive(Duration.ofMillis(1_500)));
    assertThat(refused).isInstanceOf(Admission.Refused.class);
    assertThat(((Admission.Refused) refused).reason()).isEqualTo(Reason.RATE_LIMITED);
    assertThat(((Admission.Refused) refused).retryAfter().orElseThrow())
        .isBetween(Duration.ofMillis(500), Duration.ofMillis(1_250));
    Set<Duration> spread = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Job<String> another = Job.of("other" + i, "").timeToLive(Duration.ofMillis(1_500));
      Admission.Refused no = (Admission.Refused) worker.offer(another);
      spread.add(no.retryAfter().orElseThrow());
    }
    assertThat(spread).as("spread").hasSizeGreaterThan(2);
    Aside<Admission> patient =
        Aside.call(() -> worker.offer(Job.of("c", "").timeToLive(ALMOST), LONG));
    assertThat(patient.result().isAccepted()).as("never waited for").isFalse();
    assertThat(worker.offer(Job.of("c", "").timeToLive(Duration.ofMillis(2_500))).isAccepted())
        .isTrue();
    pass(SECOND);
    awaitCalls(2);
    awaitKeptBack(worker, 1);
    pass(SECOND);
    awaitSettled(worker);
    assertThat(calls).containsExactly("a1", "b1", "c1");
    assertThat(worker.report().refused()).containsEntry(Reason.RATE_LIMITED, 102L);
  }

  @Test
  @Tag("R6")
  void anIdleWorkerTakesNoStart() throws Exception {
    RateLimit limit = everySecond();
    Worker<String> worker = limited(builder(2, 2).startRate(limit));
    accept(worker, "a");
    awaitSettled(worker);
    assertThat(limit.started()).isEqualTo(1);
    ticker.advance(SECOND);
    assertThat(limit.nanosUntilStart(0)).as("free, and nobody took it").isZero();
  }

  @Test
  @Tag("R5")
  @Tag("R6")
  void laterAttemptsAreStartsToo() throws Exception {
    RateLimit limit = RateLimit.of(1, Duration.ofSeconds(10)).ticker(ticker).build();
    Worker<String> worker = failing(builder(2, 2).retry(policy).startRate(limit));
    accept(worker, "a");
    awaitSuspended(worker, 1);
    pass(SECOND); // The back-off is over.
    awaitKeptBack(worker, 1);
    assertThat(worker.report().unfinished()).as("it keeps its place").isEqualTo(1);
    pass(Duration.ofSeconds(9));
    awaitCalls(2);
    assertThat(calls).containsExactly("a1", "a2");
    assertThat(limit.started()).isEqualTo(2);
  }

  @Test
  @Tag("R6")
  void theTimeoutBeginsWithTheStart() throws Exception {
    List<Duration> left = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        start(
            builder(1, 3).timeout(SECOND).startRate(everySecond()),
            (job, context) -> left.add(context.remaining().orElseThrow()));
    accept(worker, "a");
    awaitCalls(1);
    accept(worker, "b");
    awaitKeptBack(worker, 1);
    pass(SECOND);
    awaitSettled(worker);
    assertThat(left).containsExactly(SECOND, SECOND);
    assertThat(worker.report().completed()).isEqualTo(2);
  }

  @Test
  @Tag("R6")
  void whoIsKeptBackIsCancelledAsAnyWaitingJob() throws Exception {
    Worker<String> worker = limited(builder(2, 2).startRate(everySecond()));
    accept(worker, "a");
    awaitCalls(1);
    accept(worker, "b");
    accept(worker, "c");
    assertThat(worker.cancel("b")).isEqualTo(CancelResult.UNSTARTED);
    pass(SECOND);
    awaitSettled(worker);
    assertThat(calls).containsExactly("a1", "c1");
  }

  @Test
  @Tag("R6")
  @Tag("T4")
  void whoseTimeToLiveIsOverTakesNoStart() throws Exception {
    RateLimit limit = everySecond();
    Worker<String> worker = limited(builder(2, 2).startRate(limit));
    accept(worker, "a");
    awaitCalls(1);
    Duration hardly = SECOND.plus(REST);
    assertThat(worker.offer(Job.of("b", "").timeToLive(hardly)).isAccepted()).isTrue();
    accept(worker, "c");
    awaitKeptBack(worker, 2);
    pass(hardly);
    awaitSettled(worker);
    assertThat(worker.outcome("b"))
        .contains(new Outcome.Unstarted("b", Outcome.Unstarted.Cause.EXPIRED));
    assertThat(calls).containsExactly("a1", "c1");
    assertThat(limit.started()).isEqualTo(2);
  }

  @Test
  @Tag("R6")
  void aPauseHoldsBackWhatTheRateWouldLetGo() throws Exception {
    RateLimit limit = everySecond();
    Worker<String> worker = limited(builder(2, 2).startRate(limit));
    accept(worker, "a");
    awaitCalls(1);
    accept(worker, "b");
    awaitKeptBack(worker, 1);
    // The claim that found no start has been made: the timekeeper waits for it.
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    worker.pause();
    pass(SECOND);
    Aside.until(() -> ticker.waiters() == 0);
    assertThat(worker.report().waiting()).isEqualTo(1);
    assertThat(limit.started()).isEqualTo(1);
    worker.resume();
    awaitSettled(worker);
    assertThat(calls).containsExactly("a1", "b1");
  }

  @Test
  @Tag("D4")
  @Tag("R6")
  void aDrainWaitsForStartsUntilItsDeadlineOnly() throws Exception {
    Worker<String> worker = limited(builder(2, 4).startRate(everySecond()));
    accept(worker, "a");
    awaitCalls(1);
    accept(worker, "b");
    accept(worker, "c");
    awaitKeptBack(worker, 2);
    Aside<Report> drain = Aside.call(() -> worker.drain(Duration.ofMillis(1_500)));
    Aside.until(() -> worker.state() == WorkerState.DRAINING);
    pass(SECOND);
    awaitCalls(2);
    awaitKeptBack(worker, 1);
    pass(Duration.ofMillis(500));
    Report report = assertSettled(drain.result());
    assertThat(report.abandoned()).containsExactly("c");
    assertThat(worker.outcome("c"))
        .contains(new Outcome.Unstarted("c", Outcome.Unstarted.Cause.DRAINED));
    assertThat(calls).containsExactly("a1", "b1");
    Aside.until(() -> ticker.waiters() == 0);
  }

  @Test
  @Tag("D7")
  @Tag("D12")
  void anAbortEndsThemAtOnceAndLeavesNoThreadThatWaitsForAStart() throws Exception {
    RateLimit limit = RateLimit.of(1, LONG).ticker(ticker).build();
    Worker<String> worker = limited(builder(2, 2).startRate(limit));
    accept(worker, "a");
    awaitCalls(1);
    accept(worker, "b");
    awaitKeptBack(worker, 1);
    assertThat(assertSettled(worker.abort()).abandoned()).containsExactly("b");
    assertThat(ticker.waiters()).isZero();
  }

  @Test
  @Tag("R6")
  void workersThatShareALimitHaveItsStartsTogether() throws Exception {
    RateLimit limit = RateLimit.perSecond(1).burst(2).ticker(ticker).build();
    Worker<String> one = limited(builder(2, 4).startRate(limit));
    Worker<String> other = limited(builder(2, 4).startRate(limit));
    for (String id : List.of("a", "b", "c")) {
      accept(one, id);
      accept(other, id);
    }
    awaitCalls(2);
    for (int starts = 3; starts <= 6; starts++) {
      Aside.until(() -> one.report().running() + other.report().running() == 0);
      assertThat(calls).hasSize(starts - 1);
      assertThat(limit.started()).isEqualTo(starts - 1);
      // Whoever wakes first takes it, and the other goes on waiting.
      int waiters = one.report().waiting() > 0 && other.report().waiting() > 0 ? 2 : 1;
      assertThat(ticker.awaitWaiters(waiters, HANG)).isTrue();
      ticker.advance(SECOND);
      awaitCalls(starts);
    }
    awaitSettled(one);
    awaitSettled(other);
  }

  @Test
  @Tag("R6")
  void aSlotThatIsStillBusyTakesTheStartWhenItComesLate() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    RateLimit limit = everySecond();
    Worker<String> worker = start(builder(1, 2).startRate(limit), gate.handler());
    accept(worker, "a");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    accept(worker, "b");
    ticker.advance(LONG);
    assertThat(limit.started()).isEqualTo(1);
    gate.open();
    awaitSettled(worker);
    assertThat(limit.started()).as("no start was taken for nobody").isEqualTo(2);
  }

  @Test
  void aLimitOnAnotherTickerIsRefusedWithBothNamed() {
    RateLimit elsewhere = RateLimit.perSecond(1).ticker(Ticker.system()).build();
    assertThatThrownBy(() -> limited(builder(1, 1).startRate(elsewhere)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("startRate is RateLimit[1.0 starts per second")
        .hasMessageContaining("on another ticker");
  }

  @Test
  void aBacklogThatDoesNotBoundStartsIsRefused() {
    assertThatThrownBy(
            () ->
                limited(
                    builder(1, 1)
                        .startRate(everySecond())
                        .backlog((settings, told) -> new MemoryBacklog<>(settings, told))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("startRate is RateLimit[")
        .hasMessageContaining("first in, first out");
  }
}
