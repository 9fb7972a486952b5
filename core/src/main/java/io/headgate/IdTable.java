package io.headgate;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The duplicate window: one hash table over the ids of unfinished jobs and remembered outcomes.
 *
 * <p>It stores what carries the id rather than the id: an {@link Entry} while the job is
 * unfinished, then what the {@link History} keeps of it. Open addressing with linear probing at a
 * load of at most one half; a removal shifts the cluster back, so there are no tombstones to clean
 * and nothing is ever allocated but when the table doubles (Knuth, The Art of Computer Programming
 * 3, 6.4, algorithm R). Guarded by the account's lock, but for {@link #findRacily}.
 */
final class IdTable {

  private static final int INITIAL_SLOTS = 16;

  private @Nullable Object[] slots = new Object[INITIAL_SLOTS];

  /** The spread hash of each carrier's id, so that a probe seldom has to look at the carrier. */
  private int[] hashes = new int[INITIAL_SLOTS];

  private int size;

  /** Returns what carries {@code id}, or null. */
  @Nullable Object find(String id) {
    @Nullable Object[] table = slots;
    int mask = table.length - 1;
    int hash = spread(id);
    for (int i = hash & mask; ; i = (i + 1) & mask) {
      Object carrier = table[i];
      if (carrier == null) {
        return null;
      }
      if (hashes[i] == hash && idOf(carrier).equals(id)) {
        return carrier;
      }
    }
  }

  /**
   * Whether {@code id} is present, read without the lock while others may write: the answer means
   * something only if the caller finds afterwards that nobody wrote. Always ends.
   */
  boolean findRacily(String id) {
    @Nullable Object[] table = slots;
    int[] itsHashes = hashes;
    int mask = Math.min(table.length, itsHashes.length) - 1;
    int hash = spread(id);
    int i = hash & mask;
    for (int probes = 0; probes <= mask; probes++) {
      Object carrier = table[i];
      if (carrier == null) {
        return false;
      }
      if (itsHashes[i] == hash) {
        String other = carrier instanceof Entry<?> entry ? entry.idOrNull() : idOf(carrier);
        if (id.equals(other)) {
          return true;
        }
      }
      i = (i + 1) & mask;
    }
    return false;
  }

  /** Adds a carrier whose id is not present. */
  void add(Object carrier) {
    if (2 * (size + 1) > slots.length) {
      grow();
    }
    int hash = spread(idOf(carrier));
    if (carrier instanceof Entry<?> entry) {
      entry.idHash = hash;
    }
    place(slots, hashes, carrier, hash);
    size++;
  }

  /** Puts {@code successor}, which carries the same id, in the place of {@code carrier}. */
  void replace(Object carrier, Object successor) {
    slots[slotOf(carrier)] = successor;
  }

  /** Removes a carrier that is present. */
  void remove(Object carrier) {
    @Nullable Object[] table = slots;
    int mask = table.length - 1;
    int hole = slotOf(carrier);
    for (int i = (hole + 1) & mask; ; i = (i + 1) & mask) {
      Object follower = table[i];
      if (follower == null) {
        break;
      }
      int hash = hashes[i];
      // The follower may move back to the hole unless its home lies cyclically after the hole.
      if (((i - hash) & mask) >= ((i - hole) & mask)) {
        table[hole] = follower;
        hashes[hole] = hash;
        hole = i;
      }
    }
    table[hole] = null;
    size--;
  }

  /** Shows every entry of an unfinished job to {@code action}, in no order. */
  void forEachEntry(Consumer<Entry<?>> action) {
    for (Object carrier : slots) {
      if (carrier instanceof Entry<?> entry) {
        action.accept(entry);
      }
    }
  }

  int size() {
    return size;
  }

  @SuppressWarnings("ReferenceEquality") // the carrier itself is meant, not one that equals it
  private int slotOf(Object carrier) {
    @Nullable Object[] table = slots;
    int mask = table.length - 1;
    int hash = carrier instanceof Entry<?> entry ? entry.idHash : spread(idOf(carrier));
    int i = hash & mask;
    while (table[i] != carrier) {
      if (table[i] == null) {
        throw new IllegalStateException("no such id in the table: " + idOf(carrier));
      }
      i = (i + 1) & mask;
    }
    return i;
  }

  private void grow() {
    int length = Math.multiplyExact(slots.length, 2);
    @Nullable Object[] bigger = new Object[length];
    int[] biggerHashes = new int[length];
    for (int i = 0; i < slots.length; i++) {
      Object carrier = slots[i];
      if (carrier != null) {
        place(bigger, biggerHashes, carrier, hashes[i]);
      }
    }
    hashes = biggerHashes;
    slots = bigger;
  }

  private static void place(@Nullable Object[] table, int[] tableHashes, Object carrier, int hash) {
    int mask = table.length - 1;
    int i = hash & mask;
    while (table[i] != null) {
      i = (i + 1) & mask;
    }
    table[i] = carrier;
    tableHashes[i] = hash;
  }

  private static String idOf(Object carrier) {
    if (carrier instanceof Entry<?> entry) {
      return requireNonNull(entry.idOrNull());
    }
    return Ledger.idOf(carrier);
  }

  /** String hashes of similar ids differ in their low bits only; fold the high ones in. */
  private static int spread(String id) {
    int h = id.hashCode() * 0x9E3779B9;
    return h ^ (h >>> 16);
  }

  /** The slots of a table that held at most {@code ids} at once. */
  static long slotsFor(long ids) {
    long slots = INITIAL_SLOTS;
    while (slots < 2 * ids) {
      slots *= 2;
    }
    return slots;
  }
}
