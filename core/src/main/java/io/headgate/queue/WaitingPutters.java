package io.headgate.queue;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;

/**
 * The putters that wait, in order of arrival, each with a condition of its own: with weights the
 * one that fits need not be the one that came first. Not thread-safe: the lock of the queue guards
 * all of it.
 */
final class WaitingPutters {

  /** One waiting putter. */
  static final class Putter {
    final long weight;
    final Condition condition;

    /** Woken, but has not looked yet. */
    boolean woken;

    Putter(long weight, Condition condition) {
      this.weight = weight;
      this.condition = condition;
    }
  }

  private final Set<Putter> putters = new LinkedHashSet<>();

  int size() {
    return putters.size();
  }

  void add(Putter putter) {
    putters.add(putter);
  }

  void remove(Putter putter) {
    putters.remove(putter);
  }

  /**
   * Wakes, in order of arrival, those who fit together into the room. The woken who have not looked
   * yet are counted first come, first served like the others; they reserve nothing.
   */
  void wakeThoseThatFit(long slots, long weight) {
    long slotsLeft = slots;
    long weightLeft = weight;
    for (Putter putter : putters) {
      if (slotsLeft == 0) {
        return;
      }
      if (putter.weight <= weightLeft) {
        slotsLeft--;
        weightLeft -= putter.weight;
        wake(putter);
      }
    }
  }

  void wakeAll() {
    putters.forEach(WaitingPutters::wake);
  }

  private static void wake(Putter putter) {
    if (!putter.woken) {
      putter.woken = true;
      putter.condition.signal();
    }
  }
}
