package io.headgate.jdbc;

import io.headgate.Admission;
import io.headgate.Reason;
import io.headgate.WhenFull;
import io.headgate.time.Ticker;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Asks for one job to be accepted. */
final class AdmissionRequest extends Request {

  private final NewJob job;
  private final WhenFull.Kind kind;
  private final WaitingLine.@Nullable Waiter waiter;
  private final long patienceEnd;
  private final Ticker ticker;
  private final @Nullable Runnable onAccepted;
  private @Nullable Admission answer;
  private boolean left;

  /**
   * @param onAccepted called by the writer, under the lock of the desk, once the job is committed
   *     and before anybody can claim it, also where the producer has left
   */
  AdmissionRequest(
      NewJob job,
      WhenFull.Kind kind,
      WaitingLine.@Nullable Waiter waiter,
      long patienceEnd,
      Ticker ticker,
      @Nullable Runnable onAccepted) {
    this.job = job;
    this.kind = kind;
    this.waiter = waiter;
    this.patienceEnd = patienceEnd;
    this.ticker = ticker;
    this.onAccepted = onAccepted;
  }

  NewJob job() {
    return job;
  }

  /** Null where the producer is to sleep in the line. */
  @Nullable Admission admission() {
    return answer;
  }

  @Override
  boolean mayFail() {
    return true;
  }

  @Override
  void run(Ledger ledger, boolean open) throws SQLException {
    answer = ledger.admit(job, kind, open);
  }

  /** Its job was accepted with others. */
  void accepted() {
    answer = Admission.accepted();
  }

  @Override
  void committed(Desk desk) {
    if (onAccepted != null && !hasFailed() && answer != null && answer.isAccepted()) {
      onAccepted.run();
    }
    if (waiter == null) {
      return;
    }
    boolean isFull =
        answer instanceof Admission.Refused refused
            && (refused.reason() == Reason.FULL || refused.reason() == Reason.FULL_BYTES);
    if (!isFull || left) {
      desk.line.leave(waiter);
    } else if (!desk.admitting) {
      desk.line.leave(waiter);
      answer = Admission.refused(Reason.CLOSED);
    } else if (patienceEnd - ticker.nanoTime() <= 0) {
      desk.line.leave(waiter);
      answer = Admission.refused(Reason.TIMED_OUT);
    } else {
      answer = desk.line.sleep(waiter) ? null : Admission.refused(Reason.TOO_MANY_WAITERS);
    }
  }

  @Override
  boolean failed(Desk desk, StoreException why) {
    answer = Admission.refused(Reason.UNAVAILABLE);
    if (waiter != null) {
      desk.line.leave(waiter);
    }
    return false;
  }

  /** The producer waits no more for the answer. */
  void left(Desk desk) {
    left = true;
    if (waiter != null) {
      desk.line.leave(waiter);
    }
  }

  @Override
  boolean isAdmission() {
    return true;
  }
}
