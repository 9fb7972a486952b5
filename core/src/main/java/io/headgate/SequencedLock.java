package io.headgate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a {@link MemoryBacklog}: a plain {@link ReentrantLock} that backs off for a moment
 * when it is contended, and a version by which a reader without the lock can tell whether it saw
 * one state.
 *
 * <p>The version is odd while a section may be writing. A reader that finds the same even version
 * before and after its reads has seen what no section was changing (Boehm, Can seqlocks get along
 * with programming language memory models?, 2012; as java.util.concurrent's StampedLock does it).
 */
final class SequencedLock {

  /**
   * Pauses before the lock is tried again, and how often that is done, each time twice as long. A
   * section is a few dozen instructions over a dozen cache lines: handing the lock to and fro
   * between two cores for each of them costs several times what they do, so who finds it taken
   * stays away for a while.
   */
  private static final int FIRST_PAUSES = 128;

  private static final int ROUNDS = Runtime.getRuntime().availableProcessors() > 1 ? 3 : 0;

  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(SequencedLock.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();

  /** Written under the lock, through VERSION. */
  private long version;

  /** Enters a section that may write. */
  void enter() {
    acquire();
    VERSION.setOpaque(this, version + 1);
    VarHandle.storeStoreFence();
  }

  /** Leaves a section that may have written. */
  void leave() {
    VERSION.setRelease(this, version + 1);
    lock.unlock();
  }

  /** Enters a section that only reads. */
  void enterReading() {
    acquire();
  }

  /** Leaves a section that only read. */
  void leaveReading() {
    lock.unlock();
  }

  private void acquire() {
    if (lock.tryLock()) {
      return;
    }
    long before = stamp();
    for (int round = 0; round < ROUNDS; round++) {
      for (int pauses = FIRST_PAUSES << round; pauses > 0; pauses--) {
        Thread.onSpinWait();
      }
      if (lock.tryLock()) {
        return;
      }
      long now = stamp();
      if (now == before) {
        // Nobody has left a section for so long: its thread was put aside, and to spin is no help.
        break;
      }
      before = now;
    }
    lock.lock();
  }

  /** Returns a stamp for reading without the lock; odd if that is useless now. */
  long stamp() {
    return (long) VERSION.getAcquire(this);
  }

  static boolean isUseful(long stamp) {
    return (stamp & 1) == 0;
  }

  /** Whether nothing was written between the stamp and now. */
  boolean isUnchangedSince(long stamp) {
    VarHandle.acquireFence();
    return (long) VERSION.getOpaque(this) == stamp;
  }
}
