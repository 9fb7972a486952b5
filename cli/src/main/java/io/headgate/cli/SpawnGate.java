package io.headgate.cli;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The gate that every child passes when it starts and when it is reaped.
 *
 * <p>Closing it is the last act of a run: after {@link #closeAndKill} no child starts, and those
 * that live are killed with their groups. It is never opened again. Safe for all threads.
 *
 * <p>A process id belongs to its child until the child is reaped. Start and registration, and
 * reaping and removal, are each one step inside the gate; the closer holds it alone. So every id
 * that the closer sees is that of a child of ours, and none is missing.
 */
final class SpawnGate {
  /** In the place of a negative errno: the gate is closed. */
  static final int CLOSED = Integer.MIN_VALUE;

  // A start lasts until the kernel has loaded the program, which a dead network disk can delay.
  private static final long CLOSE_MILLIS = 1_000;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Set<Integer> groups = ConcurrentHashMap.newKeySet();
  private final Posix posix = new Posix();
  private volatile boolean closed;

  /**
   * Enters for one short step; {@code false} once the gate is closing. Pairs with {@link #leave}.
   */
  boolean enter() {
    if (closed || !lock.readLock().tryLock()) {
      return false;
    }
    if (closed) {
      lock.readLock().unlock();
      return false;
    }
    return true;
  }

  void leave() {
    lock.readLock().unlock();
  }

  /** Registers a group that has just started. Inside the gate. */
  void started(int group) {
    groups.add(group);
  }

  /** Forgets a group whose leader has just been reaped. Inside the gate. */
  void reaped(int group) {
    groups.remove(group);
  }

  /** How many children live. */
  int living() {
    return groups.size();
  }

  /** Whether no child lives. */
  boolean isEmpty() {
    return groups.isEmpty();
  }

  /**
   * Lets no further child start, and kills all groups. Waits at most a second for starts under way.
   */
  synchronized void closeAndKill() {
    closed = true;
    boolean alone = false;
    try {
      alone = lock.writeLock().tryLock(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      for (int group : groups) {
        try {
          posix.killGroup(group, Posix.SIGKILL);
        } catch (OutOfMemoryError e) {
          // The others must not live on for it; where memory is short, the caller tells.
        }
      }
    } finally {
      if (alone) {
        lock.writeLock().unlock();
      }
    }
  }
}
