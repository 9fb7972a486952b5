package io.headgate;

import org.jspecify.annotations.Nullable;

/**
 * The accepted jobs that wait: one first-in first-out list for each criticality, ordered among each
 * other by when they came here, and a heap of those with a time to live, the earliest to expire on
 * top.
 *
 * <p>The lists are linked through the entries, so that adding and removing allocate nothing once
 * the heap has grown. Guarded by the account's lock.
 */
final class WaitingJobs<T> {

  /** Head and tail of each class, side by side, so that one class touches one cache line. */
  private final @Nullable Entry<T>[] ends = newEntries(2 * Criticality.COUNT);

  /** Count and bytes of each class, side by side. */
  private final long[] sums = new long[2 * Criticality.COUNT];

  private int count;
  private long totalBytes;
  private long turns;

  /** The end of the last pause: until then nobody waited for a slot. */
  private long resumedAt;

  private boolean everPaused;

  private final EntryHeap<T> timed = new EntryHeap<>();

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> @Nullable Entry<T>[] newEntries(int length) {
    return new Entry[length];
  }

  int count() {
    return count;
  }

  long bytes() {
    return totalBytes;
  }

  /** Grows so that {@code more} with a time to live can be added without. */
  void makeRoomForTimed(int more) {
    timed.makeRoom(more);
  }

  /** Adds an entry at the end of its class. */
  void add(Entry<T> entry) {
    Job<T> job = entry.job();
    int level = job.criticality().level;
    entry.level = level;
    entry.turn = turns++;
    Entry<T> tail = ends[2 * level + 1];
    entry.previous = tail;
    if (tail == null) {
      ends[2 * level] = entry;
    } else {
      tail.next = entry;
    }
    ends[2 * level + 1] = entry;
    sums[2 * level]++;
    sums[2 * level + 1] += entry.bytes;
    count++;
    totalBytes += entry.bytes;
    if (job.hasTimeToLive()) {
      timed.add(entry);
    }
  }

  /** Removes an entry from wherever it stands. */
  void remove(Entry<T> entry) {
    int level = entry.level;
    Entry<T> previous = entry.previous;
    Entry<T> next = entry.next;
    if (previous == null) {
      ends[2 * level] = next;
    } else {
      previous.next = next;
      entry.previous = null;
    }
    if (next == null) {
      ends[2 * level + 1] = previous;
    } else {
      next.previous = previous;
      entry.next = null;
    }
    sums[2 * level]--;
    sums[2 * level + 1] -= entry.bytes;
    count--;
    totalBytes -= entry.bytes;
    if (entry.heapIndex != Entry.NOT_TIMED) {
      timed.remove(entry);
    }
  }

  /** Returns the entry that has waited longest, or null. */
  @Nullable Entry<T> oldest() {
    return count == 0 ? null : oldestFrom(0);
  }

  /**
   * Returns the entry that has waited longest of those no more critical than {@code level}, or
   * null.
   */
  @Nullable Entry<T> oldestFrom(int level) {
    Entry<T> oldest = null;
    for (int i = level; i < Criticality.COUNT; i++) {
      Entry<T> head = ends[2 * i];
      if (head != null && (oldest == null || head.turn < oldest.turn)) {
        oldest = head;
      }
    }
    return oldest;
  }

  /** Returns the entry that came last of those of {@code level}, or null. */
  @Nullable Entry<T> newestOf(int level) {
    return ends[2 * level + 1];
  }

  /** Which classes wait: bit n is set if entries of level n do. */
  int levels() {
    int levels = 0;
    for (int i = 0; i < Criticality.COUNT; i++) {
      levels |= ends[2 * i] == null ? 0 : 1 << i;
    }
    return levels;
  }

  /** Returns the oldest entry of the least critical class strictly below {@code level}, or null. */
  @Nullable Entry<T> leastCriticalBelow(int level) {
    for (int i = Criticality.COUNT - 1; i > level; i--) {
      Entry<T> head = ends[2 * i];
      if (head != null) {
        return head;
      }
    }
    return null;
  }

  /** How many entries are no more critical than {@code level}. */
  long countFrom(int level) {
    long sum = 0;
    for (int i = level; i < Criticality.COUNT; i++) {
      sum += sums[2 * i];
    }
    return sum;
  }

  /** How many bytes the entries no more critical than {@code level} weigh. */
  long bytesFrom(int level) {
    long sum = 0;
    for (int i = level; i < Criticality.COUNT; i++) {
      sum += sums[2 * i + 1];
    }
    return sum;
  }

  /** How long an entry has waited for a slot, where it knows since when. */
  long waited(Entry<T> entry, long now) {
    long waited = Math.max(0, now - entry.waitsSince);
    return everPaused ? Math.min(waited, now - resumedAt) : waited;
  }

  /** A pause has made everything old, which says nothing about the load. */
  void resumes(long now) {
    resumedAt = now;
    everPaused = true;
  }

  /** Whether one has a time to live. Also read without the lock. */
  boolean anyExpires() {
    return timed.count() > 0;
  }

  /** Returns the entry whose time to live ends first, or null if none has one. */
  @Nullable Entry<T> firstToExpire() {
    return timed.first();
  }
}
