package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Tally;
import io.headgate.time.Ticker;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A memory backlog without a worker around it. The one claimant is moved by the scenario: step by
 * step with {@link #claim} and {@link #complete}, or to the end of all work by {@link #workOff}.
 */
final class Bench implements Claimant {

  static final long FOR_EVER = Long.MAX_VALUE;

  final MemoryBacklog<String> backlog;
  private volatile boolean woken;
  private volatile boolean dismissed;
  private volatile @Nullable Thread worker;

  private Bench(Backlog.Settings settings) {
    backlog = new MemoryBacklog<>(settings, new Deaf());
    backlog.enrol(this);
  }

  static Bench of(int concurrency, int capacity) {
    return of(concurrency, capacity, FrozenTicker.INSTANCE);
  }

  static Bench of(int concurrency, int capacity, Ticker ticker) {
    return new Bench(
        new Backlog.Settings(concurrency, capacity, Long.MAX_VALUE, 4, Long.MAX_VALUE, 0, ticker));
  }

  static Bench withBytes(int concurrency, int capacity, long bytes) {
    return new Bench(
        new Backlog.Settings(
            concurrency, capacity, bytes, 4, Long.MAX_VALUE, 0, FrozenTicker.INSTANCE));
  }

  /** Submits without waiting. */
  Admission offer(String id) {
    return offer(id, 0);
  }

  Admission offer(String id, long bytes) {
    return backlog.admit(Job.of(id, id), bytes, 0, WhenFull.Kind.WAIT);
  }

  /** Submits and waits for ever. */
  Admission await(String id) throws InterruptedException {
    return await(id, 0);
  }

  Admission await(String id, long bytes) throws InterruptedException {
    return backlog.admitWaiting(Job.of(id, id), bytes, 0, FOR_EVER);
  }

  Admission awaitFor(String id, long patienceNanos) throws InterruptedException {
    return backlog.admitWaiting(Job.of(id, id), 0, 0, patienceNanos);
  }

  /** Claims the job that waits. */
  Claim<String> claim() {
    Claim<String> claim = backlog.claim(this);
    assertThat(claim).as("claim").isNotNull();
    return claim;
  }

  /** Ends a job; the claimant is idle then, or is woken at once for the next. */
  void complete(Claim<String> claim) {
    backlog.settle(claim, Settlement.completed());
  }

  /** Is the worker from now on, on a thread of its own, until {@link #close}. */
  Actor workOff() {
    return Actor.doing(
        () -> {
          worker = Thread.currentThread();
          Claim<String> claim = backlog.claim(this);
          while (!dismissed) {
            while (claim != null) {
              claim = backlog.settleAndClaim(claim, Settlement.completed(), this);
            }
            while (!woken && !dismissed) {
              LockSupport.park(this);
            }
            woken = false;
            if (!dismissed) {
              claim = backlog.claim(this);
            }
          }
        });
  }

  /** Waits until all accepted work is done, ends the claimant, and checks that all adds up. */
  Tally close(Actor worker) throws InterruptedException {
    assertThat(backlog.awaitIdle(FOR_EVER)).isTrue();
    backlog.dismissClaimants();
    worker.join();
    Tally tally = settled();
    assertThat(tally.unfinished()).isZero();
    return tally;
  }

  /** The ledger equation, and nobody waits any more. */
  Tally settled() {
    Tally tally = backlog.tally();
    assertThat(tally.accepted())
        .isEqualTo(
            tally.completed()
                + tally.failed()
                + tally.interrupted()
                + tally.unstarted()
                + tally.unfinished());
    assertThat(tally.waitingProducers()).as("waiting producers").isZero();
    assertThat(tally.waitingProducerBytes()).as("their bytes").isZero();
    return tally;
  }

  static @Nullable Reason reason(Admission admission) {
    return admission instanceof Admission.Refused refused ? refused.reason() : null;
  }

  @Override
  public void wake() {
    woken = true;
    LockSupport.unpark(worker);
  }

  @Override
  public void dismiss() {
    dismissed = true;
    LockSupport.unpark(worker);
  }

  @Override
  public void cancelClaimed() {}

  private static final class Deaf implements BacklogListener<String> {
    @Override
    public void unstarted(Job<String> job, Outcome.Unstarted outcome) {}

    @Override
    public void failed(Job<String> job, Outcome.Failed outcome) {}

    @Override
    public void idle() {}
  }
}
