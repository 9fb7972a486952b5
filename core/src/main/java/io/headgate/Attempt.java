package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Claimant;
import io.headgate.downstream.Downstream;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one job: what its handler sees as the context, and what the backlog knows as the
 * claimant. Made before the claim, so that whoever holds a job can be told to stop from the moment
 * it is claimed; never used for a second job.
 */
/*
 * state:  ACTIVE --cancel--> CANCELLING + cause --> CANCELLED + cause --end--> ENDED + cause
 *            \--end--> ENDED
 *
 * Whoever moves ACTIVE to CANCELLING may interrupt the thread until it writes CANCELLED; end() waits
 * that out, then clears the flag. So an interrupt never reaches the next job (the handshake of
 * java.util.concurrent.FutureTask). A canceller first changes the state and then reads the thread; a
 * thread that takes the attempt over first publishes itself and then reads the state: one of the two
 * sees the other.
 */
final class Attempt<T> implements JobContext, Claimant {

  private static final System.Logger LOGGER = System.getLogger(Attempt.class.getName());

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private static final int ACTIVE = 0;
  private static final int CANCELLING = 16;
  private static final int CANCELLED = 32;
  private static final int ENDED = 64;
  private static final int CAUSE_MASK = 15;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Attempt.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Slot<T> slot;
  private volatile int state;
  private int number;

  /** The job, once its handler is about to be entered. */
  private @Nullable Job<T> job;

  /** Guarded by this: null, or the actions to run on cancel. */
  private @Nullable List<Runnable> actions;

  Attempt(Slot<T> slot) {
    this.slot = slot;
  }

  /** The handler is about to be entered for {@code job}, for the {@code number}-th time. */
  void begin(Job<T> job, int number) {
    this.job = job;
    this.number = number;
  }

  @Nullable Job<T> job() {
    return job;
  }

  private Job<T> begunJob() {
    return requireNonNull(job, "the attempt has not begun");
  }

  /** Tells the handler to stop; whether this call did it. Never blocks. */
  boolean cancel(CancelCause cause) {
    int code = cause.code;
    if (!STATE.compareAndSet(this, ACTIVE, CANCELLING + code)) {
      return false;
    }
    slot.interrupt();
    state = CANCELLED + code;
    List<Runnable> registered;
    synchronized (this) {
      registered = actions;
      actions = null;
    }
    if (registered != null) {
      for (Runnable action : registered) {
        slot.runAside(() -> runUnlessEnded(action));
      }
    }
    return true;
  }

  private void runUnlessEnded(Runnable action) {
    if (state < ENDED) {
      action.run();
    }
  }

  /** The handler returned. Returns who had told it to stop, or null; nobody can from now on. */
  @SuppressWarnings("ThreadPriorityCheck") // the canceller may need this very carrier to go on
  @Nullable CancelCause end() {
    if (STATE.compareAndSet(this, ACTIVE, ENDED)) {
      return null;
    }
    int seen = state;
    while (seen < CANCELLED) {
      Thread.yield();
      seen = state;
    }
    int code = seen & CAUSE_MASK;
    state = ENDED + code;
    return CancelCause.of(code);
  }

  boolean hasEnded() {
    return state >= ENDED;
  }

  @Override
  public boolean isCancelled() {
    return (state & CAUSE_MASK) != 0;
  }

  @Override
  public void onCancel(Runnable action) {
    requireNonNull(action, "action");
    synchronized (this) {
      if (!isCancelled()) {
        if (actions == null) {
          actions = new ArrayList<>(1);
        }
        actions.add(action);
        return;
      }
    }
    try {
      action.run();
    } catch (Throwable t) {
      LOGGER.log(Level.WARNING, "a cancel action threw, and was left behind", t);
    }
  }

  @Override
  public int attempt() {
    return number;
  }

  @Override
  public void doNotRetry() {
    slot.repeats().forbid(this);
  }

  @Override
  public boolean isRetried() {
    return slot.repeats().isRetried();
  }

  @Override
  public String idempotencyKey() {
    return IdempotencyKeys.of(slot.workerName(), begunJob().id());
  }

  @Override
  public int uncertainStarts() {
    return slot.uncertainStarts();
  }

  @Override
  public Optional<Duration> remaining() {
    return slot.remaining(this);
  }

  @Override
  public <R extends @Nullable Object> R call(Downstream downstream, Callable<? extends R> action)
      throws Exception {
    requireNonNull(downstream, "downstream");
    requireNonNull(action, "action");
    Duration patience = isCancelled() ? Duration.ZERO : remaining().orElse(FOR_EVER);
    return slot.call(downstream, action, patience, begunJob().criticality());
  }

  @Override
  public void wake() {
    slot.wake();
  }

  @Override
  public void dismiss() {
    slot.dismiss();
  }

  @Override
  public void cancelClaimed() {
    cancel(CancelCause.CANCEL);
  }
}
