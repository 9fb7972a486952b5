package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Claimant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Those who ask for jobs: which have nothing to do, which one was woken and has not asked yet, and
 * whether they are too many. The one that became idle last is woken first: its thread is warm, and
 * those below it may never need one. Guarded by the account's lock.
 */
final class Claimants {

  private final Effects<?> effects;
  private @Nullable Claimant[] idle = new Claimant[4];
  private int idleCount;

  /** Claimants enrolled and not dismissed. */
  private int enrolled;

  private int limit;
  private boolean dismissed;

  /** The claimant that was woken and has not asked yet; one at a time. */
  private @Nullable Claimant waking;

  Claimants(Effects<?> effects, int limit) {
    this.effects = effects;
    this.limit = limit;
  }

  void enrol(Claimant claimant) {
    enrolled++;
    rest(claimant);
  }

  /** Whether one could be woken: none is on its way, and one is idle. */
  boolean canWake() {
    return idleCount > 0 && waking == null;
  }

  /** Wakes the one that became idle last; there is one. */
  void wakeOne() {
    waking = pop();
    effects.wakeClaimant(waking);
  }

  /** One asks for a job, woken or not; whether it may have one, or is one too many. */
  @SuppressWarnings("ReferenceEquality") // a claimant is itself and nobody else
  boolean arrives(Claimant claimant) {
    if (waking == claimant) {
      waking = null;
    }
    return enrolled <= limit;
  }

  /** One has nothing to do: it is idle from now on, or dismissed. */
  void rest(Claimant claimant) {
    if (!dismissesTooMany(claimant)) {
      makeRoom();
      idle[idleCount++] = claimant;
    }
  }

  /** One that was woken cannot come: it is the last to be woken again. */
  void decline(Claimant claimant) {
    waking = null;
    if (!dismissesTooMany(claimant)) {
      makeRoom();
      System.arraycopy(idle, 0, idle, 1, idleCount++);
      idle[0] = claimant;
    }
  }

  private boolean dismissesTooMany(Claimant claimant) {
    if (!dismissed && enrolled <= limit) {
      return false;
    }
    enrolled--;
    effects.dismiss(claimant);
    return true;
  }

  void resize(int newLimit) {
    limit = newLimit;
    dismissIdle(newLimit);
  }

  /** Dismisses the idle now and the others when they next rest. */
  void dismissAll() {
    dismissed = true;
    dismissIdle(0);
  }

  boolean areDismissed() {
    return dismissed;
  }

  private void dismissIdle(int remaining) {
    while (idleCount > 0 && enrolled > remaining) {
      enrolled--;
      effects.dismiss(pop());
    }
  }

  private Claimant pop() {
    Claimant claimant = requireNonNull(idle[--idleCount]);
    idle[idleCount] = null;
    return claimant;
  }

  private void makeRoom() {
    if (idleCount == idle.length) {
      idle = Arrays.copyOf(idle, 2 * idleCount);
    }
  }
}
