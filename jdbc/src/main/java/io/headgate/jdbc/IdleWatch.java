package io.headgate.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The threads that wait until nothing is left to do. Guarded by the lock of the desk. */
final class IdleWatch {

  private final Desk desk;
  private final List<Thread> watchers = new ArrayList<>(0);
  private long moments;

  IdleWatch(Desk desk) {
    this.desk = desk;
  }

  /** All has become idle. Called under the lock. */
  void moment(List<Runnable> todo) {
    moments++;
    for (Thread watcher : watchers) {
      todo.add(() -> LockSupport.unpark(watcher));
    }
  }

  /** Adds the calling thread to those unparked when all is idle; what to compare later. */
  long watch() {
    desk.lock.lock();
    try {
      watchers.add(Thread.currentThread());
      return desk.isIdle() ? -1 : moments;
    } finally {
      desk.lock.unlock();
    }
  }

  boolean wasIdleSince(long before) {
    desk.lock.lock();
    try {
      return moments != before;
    } finally {
      desk.lock.unlock();
    }
  }

  void unwatch() {
    desk.lock.lock();
    try {
      watchers.remove(Thread.currentThread());
    } finally {
      desk.lock.unlock();
    }
  }
}
