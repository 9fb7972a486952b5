package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.WhenFull;
import io.headgate.testing.ManualTicker;
import io.headgate.time.Ticker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What the contract of a backlog needs: one backlog of the kind under test, hand-moved time, and a
 * listener and claimants that look at the backlog from another thread whenever they are called, so
 * that one that calls them under its lock hangs and is found.
 */
@Timeout(60)
abstract class BacklogFixture {

  static final long FOR_EVER = Long.MAX_VALUE;

  /** Moved by hand; the tests that race threads take real time instead. */
  final ManualTicker ticker = ManualTicker.startingAt(Long.MAX_VALUE - 1_000);

  final List<Outcome> unstarted = Collections.synchronizedList(new ArrayList<>());
  final List<Outcome> failed = Collections.synchronizedList(new ArrayList<>());
  final AtomicInteger idleCalls = new AtomicInteger();
  private final List<Throwable> heldLocks = Collections.synchronizedList(new ArrayList<>());
  Backlog<String> backlog;

  /** The kind of backlog under test. */
  abstract Backlog.Factory<String> factory();

  final void open(int concurrency, int capacity) {
    open(concurrency, capacity, 100);
  }

  final void open(int concurrency, int capacity, int history) {
    open(concurrency, capacity, Long.MAX_VALUE, 10, history);
  }

  final void open(
      int concurrency, int capacity, long capacityBytes, int maxWaitingProducers, int history) {
    open(
        new Backlog.Settings(
            concurrency,
            capacity,
            capacityBytes,
            maxWaitingProducers,
            capacityBytes,
            history,
            ticker));
  }

  final void openInRealTime(int concurrency, int capacity) {
    open(
        new Backlog.Settings(
            concurrency, capacity, Long.MAX_VALUE, 10, Long.MAX_VALUE, 0, Ticker.system()));
  }

  final void openInTimeOf(Ticker time) {
    open(new Backlog.Settings(1, 0, Long.MAX_VALUE, 10, Long.MAX_VALUE, 0, time));
  }

  private void open(Backlog.Settings settings) {
    backlog =
        factory()
            .open(
                settings,
                new BacklogListener<>() {
                  @Override
                  public void unstarted(Job<String> job, Outcome.Unstarted outcome) {
                    assertThat(outcome.jobId()).isEqualTo(job.id());
                    unstarted.add(outcome);
                    lookFromAnotherThread();
                  }

                  @Override
                  public void failed(Job<String> job, Outcome.Failed outcome) {
                    assertThat(outcome.jobId()).isEqualTo(job.id());
                    failed.add(outcome);
                    lookFromAnotherThread();
                  }

                  @Override
                  public void idle() {
                    idleCalls.incrementAndGet();
                    lookFromAnotherThread();
                  }
                });
  }

  private void lookFromAnotherThread() {
    try {
      Call.of(() -> backlog.tally()).result();
    } catch (Exception | AssertionError e) {
      heldLocks.add(e);
    }
  }

  @AfterEach
  final void theLedgerAddsUpAndNobodyWasCalledUnderTheLock() {
    Tally tally = backlog.tally();
    assertThat(tally.accepted()).isEqualTo(tally.ended() + tally.unfinished());
    assertThat(tally.waitingProducers()).isZero();
    assertThat(tally.waitingProducerBytes()).isZero();
    assertThat(heldLocks).isEmpty();
  }

  // ---- short forms ----

  static Job<String> job(String id) {
    return Job.of(id, "payload");
  }

  static Admission refused(Reason reason) {
    return Admission.refused(reason);
  }

  final Admission admit(String id) {
    return admit(job(id), 0, WhenFull.Kind.REFUSE);
  }

  final Admission admit(Job<String> job, long bytes, WhenFull.Kind kind) {
    return backlog.admit(job, bytes, ticker.nanoTime(), kind);
  }

  final void accept(String... ids) {
    for (String id : ids) {
      assertThat(admit(id)).as(id).isEqualTo(Admission.accepted());
    }
  }

  final void acceptBytes(String id, long bytes) {
    assertThat(admit(job(id), bytes, WhenFull.Kind.REFUSE)).isEqualTo(Admission.accepted());
  }

  final Hand enrolled() {
    Hand hand = new Hand(this::lookFromAnotherThread);
    backlog.enrol(hand);
    return hand;
  }

  /** A claimant that holds the first waiting job. */
  final Claim<String> claim(Hand hand) {
    Claim<String> claim = backlog.claim(hand);
    assertThat(claim).as("claim").isNotNull();
    return claim;
  }

  final void complete(Claim<String> claim) {
    backlog.settle(claim, Settlement.completed());
  }

  /**
   * A producer that waits in the line, already counted there, and parked until {@code patience}.
   */
  final Call<Admission> waiting(Job<String> job, long bytes, long patience) throws Exception {
    long before = backlog.tally().waitingProducers();
    long now = ticker.nanoTime();
    Call<Admission> call = Call.of(() -> backlog.admitWaiting(job, bytes, now, patience));
    Call.eventually(() -> backlog.tally().waitingProducers() == before + 1);
    return call;
  }

  final Call<Admission> waiting(String id) throws Exception {
    return waiting(job(id), 0, FOR_EVER);
  }

  static Outcome endedAs(String id, Outcome.Unstarted.Cause cause) {
    return new Outcome.Unstarted(id, cause);
  }
}
