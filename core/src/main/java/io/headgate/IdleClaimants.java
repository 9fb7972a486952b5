package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.backlog.Claimant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The claimants that have nothing to do. The one that became idle last is woken first: its thread
 * is warm, and those below it may never need one. Guarded by the account's lock.
 */
final class IdleClaimants {

  private @Nullable Claimant[] stack = new Claimant[4];
  private int count;

  boolean isEmpty() {
    return count == 0;
  }

  void push(Claimant claimant) {
    makeRoom();
    stack[count++] = claimant;
  }

  /** Adds a claimant that is to be woken after all others. */
  void pushLast(Claimant claimant) {
    makeRoom();
    System.arraycopy(stack, 0, stack, 1, count++);
    stack[0] = claimant;
  }

  /** Removes and returns the claimant to be woken next; there is one. */
  Claimant pop() {
    Claimant claimant = requireNonNull(stack[--count]);
    stack[count] = null;
    return claimant;
  }

  private void makeRoom() {
    if (count == stack.length) {
      stack = Arrays.copyOf(stack, 2 * count);
    }
  }
}
