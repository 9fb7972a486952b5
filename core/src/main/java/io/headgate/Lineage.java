package io.headgate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One attempt that its worker may repeat, as the jobs see it that its handler submits: by it a
 * layer that retries knows the layers above it, so that attempts add up instead of multiplying.
 *
 * <p>Thread-safe. A job that is submitted while a handler runs remembers the lineage of that
 * attempt; threads that a handler starts inherit it.
 */
/*
 * Two rules, and why they bound the calls:
 *   1. A retry below counts for every running attempt above it, and an owner retries only while its
 *      attempts and those retries together are fewer than its policy allows. So whoever waits for
 *      what it submitted spends its attempts there, next to the failure, and has none left itself.
 *   2. What an attempt submitted is not retried once that attempt has failed, if others come or
 *      came in its place: they submit it again. So what is submitted without being waited for adds
 *      one call for each attempt above.
 * Once an attempt has completed nobody above repeats what it submitted, and that owns its retries.
 * An ended attempt lets go of what is above it, or a job that submits its successor for ever would
 * leave a chain behind.
 */
final class Lineage {

  private static final int RUNNING = 0;
  private static final int DETACHED = 1;
  private static final int REPEATED = 2;

  /** For a job that is retried by whoever submits it, outside of this process. */
  static final Lineage CALLER = new Lineage(null, 0, REPEATED);

  /** For a job that nobody above retries, whoever submits it. */
  static final Lineage NOBODY = new Lineage(null, 0, DETACHED);

  private static final InheritableThreadLocal<Lineage> CURRENT = new InheritableThreadLocal<>();
  private static final VarHandle BELOW;

  static {
    try {
      BELOW = MethodHandles.lookup().findVarHandle(Lineage.class, "below", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whether any worker of this process ever retried, so that there is something to look for. */
  private static volatile boolean used;

  private volatile int state;
  private volatile @Nullable Lineage above;
  private volatile int below;

  private Lineage(@Nullable Lineage above, int below, int state) {
    this.above = above;
    this.below = below;
    this.state = state;
  }

  /** A worker that retries has been built. */
  static void use() {
    used = true;
  }

  static boolean isUsed() {
    return used;
  }

  /**
   * The lineage of an attempt that begins.
   *
   * @param above that of the attempt that submitted the job, or null
   * @param below retries made below the attempts before this one
   */
  static Lineage begin(@Nullable Lineage above, int below) {
    return new Lineage(above, below, RUNNING);
  }

  /** That of the attempt for which the calling thread works, or null. */
  static @Nullable Lineage current() {
    return CURRENT.get();
  }

  /** The calling thread works for this attempt. */
  void enter() {
    CURRENT.set(this);
  }

  /** The calling thread works for no attempt. */
  static void leave() {
    CURRENT.remove();
  }

  /** The attempt has ended; {@code repeated} if another follows or it was itself not the first. */
  void end(boolean repeated) {
    state = repeated ? REPEATED : DETACHED;
    above = null;
  }

  /** Whether somebody repeats this attempt, or may. */
  boolean isRetried() {
    return state != DETACHED;
  }

  /** Retries that were made below this attempt and those before it. */
  int retriesBelow() {
    return below;
  }

  /** Whether a job submitted by {@code above} must leave its retries to another layer. */
  static boolean isLeftToOthers(@Nullable Lineage above) {
    Lineage one = above;
    while (one != null) {
      int seen = one.state;
      if (seen != RUNNING) {
        return seen == REPEATED;
      }
      one = one.above;
    }
    return false;
  }

  /** A job submitted by {@code above} is retried: that counts for all who still run above it. */
  static void countRetry(@Nullable Lineage above) {
    Lineage one = above;
    while (one != null && one.state == RUNNING) {
      BELOW.getAndAdd(one, 1);
      one = one.above;
    }
  }
}
