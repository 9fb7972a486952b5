package io.headgate.jdbc;

import io.headgate.CancelResult;
import io.headgate.JobError;
import io.headgate.RetryCut;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Suspension;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How jobs leave a durable backlog: claims, their ends, and cancels, as far as that is not the
 * {@link Ledger}'s. Decoding is done here, by the claiming thread.
 */
final class DurableClaims<T> {

  private static final System.Logger LOGGER = System.getLogger(DurableClaims.class.getName());
  private static final long ASK_AGAIN_NANOS = 1_000_000_000;

  private final Ticker ticker;
  private final StoreSettings settings;
  private final Desk desk;
  private final DurableAdmission<T> admission;
  private final Effects<T> effects;

  /** What a stop interrupted here. Guarded by the lock of the desk. */
  private final List<JobRow> interrupted = new ArrayList<>(0);

  DurableClaims(
      Ticker ticker,
      StoreSettings settings,
      Desk desk,
      DurableAdmission<T> admission,
      Effects<T> effects) {
    this.ticker = ticker;
    this.settings = settings;
    this.desk = desk;
    this.admission = admission;
    this.effects = effects;
  }

  @Nullable Claim<T> claim(Claimant claimant) {
    return decoded(submitted(new StepRequest<>(null, null, claimant, desk)), claimant);
  }

  @Nullable Claim<T> settleAndClaim(
      StoredClaim<T> claim, Settlement settlement, Claimant claimant) {
    claim.settleOnce();
    StepRequest<T> request = submitted(new StepRequest<>(claim, settlement, claimant, desk));
    settled(claim, settlement);
    return decoded(request, claimant);
  }

  void settle(StoredClaim<T> claim, Settlement settlement) {
    claim.settleOnce();
    submitted(new StepRequest<>(claim, settlement, null, desk));
    settled(claim, settlement);
  }

  private void settled(StoredClaim<T> claim, Settlement settlement) {
    admission.forget(claim.row().id());
    if (settlement instanceof Settlement.Interrupted stopped && stopped.byStop()) {
      desk.lock.lock();
      try {
        interrupted.add(claim.row());
      } finally {
        desk.lock.unlock();
      }
    }
  }

  /** Hands a request to the writer and waits for its answer, however long that takes. */
  private <R extends Request> R submitted(R request) {
    if (submit(request)) {
      request.await();
      effects.tell(request.ended());
      request.rethrow();
    }
    return request;
  }

  /** False where every claimant was dismissed and nothing ran any more: then it is refused. */
  private boolean submit(Request request) {
    desk.lock.lock();
    try {
      if (desk.submit(request)) {
        return true;
      }
    } finally {
      desk.lock.unlock();
    }
    desk.refuse(request);
    return false;
  }

  // ---- what was claimed ----

  /** Makes the job of a claim; one whose bytes cannot be read has failed, and the next is asked. */
  private @Nullable Claim<T> decoded(StepRequest<T> request, Claimant claimant) {
    StoredClaim<T> claim = request.claimed();
    while (claim != null) {
      try {
        claim.decoded(admission.job(claim.row()), suspension(claim.row()));
        return claim;
      } catch (Throwable e) { // an Error too: whatever a codec throws, the job must have an end
        LOGGER.log(Level.ERROR, "the payload of job " + claim.row().id() + " cannot be decoded", e);
        claim.settleOnce();
        JobError error =
            new JobError(e.getClass().getName(), "the payload could not be decoded", false, false);
        Settlement failed = new Settlement.Failed(error);
        claim = submitted(new StepRequest<>(claim, failed, claimant, desk)).claimed();
      }
    }
    return null;
  }

  /** What was kept from the attempt before, in readings of the ticker of this process. */
  private @Nullable Suspension suspension(JobRow row) {
    JobError error = row.lastError();
    if (error == null || row.deadlineAt() == JobRow.NEVER) {
      return null;
    }
    long offset = ticker.nanoTime() - settings.clock().getAsLong();
    return new Suspension(
        row.dueAt() + offset, row.deadlineAt() + offset, error, row.retriesBelow());
  }

  // ---- between attempts ----

  RetryCut suspend(StoredClaim<T> claim, Suspension suspension) {
    claim.settleOnce();
    long now = settings.clock().getAsLong();
    long ticks = ticker.nanoTime();
    SuspendRequest request =
        submitted(
            new SuspendRequest(
                claim,
                desk,
                now + (suspension.untilNanos() - ticks),
                Times.after(now, suspension.deadlineNanos() - ticks),
                suspension.lastError(),
                suspension.retriesBelow()));
    if (request.cut() != RetryCut.NONE) {
      claim.unsettle();
    } else if (desk.isCancelled(claim)) {
      // Told while the suspension was being committed: then it is that which ends.
      submitted(new CancelRequest(claim.row().id()));
    }
    return request.cut();
  }

  /** Wakes what is due; returns the nanoseconds until the next may be. */
  long wakeDue() {
    if (desk.isKeeping()) {
      return Long.MAX_VALUE; // they are the next start's, and the worker's clock may stop
    }
    WakeDueRequest request = new WakeDueRequest();
    request.patience(Durations.deadline(ticker.nanoTime(), settings.storeTimeoutNanos()));
    if (!submit(request) || !request.await() || request.hasFailed()) {
      return ASK_AGAIN_NANOS; // the writer wakes them by itself, once it can
    }
    return request.next() == JobRow.NEVER
        ? Long.MAX_VALUE
        : Math.max(1, request.next() - settings.clock().getAsLong());
  }

  // ---- cancel ----

  CancelResult cancel(String jobId) {
    Claimant holder = desk.cancelRunningNow(jobId);
    CancelResult result = CancelResult.SIGNALLED;
    if (holder == null) {
      CancelRequest request = submitted(new CancelRequest(jobId));
      result = request.result();
      holder = request.holder();
    }
    if (holder != null) {
      holder.cancelClaimed();
    }
    return result;
  }

  /** What a stop interrupted here. Called under the lock of the desk. */
  List<JobRow> interrupted() {
    return interrupted;
  }
}
