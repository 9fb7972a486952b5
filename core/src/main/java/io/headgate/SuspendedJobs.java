package io.headgate;

import org.jspecify.annotations.Nullable;

/**
 * The jobs that must not start before a time: between two attempts, or scheduled. Those that have
 * run are due afterwards, in a line first in first out by the end of the back-off; those that never
 * ran go to the jobs that wait. Guarded by the account's lock.
 *
 * <p>They are apart from the jobs that wait for their first attempt, for neither shedding nor a
 * time to live may end them here.
 */
final class SuspendedJobs<T> {

  private final EntryHeap<T> suspended = new EntryHeap<>();

  private @Nullable Entry<T> firstDue;
  private @Nullable Entry<T> lastDue;
  private int due;

  /** Grows so that one more can be taken in without. */
  void makeRoom() {
    suspended.makeRoom(1);
  }

  /** Takes in an entry whose {@link Entry#dueAt} says when it may go on. */
  void suspend(Entry<T> entry) {
    suspended.add(entry);
    entry.place = Entry.Place.SUSPENDED;
  }

  /** Takes out the first of those whose time has come, or returns null. */
  @Nullable Entry<T> pollAwake(long now) {
    Entry<T> first = suspended.first();
    if (first == null || first.dueAt - now > 0) {
      return null;
    }
    suspended.remove(first);
    return first;
  }

  /** Puts an entry at the end of the line of those that may go on. */
  void addDue(Entry<T> entry) {
    entry.place = Entry.Place.DUE;
    entry.previous = lastDue;
    if (lastDue == null) {
      firstDue = entry;
    } else {
      lastDue.next = entry;
    }
    lastDue = entry;
    due++;
  }

  /** When the first of the suspended may go on, or {@code otherwise} if there is none. */
  long firstWakeUp(long otherwise) {
    Entry<T> first = suspended.first();
    return first == null ? otherwise : first.dueAt;
  }

  /** How many are in the line of those that may go on. */
  int due() {
    return due;
  }

  /** How many wait for their time. */
  int count() {
    return suspended.count();
  }

  /** Returns the first in the line, or null. */
  @Nullable Entry<T> firstDue() {
    return firstDue;
  }

  /** Returns any entry, those in the line first, or null. */
  @Nullable Entry<T> any() {
    return firstDue != null ? firstDue : suspended.first();
  }

  /** Removes an entry from wherever it stands. */
  void remove(Entry<T> entry) {
    if (entry.place == Entry.Place.SUSPENDED) {
      suspended.remove(entry);
      return;
    }
    Entry<T> previous = entry.previous;
    Entry<T> next = entry.next;
    if (previous == null) {
      firstDue = next;
    } else {
      previous.next = next;
      entry.previous = null;
    }
    if (next == null) {
      lastDue = previous;
    } else {
      next.previous = previous;
      entry.next = null;
    }
    due--;
  }
}
