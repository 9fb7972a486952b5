package io.headgate;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A heap of entries with the earliest {@link Entry#dueAt} on top, and of equal ones that admitted
 * first. It knows each entry's position, so that removing from the middle is cheap, and allocates
 * nothing once it has grown. An entry is in one heap at most. Guarded by the account's lock.
 */
final class EntryHeap<T> {

  private @Nullable Entry<T>[] heap = newEntries(0);
  private int count;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> @Nullable Entry<T>[] newEntries(int length) {
    return new Entry[length];
  }

  int count() {
    return count;
  }

  /** Returns the earliest entry, or null. */
  @Nullable Entry<T> first() {
    return count == 0 ? null : heap[0];
  }

  /** Grows so that {@code more} can be added without. */
  void makeRoom(int more) {
    if (count + more > heap.length) {
      heap = Arrays.copyOf(heap, Math.max(16, Math.max(2 * count, count + more)));
    }
  }

  void add(Entry<T> entry) {
    makeRoom(1);
    siftUp(entry, count++);
  }

  @SuppressWarnings("ReferenceEquality") // the entry itself
  void remove(Entry<T> entry) {
    int hole = entry.heapIndex;
    Entry<T> last = requireNonNull(heap[--count]);
    heap[count] = null;
    entry.heapIndex = Entry.NOT_TIMED;
    if (last != entry) {
      siftDown(last, hole);
      if (last.heapIndex == hole) {
        siftUp(last, hole);
      }
    }
  }

  private static boolean isBefore(Entry<?> one, Entry<?> other) {
    long later = one.dueAt - other.dueAt;
    return later < 0 || (later == 0 && one.sequence < other.sequence);
  }

  private void siftUp(Entry<T> entry, int from) {
    int at = from;
    while (at > 0) {
      int up = (at - 1) >>> 1;
      Entry<T> parent = requireNonNull(heap[up]);
      if (!isBefore(entry, parent)) {
        break;
      }
      put(parent, at);
      at = up;
    }
    put(entry, at);
  }

  private void siftDown(Entry<T> entry, int from) {
    int at = from;
    for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
      Entry<T> least = requireNonNull(heap[child]);
      if (child + 1 < count) {
        Entry<T> right = requireNonNull(heap[child + 1]);
        if (isBefore(right, least)) {
          least = right;
          child++;
        }
      }
      if (!isBefore(least, entry)) {
        break;
      }
      put(least, at);
      at = child;
    }
    put(entry, at);
  }

  private void put(Entry<T> entry, int at) {
    heap[at] = entry;
    entry.heapIndex = at;
  }
}
