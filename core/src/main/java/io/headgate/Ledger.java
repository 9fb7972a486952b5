package io.headgate;

import io.headgate.backlog.Settlement;
import java.util.Arrays;

/**
 * The ledger of an {@link Account}: how many jobs were accepted and how they ended, which is never
 * reset, and the latest outcomes of all four kinds in one ring.
 *
 * <p>Completing a job must allocate nothing, so a job completed at its first attempt is kept as its
 * id alone; everything else is kept as its {@link Outcome}. Guarded by the account's lock.
 */
final class Ledger {

  /** Nothing had to leave. */
  static final int NONE = -1;

  private static final int INITIAL = 16;

  private final int limit;

  private long accepted;
  private long completed;
  private long failed;
  private long interrupted;
  private long unstarted;

  /** Filled up to {@code size}; once full it wraps, and {@code oldest} is the next to leave. */
  private int[] ring;

  private int size;
  private int oldest;

  /**
   * @param limit outcomes kept; {@link Integer#MAX_VALUE} keeps all
   */
  Ledger(int limit) {
    this.limit = limit;
    this.ring = new int[Math.min(limit, INITIAL)];
  }

  /** Returns what to keep of an outcome. */
  static Object kept(Outcome outcome) {
    return outcome instanceof Outcome.Completed && outcome.attempts() == 1
        ? outcome.jobId()
        : outcome;
  }

  /** Returns the outcome that was kept. */
  static Outcome outcomeOf(Object kept) {
    return kept instanceof String id ? new Outcome.Completed(id, 1) : (Outcome) kept;
  }

  /** Returns the id of what was kept. */
  static String idOf(Object kept) {
    return kept instanceof String id ? id : ((Outcome) kept).jobId();
  }

  // ---- the counters ----

  /** Counts one more accepted job; returns how many there were before. */
  long countAccepted() {
    return accepted++;
  }

  void count(Settlement settlement) {
    // Not a switch over the sealed type: completing is the hot path, and one test is all it needs.
    if (settlement instanceof Settlement.Completed) {
      completed++;
    } else if (settlement instanceof Settlement.Failed) {
      failed++;
    } else {
      interrupted++;
    }
  }

  void countFailed() {
    failed++;
  }

  void countUnstarted() {
    unstarted++;
  }

  long accepted() {
    return accepted;
  }

  long completed() {
    return completed;
  }

  long failed() {
    return failed;
  }

  long interrupted() {
    return interrupted;
  }

  long unstarted() {
    return unstarted;
  }

  /** How many jobs have an outcome. */
  long ended() {
    return completed + failed + interrupted + unstarted;
  }

  // ---- the latest outcomes ----

  boolean keepsNothing() {
    return limit == 0;
  }

  /** Grows so that {@code more} outcomes can be recorded without. */
  void makeRoom(long more) {
    long needed = Math.min(limit, size + more);
    if (needed > ring.length) {
      ring = Arrays.copyOf(ring, (int) Math.min(limit, Math.max(needed, 2L * ring.length)));
    }
  }

  /**
   * Records one more outcome, which was made room for.
   *
   * @param number the one of the job's id
   * @return the number of the outcome that had to leave for it, or {@link #NONE}
   */
  int record(int number) {
    if (size < limit) {
      ring[size++] = number;
      return NONE;
    }
    if (limit == 0) {
      return NONE;
    }
    int evicted = ring[oldest];
    ring[oldest] = number;
    oldest = oldest + 1 == limit ? 0 : oldest + 1;
    return evicted;
  }

  /** Copies the numbers of the ids of what is kept, oldest first. */
  int[] copy() {
    int[] copy = new int[size];
    for (int i = 0; i < size; i++) {
      int from = oldest + i;
      copy[i] = ring[from < size ? from : from - size];
    }
    return copy;
  }
}
