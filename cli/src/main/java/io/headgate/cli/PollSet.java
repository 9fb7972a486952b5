package io.headgate.cli;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An array of {@code struct pollfd}. A place with a negative descriptor is ignored by poll. */
final class PollSet {
  private static final long BYTES = 8;
  private static final long EVENTS = 4;
  private static final long READY = 6;

  private final MemorySegment array;
  private final int size;

  PollSet(int size) {
    this.size = size;
    array = Arena.global().allocate(BYTES * size, 8);
    for (int i = 0; i < size; i++) {
      watch(i, -1, (short) 0);
    }
  }

  long address() {
    return array.address();
  }

  int size() {
    return size;
  }

  /** Watches a descriptor at a place of the set, from the next poll on. */
  void watch(int place, int fd, short events) {
    array.set(JAVA_INT, place * BYTES, fd);
    array.set(JAVA_SHORT, place * BYTES + EVENTS, events);
    array.set(JAVA_SHORT, place * BYTES + READY, (short) 0);
  }

  void ignore(int place) {
    watch(place, -1, (short) 0);
  }

  /** Whether the last poll found anything at a place, errors and hang-ups included. */
  boolean ready(int place) {
    return array.get(JAVA_SHORT, place * BYTES + READY) != 0;
  }

  /** Whether the last poll found that the descriptor is not open. */
  boolean notOpen(int place) {
    return (array.get(JAVA_SHORT, place * BYTES + READY) & Posix.POLLNVAL) != 0;
  }

  /** Forgets what an earlier poll found, for a round in which poll is not called or fails. */
  void clear() {
    for (int i = 0; i < size; i++) {
      array.set(JAVA_SHORT, i * BYTES + READY, (short) 0);
    }
  }
}
