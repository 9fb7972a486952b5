package io.headgate.queue;

import org.jspecify.annotations.Nullable;

/**
 * One element in the {@link Chain} with its weight. Every field that can change is guarded by the
 * lock of the queue.
 */
final class Link<E> {
  /**
   * Null once the element has left for good, so that an iterator standing here does not keep it.
   */
  @Nullable E item;

  final long weight;
  @Nullable Link<E> previous;
  @Nullable Link<E> next;
  boolean linked;

  /** The how-manieth arrival it was. */
  long number;

  Link(E item, long weight) {
    this.item = item;
    this.weight = weight;
  }

  /** The element of a link that is in the chain or in transit. */
  E item() {
    E present = item;
    if (present == null) {
      throw new AssertionError("the element has left");
    }
    return present;
  }
}
