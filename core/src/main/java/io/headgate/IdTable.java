package io.headgate;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The duplicate window: one hash table over the ids of unfinished jobs and remembered outcomes.
 *
 * <p>An id has a number as long as it is here. A bucket is a chain of numbers, and by its number is
 * found what carries an id: an {@link Entry} while the job is unfinished, then what the {@link
 * Ledger} keeps of it. So ending a job changes no bucket. There are at least as many buckets as
 * ids, and nothing is ever allocated but when the table doubles. Guarded by the account's lock, but
 * for {@link #findRacily}.
 */
/*
 * Who submits and who ends jobs are on different cores, and a cache line that both write costs more
 * than all there is to do with it. A bucket is as good as random, so only one side touches them: who
 * ends a job only forgets its number, and the next admission takes a forgotten one out of its bucket
 * before it uses the number again. Until then the number leads to nothing, which is not found.
 */
final class IdTable {

  private static final int INITIAL = 16;

  /** The end of a chain, which is also the state of an empty bucket. No id has this number. */
  private static final int NONE = 0;

  /** The first number of each chain. */
  private int[] buckets = new int[INITIAL];

  // By number; as many as buckets.

  /** What carries the id; null where the number is forgotten or was never given. */
  private @Nullable Object[] carriers = new Object[INITIAL];

  /** The spread hash of the id, so that a search seldom has to look at a carrier. */
  private int[] hashes = new int[INITIAL];

  /** The next in the chain. */
  private int[] nexts = new int[INITIAL];

  /** Numbers that are still in their chains, but carry nothing any more. */
  private int[] forgotten = new int[INITIAL];

  private int forgottenCount;

  /** Ids that are present. With the forgotten ones, all numbers that were ever given. */
  private int size;

  /** Returns what carries {@code id}, or null. */
  @Nullable Object find(String id) {
    int hash = spread(id);
    int number = buckets[hash & (buckets.length - 1)];
    while (number != NONE) {
      if (hashes[number] == hash) {
        Object carrier = carriers[number];
        if (carrier != null && id.equals(idOf(carrier))) {
          return carrier;
        }
      }
      number = nexts[number];
    }
    return null;
  }

  /**
   * Whether {@code id} is present, read without the lock while others may write: the answer means
   * something only if the caller finds afterwards that nobody wrote. Always ends.
   */
  boolean findRacily(String id) {
    int[] heads = buckets;
    @Nullable Object[] itsCarriers = carriers;
    int[] itsHashes = hashes;
    int[] itsNexts = nexts;
    int limit = Math.min(itsCarriers.length, Math.min(itsHashes.length, itsNexts.length));
    int hash = spread(id);
    int number = heads[hash & (heads.length - 1)];
    // Chains that are changed meanwhile may seem to have no end.
    for (int steps = 0; number != NONE && number < limit && steps < limit; steps++) {
      if (itsHashes[number] == hash) {
        Object carrier = itsCarriers[number];
        if (carrier != null && id.equals(idOf(carrier))) {
          return true;
        }
      }
      number = itsNexts[number];
    }
    return false;
  }

  /** Grows if the next id needs that. Nothing else fails by a lack of memory. */
  void makeRoom() {
    if (forgottenCount == 0 && 1 + size == carriers.length) {
      grow();
    }
  }

  /** Adds {@code id}, which is not present and has been made room for; returns its number. */
  int add(String id, Object carrier) {
    int number;
    if (forgottenCount > 0) {
      number = forgotten[--forgottenCount];
      unlink(number);
    } else {
      number = 1 + size;
    }
    int hash = spread(id);
    int bucket = hash & (buckets.length - 1);
    hashes[number] = hash;
    nexts[number] = buckets[bucket];
    buckets[bucket] = number;
    carriers[number] = carrier;
    size++;
    return number;
  }

  private void unlink(int number) {
    int bucket = hashes[number] & (buckets.length - 1);
    int before = buckets[bucket];
    if (before == number) {
      buckets[bucket] = nexts[number];
      return;
    }
    while (nexts[before] != number) {
      before = nexts[before];
    }
    nexts[before] = nexts[number];
  }

  /** Lets {@code successor}, which carries the same id, carry the one of {@code number}. */
  void replace(int number, Object successor) {
    carriers[number] = successor;
  }

  /** Removes the id of {@code number}. */
  void forget(int number) {
    requirePresent(number);
    forgotten[forgottenCount++] = number;
    carriers[number] = null;
    size--;
  }

  /** Returns what carries the id of {@code number}. */
  Object carrier(int number) {
    requirePresent(number);
    return requireNonNull(carriers[number]);
  }

  private void requirePresent(int number) {
    if (carriers[number] == null) {
      throw new IllegalStateException("no id has the number " + number);
    }
  }

  /** Shows every entry of an unfinished job to {@code action}, in no order. */
  void forEachEntry(Consumer<Entry<?>> action) {
    for (Object carrier : carriers) {
      if (carrier instanceof Entry<?> entry) {
        action.accept(entry);
      }
    }
  }

  int size() {
    return size;
  }

  private void grow() {
    int length = Math.multiplyExact(buckets.length, 2);
    int[] more = new int[length];
    int[] longer = new int[length];
    for (int number = 1; number < hashes.length; number++) {
      int bucket = hashes[number] & (length - 1);
      longer[number] = more[bucket];
      more[bucket] = number;
    }
    @Nullable Object[] moreCarriers = Arrays.copyOf(carriers, length);
    int[] moreHashes = Arrays.copyOf(hashes, length);
    forgotten = new int[length];
    carriers = moreCarriers;
    hashes = moreHashes;
    nexts = longer;
    buckets = more;
  }

  /** Null of an entry in the pool, which only an optimistic reader can meet. */
  private static @Nullable String idOf(Object carrier) {
    return carrier instanceof Entry<?> entry ? entry.idOrNull() : Ledger.idOf(carrier);
  }

  /** String hashes of similar ids differ in their low bits only; fold the high ones in. */
  private static int spread(String id) {
    int h = id.hashCode() * 0x9E3779B9;
    return h ^ (h >>> 16);
  }

  /** The buckets of a table that held at most {@code ids} at once. */
  static long bucketsFor(long ids) {
    long buckets = INITIAL;
    while (buckets <= ids) {
      buckets *= 2;
    }
    return buckets;
  }
}
