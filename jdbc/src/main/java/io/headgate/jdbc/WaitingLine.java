package io.headgate.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The producers that wait for room, in order of arrival. Guarded by the lock of the desk. */
final class WaitingLine {

  /** One of them. The mark is set before its thread is unparked, and looked at before each park. */
  static final class Waiter {
    final long bytes;
    private final Thread thread = Thread.currentThread();
    volatile boolean woken;

    Waiter(long bytes) {
      this.bytes = bytes;
    }
  }

  private final int maxWaiters;
  private final long maxBytes;
  private final List<Waiter> line = new ArrayList<>(0);
  private long bytes;
  private int awake;

  WaitingLine(int maxWaiters, long maxBytes) {
    this.maxWaiters = maxWaiters;
    this.maxBytes = maxBytes;
  }

  /** Goes to sleep, for the first time or again; false if the line is full. */
  boolean sleep(Waiter waiter) {
    if (line.contains(waiter)) {
      awake -= waiter.woken ? 1 : 0;
      waiter.woken = false;
      return true;
    }
    if (line.size() >= maxWaiters || waiter.bytes > maxBytes - bytes) {
      return false;
    }
    line.add(waiter);
    bytes += waiter.bytes;
    return true;
  }

  void leave(Waiter waiter) {
    if (line.remove(waiter)) {
      awake -= waiter.woken ? 1 : 0;
      bytes -= waiter.bytes;
    }
  }

  /** Wakes those that fit, first come first served, as many as there are places for. */
  void wakeFitting(long places, long room, List<Runnable> todo) {
    long roomLeft = room;
    for (Waiter waiter : line) {
      if (awake >= places) {
        return;
      }
      if (waiter.woken) {
        roomLeft -= waiter.bytes;
      } else if (waiter.bytes <= roomLeft) {
        roomLeft -= waiter.bytes;
        wake(waiter, todo);
      }
    }
  }

  void wakeAll(List<Runnable> todo) {
    for (Waiter waiter : line) {
      wake(waiter, todo);
    }
  }

  /** Lets the sleepers look at the clock again, without a place for them. */
  void stirAll(List<Runnable> todo) {
    for (Waiter waiter : line) {
      todo.add(() -> LockSupport.unpark(waiter.thread));
    }
  }

  private void wake(Waiter waiter, List<Runnable> todo) {
    awake += waiter.woken ? 0 : 1;
    waiter.woken = true;
    todo.add(() -> LockSupport.unpark(waiter.thread));
  }

  boolean isEmpty() {
    return line.isEmpty();
  }

  int count() {
    return line.size();
  }

  long bytes() {
    return bytes;
  }
}
