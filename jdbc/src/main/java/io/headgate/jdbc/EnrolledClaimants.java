package io.headgate.jdbc;

import io.headgate.backlog.Claimant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The claimants of a worker: which are idle, which were woken and have not come yet, and how many
 * are too many. Guarded by the lock of the desk; what is to be told them is handed to a list.
 */
final class EnrolledClaimants {

  private final ArrayDeque<Claimant> idle = new ArrayDeque<>();
  private final Set<Claimant> waking = Collections.newSetFromMap(new IdentityHashMap<>());
  private int count;
  private int limit;
  private boolean dismissed;

  EnrolledClaimants(int limit) {
    this.limit = limit;
  }

  void enrol(Claimant claimant, List<Runnable> todo) {
    count++;
    rest(claimant, todo);
  }

  /** One that was woken cannot come; it is the last to be woken again. */
  void decline(Claimant claimant, List<Runnable> todo) {
    waking.remove(claimant);
    if (!dismissesTooMany(claimant, todo)) {
      idle.addLast(claimant);
    }
  }

  /** One asks, woken or not; whether there is a place for it. */
  boolean arrive(Claimant claimant) {
    waking.remove(claimant);
    return !dismissed && count <= limit;
  }

  /** One has nothing to do, or is one too many. */
  void rest(Claimant claimant, List<Runnable> todo) {
    waking.remove(claimant);
    if (!dismissesTooMany(claimant, todo)) {
      idle.addFirst(claimant);
    }
  }

  private boolean dismissesTooMany(Claimant claimant, List<Runnable> todo) {
    if (!dismissed && count <= limit) {
      return false;
    }
    count--;
    todo.add(claimant::dismiss);
    return true;
  }

  /** Wakes idle ones until {@code jobs} of them are on their way. */
  void wake(long jobs, List<Runnable> todo) {
    while (waking.size() < jobs && !idle.isEmpty()) {
      Claimant next = idle.removeFirst();
      waking.add(next);
      todo.add(next::wake);
    }
  }

  void resize(int newLimit, List<Runnable> todo) {
    limit = newLimit;
    dismissIdle(newLimit, todo);
  }

  void dismissAll(List<Runnable> todo) {
    dismissed = true;
    dismissIdle(0, todo);
  }

  boolean areDismissed() {
    return dismissed;
  }

  private void dismissIdle(int remaining, List<Runnable> todo) {
    while (!idle.isEmpty() && count > remaining) {
      count--;
      todo.add(idle.removeFirst()::dismiss);
    }
  }
}
