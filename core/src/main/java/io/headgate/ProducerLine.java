package io.headgate;

import org.jspecify.annotations.Nullable;

/**
 * The producers that wait for room, in order of arrival, bounded in number and in the bytes of what
 * they want to submit.
 *
 * <p>A waiter is asleep or woken. Woken reserves nothing: the waiter decides again under the lock
 * and falls asleep again where it stands, or leaves. Guarded by the account's lock; nodes are used
 * again.
 */
final class ProducerLine {

  /** One waiting producer. */
  static final class Waiter implements BriefWait.Awaited {
    @Nullable Thread thread;
    long bytes;

    /** Written under the lock; also looked at by its own thread before that parks. */
    volatile boolean woken;

    @Nullable Waiter previous;
    @Nullable Waiter next;

    @Override
    public boolean hasCome() {
      return woken;
    }
  }

  private final int maxCount;
  private final long maxBytes;

  private @Nullable Waiter head;
  private @Nullable Waiter tail;
  private @Nullable Waiter pool;
  private int count;
  private int woken;
  private long bytes;

  ProducerLine(int maxCount, long maxBytes) {
    this.maxCount = maxCount;
    this.maxBytes = maxBytes;
  }

  int count() {
    return count;
  }

  /** Waiters woken that have not decided again yet. */
  int woken() {
    return woken;
  }

  int asleep() {
    return count - woken;
  }

  long bytes() {
    return bytes;
  }

  /** Adds {@code thread} asleep at the end, or returns null if the line is full. */
  @Nullable Waiter join(Thread thread, long jobBytes) {
    if (count >= maxCount || jobBytes > maxBytes - bytes) {
      return null;
    }
    Waiter waiter = pool;
    if (waiter == null) {
      waiter = new Waiter();
    } else {
      pool = waiter.next;
      waiter.next = null;
    }
    waiter.thread = thread;
    waiter.bytes = jobBytes;
    waiter.previous = tail;
    if (tail == null) {
      head = waiter;
    } else {
      tail.next = waiter;
    }
    tail = waiter;
    count++;
    bytes += jobBytes;
    return waiter;
  }

  /** Removes a waiter, asleep or woken. */
  void leave(Waiter waiter) {
    sleepAgain(waiter);
    Waiter previous = waiter.previous;
    Waiter next = waiter.next;
    if (previous == null) {
      head = next;
    } else {
      previous.next = next;
    }
    if (next == null) {
      tail = previous;
    } else {
      next.previous = previous;
    }
    count--;
    bytes -= waiter.bytes;
    waiter.thread = null;
    waiter.previous = null;
    waiter.next = pool;
    pool = waiter;
  }

  /** Marks a waiter asleep, where it stands. */
  void sleepAgain(Waiter waiter) {
    if (waiter.woken) {
      waiter.woken = false;
      woken--;
    }
  }

  /** Wakes and returns the first sleeper whose job weighs at most {@code room}, or null. */
  @Nullable Waiter wakeFirstFitting(long room) {
    for (Waiter waiter = head; waiter != null; waiter = waiter.next) {
      if (!waiter.woken && waiter.bytes <= room) {
        waiter.woken = true;
        woken++;
        return waiter;
      }
    }
    return null;
  }
}
