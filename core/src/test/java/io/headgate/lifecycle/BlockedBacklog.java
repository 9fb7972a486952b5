package io.headgate.lifecycle;

import io.headgate.Admission;
import io.headgate.CancelResult;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.RetryCut;
import io.headgate.WhenFull;
import io.headgate.backlog.Backlog;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Load;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.backlog.Tally;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** An empty backlog that closes only when a test lets it, or, without a latch, cannot close. */
final class BlockedBacklog<T> implements Backlog<T> {

  private final CountDownLatch entered;
  private final @Nullable CountDownLatch letGo;

  BlockedBacklog(CountDownLatch entered, @Nullable CountDownLatch letGo) {
    this.entered = entered;
    this.letGo = letGo;
  }

  @Override
  public void stopAdmission() {
    entered.countDown();
    if (letGo == null) {
      throw new IllegalStateException("the store is gone");
    }
    try {
      letGo.await();
    } catch (InterruptedException e) {
      throw new AssertionError("a thread that stops a worker was interrupted", e);
    }
  }

  @Override
  public Admission admit(Job<T> job, long bytes, long submittedNanos, WhenFull.Kind whenFull) {
    return Admission.refused(Reason.UNAVAILABLE);
  }

  @Override
  public Admission refusal(Job<T> job, long submittedNanos, Reason reason) {
    return Admission.refused(reason);
  }

  @Override
  public Admission admitWaiting(Job<T> job, long bytes, long submittedNanos, long patienceNanos) {
    return Admission.refused(Reason.UNAVAILABLE);
  }

  @Override
  public void enrol(Claimant claimant) {}

  @Override
  public void decline(Claimant claimant) {}

  @Override
  public @Nullable Claim<T> claim(Claimant claimant) {
    return null;
  }

  @Override
  public @Nullable Claim<T> settleAndClaim(
      Claim<T> finished, Settlement settlement, Claimant claimant) {
    return null;
  }

  @Override
  public void settle(Claim<T> finished, Settlement settlement) {}

  @Override
  public RetryCut suspend(Claim<T> finished, Suspension suspension) {
    return RetryCut.STOP;
  }

  @Override
  public long wakeDue(long nowNanos) {
    return Long.MAX_VALUE;
  }

  @Override
  public void stopRetries(Outcome.Unstarted.Cause cause) {}

  @Override
  public CancelResult cancel(String jobId) {
    return CancelResult.UNKNOWN;
  }

  @Override
  public Optional<Outcome> outcome(String jobId) {
    return Optional.empty();
  }

  @Override
  public Load load() {
    return new Load(0, 0, -1, false);
  }

  @Override
  public void discardWaiting(Outcome.Unstarted.Cause cause) {}

  @Override
  public void dismissClaimants() {}

  @Override
  public void pause(boolean paused) {}

  @Override
  public void resize(int concurrency, int capacity) {}

  @Override
  public boolean isIdle() {
    return true;
  }

  @Override
  public boolean awaitIdle(long nanos) {
    return true;
  }

  @Override
  public Tally tally() {
    return new Tally(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
  }

  @Override
  public List<String> abandoned() {
    return List.of();
  }
}
