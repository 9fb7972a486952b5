package io.headgate.benchmarks.goodput;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One thread that does things at their times, by a clock that begins at zero when it starts. What
 * is late is done at once and not left out, so the load does not give way to a busy machine. The
 * things are done under the lock, which {@link #run} takes for other threads.
 */
final class EventLoop {

  private record Event(long at, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final long began = System.nanoTime();
  private long planned;

  long now() {
    return System.nanoTime() - began;
  }

  void at(long nanos, Runnable action) {
    lock.lock();
    try {
      events.add(new Event(nanos, planned++, action));
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Does something in the calling thread, alone. */
  void run(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /** Does what is planned, in the calling thread, until that time. */
  void runUntil(long end) throws InterruptedException {
    lock.lock();
    try {
      while (now() < end) {
        long next = events.isEmpty() ? end : Math.min(end, events.peek().at);
        long wait = next - now();
        if (wait > 0) {
          changed.await(wait, TimeUnit.NANOSECONDS);
        } else if (!events.isEmpty()) {
          events.remove().action.run();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
