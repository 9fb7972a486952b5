package io.headgate.queue;

import org.jspecify.annotations.Nullable;

/**
 * The elements in order of arrival. Not thread-safe: the lock of the queue guards all of it.
 *
 * <p>A link that is taken out keeps its {@code previous}. Elements arrive only at the end, so
 * nothing can come between a link and the one before it, and {@link #successor} finds the way back
 * into the chain from a link that has left it, whatever else has left meanwhile. What leaves at the
 * front has nothing before it: its successor is the first link. Links in the chain never point to
 * links outside, so what has left is kept alive only by an iterator that stands on it.
 */
final class Chain<E> {
  private @Nullable Link<E> first;
  private @Nullable Link<E> last;
  private int size;
  private long arrivals;

  int size() {
    return size;
  }

  @Nullable Link<E> first() {
    return first;
  }

  /** The number of the latest arrival. */
  long arrivals() {
    return arrivals;
  }

  void append(Link<E> link) {
    link.number = ++arrivals;
    Link<E> before = last;
    link.previous = before;
    if (before == null) {
      first = link;
    } else {
      before.next = link;
    }
    last = link;
    link.linked = true;
    size++;
  }

  /** Puts a link that left at the front back there. */
  void prepend(Link<E> link) {
    Link<E> after = first;
    link.next = after;
    if (after == null) {
      last = link;
    } else {
      after.previous = link;
    }
    first = link;
    link.linked = true;
    size++;
  }

  void remove(Link<E> link) {
    Link<E> before = link.previous;
    Link<E> after = link.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    link.next = null;
    link.linked = false;
    size--;
  }

  /** The link after {@code place}, in the chain or once in it; the first one if null. */
  @Nullable Link<E> successor(@Nullable Link<E> place) {
    Link<E> back = place;
    while (back != null && !back.linked) {
      back = back.previous;
    }
    return back == null ? first : back.next;
  }
}
