package io.headgate.jdbc;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one thread wants from the store: a few statements that the writer runs in a transaction with
 * those of others, and an answer after its commit. Subclasses hold the answer.
 */
/*
 * state: QUEUED --take--> TAKEN --answer--> ANSWERED
 *           \--give up--> GONE      \--give up--> LEFT
 * A request that is GONE is not run. One that is LEFT was run and may be committed: its thread has
 * been told that this is not known, and what is to be told of its effects is told by the writer.
 */
abstract class Request {

  private static final System.Logger LOGGER = System.getLogger(Request.class.getName());

  private static final int QUEUED = 0;
  private static final int TAKEN = 1;
  private static final int ANSWERED = 2;
  private static final int GONE = 3;
  private static final int LEFT = 4;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Request.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Thread thread = Thread.currentThread();
  private volatile int state;
  private boolean hasDeadline;
  private long deadline;
  private List<Ledger.Ended> ended = List.of();
  private @Nullable RuntimeException failure;

  /** Runs the statements; {@code open} is whether admission was open when the group was closed. */
  abstract void run(Ledger ledger, boolean open) throws SQLException;

  /**
   * The store does not take what {@link #run} wrote: says the same with less.
   *
   * @return whether another try makes sense
   */
  boolean simplify() {
    return false;
  }

  /** Whether it may fail, because its thread can be told so. */
  boolean mayFail() {
    return false;
  }

  /** It alone is why its group failed, so it fails alone if it may; the others are committed. */
  final boolean failedAlone(Throwable why) {
    if (!mayFail()) {
      return false;
    }
    LOGGER.log(Level.ERROR, "the store does not take a request; it fails alone", why);
    failure =
        new StoreException(
            StoreException.Kind.UNACCEPTABLE,
            "the store does not take this request, others are not affected: " + why.getMessage(),
            why);
    return true;
  }

  /** Takes note of the commit. Called under the lock of the desk. */
  void committed(Desk desk) {}

  /**
   * The transaction was rolled back, and another will not be tried at once. Called under the lock
   * of the desk.
   *
   * @return whether the request stays, to be tried again until the store is back
   */
  boolean failed(Desk desk, StoreException why) {
    failure = why;
    return false;
  }

  /** Whether it only asks to be accepted, and can be refused when the store fails. */
  boolean isAdmission() {
    return false;
  }

  // ---- the writer's side ----

  /** Whether the request is still wanted; from now on it is the writer's. */
  final boolean take() {
    return state == TAKEN || STATE.compareAndSet(this, QUEUED, TAKEN);
  }

  final void runAndCollect(Ledger ledger, boolean open) throws SQLException {
    run(ledger, open);
    collect(ledger);
  }

  /** Takes what ended by itself since the last call. */
  final void collect(Ledger ledger) {
    List<Ledger.Ended> more = ledger.takeEnded();
    ended = ended.isEmpty() ? more : joined(ended, more);
  }

  private static List<Ledger.Ended> joined(List<Ledger.Ended> first, List<Ledger.Ended> second) {
    List<Ledger.Ended> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  /** Forgets what a rolled back transaction had ended. */
  final void forgetEnded() {
    ended = List.of();
  }

  /** Lets the thread go on; false if it has left, so that the writer must tell of the effects. */
  final boolean answer() {
    boolean isThere = STATE.compareAndSet(this, TAKEN, ANSWERED);
    if (isThere && Thread.currentThread() != thread) {
      LockSupport.unpark(thread);
    }
    return isThere;
  }

  /** What ended by itself on the way, in order. */
  final List<Ledger.Ended> ended() {
    return ended;
  }

  // ---- the asking thread's side ----

  /**
   * Waits for the answer, through interrupts, which are restored.
   *
   * @return whether there is one; without one, what becomes of the request is not known
   */
  final boolean await() {
    boolean interrupted = false;
    while (state < ANSWERED) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state == ANSWERED;
  }

  /** Sets the time after which the thread is sent away without an answer; before it is laid. */
  final void patience(long deadlineNanos) {
    hasDeadline = true;
    deadline = deadlineNanos;
  }

  /**
   * Sends the thread away if its time is over. A timer of each waiting thread would cost more than
   * all the rest of a request, so one look at all of them does it.
   */
  final void expire(long now) {
    if (hasDeadline
        && deadline - now <= 0
        && (STATE.compareAndSet(this, QUEUED, GONE) || STATE.compareAndSet(this, TAKEN, LEFT))) {
      LockSupport.unpark(thread);
    }
  }

  final boolean hasFailed() {
    return failure != null;
  }

  /** Throws what the request failed with, if it did. */
  final void rethrow() {
    if (failure != null) {
      throw failure;
    }
  }
}
