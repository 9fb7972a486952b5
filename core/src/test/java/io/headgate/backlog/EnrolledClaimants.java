package io.headgate.backlog;

import java.util.ArrayDeque;

/**
 * The claimants of a {@link GroupCommitBacklog}: which have nothing to do, which one was woken and
 * has not come yet, and how many are too many. Guarded by the lock of the store.
 */
final class EnrolledClaimants {

  private final GroupCommit store;
  private final ArrayDeque<Claimant> idle = new ArrayDeque<>();
  private int limit;
  private int count;
  private Claimant waking;
  private boolean dismissed;

  EnrolledClaimants(GroupCommit store, int limit) {
    this.store = store;
    this.limit = limit;
  }

  void enrol(Claimant claimant) {
    count++;
    rest(claimant);
  }

  /** A claimant that was woken cannot come; it is the last to be woken again. */
  void decline(Claimant claimant) {
    waking = null;
    idle.addLast(claimant);
  }

  /** A claimant asks, woken or not; whether there is a place for it. */
  @SuppressWarnings("ReferenceEquality") // a claimant is itself
  boolean arrive(Claimant claimant) {
    waking = waking == claimant ? null : waking;
    return count <= limit;
  }

  /** A claimant has nothing to do, or is one too many. */
  void rest(Claimant claimant) {
    if (dismissed || count > limit) {
      count--;
      store.afterwards(claimant::dismiss);
    } else {
      idle.addFirst(claimant);
    }
  }

  /** Wakes an idle claimant, unless one is on its way. */
  void wakeOne() {
    if (!idle.isEmpty() && waking == null) {
      waking = idle.removeFirst();
      store.afterwards(waking::wake);
    }
  }

  void resize(int newLimit) {
    limit = newLimit;
    dismissIdle(newLimit);
  }

  /** Dismisses the idle now, and the others when they rest. */
  void dismissAll() {
    dismissed = true;
    dismissIdle(0);
  }

  boolean areDismissed() {
    return dismissed;
  }

  private void dismissIdle(int remaining) {
    while (!idle.isEmpty() && count > remaining) {
      count--;
      store.afterwards(idle.removeFirst()::dismiss);
    }
  }
}
