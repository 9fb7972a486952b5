package io.headgate.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.queue.WaitingPutters.Putter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The state of a {@link BoundedQueue}, its lock, and every wait. */
final class QueueAccount<E> {
  /*
   * One lock guards everything below it; no other lock is taken and no code of users runs under it.
   *
   *   free slots + chain.size() + inTransit = capacity
   *   weight     = weights in the chain + weights in transit <= maxWeight
   *   unfinished = elements put - accounted for = chain.size() + owed
   *
   * In transit is what drainTo has taken out and is adding to its target: it keeps its slot, so that
   * it can go back if the target refuses it, and is owed already, so that who finds it in the target
   * may call taskDone. "free + queued = capacity" therefore holds only at rest.
   *
   * States: OPEN (put, take) -> CLOSED (take while something is queued), by close(), never back.
   *
   * Who wakes whom:
   *   put, and drainTo giving back  -> one taker for each element
   *   room freed                    -> the putters that fit together into it, in order of arrival,
   *                                    past those that are too heavy (wakePutters)
   *   unfinished reaches 0          -> all joiners
   *   close                         -> all putters and all takers
   * A woken putter counts as if it would succeed until it has looked. If it succeeds, it uses just
   * what it was counted with. If it does not fit, is interrupted or out of time, it calls
   * wakePutters in its turn, for the room may suit another. So while no woken putter has yet to
   * look, no waiting putter fits. Takers are all alike: each element put wakes one, and one that is
   * interrupted wakes the next if something is queued. Every timed wait looks once more before it
   * gives up, because the wake-up and the end of the time can both have come.
   */

  /** A patience without end. As a timeout it is 292 years, which is the same. */
  static final long FOREVER = Long.MAX_VALUE;

  private final int capacity;
  private final long maxWeight;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final Condition allDone = lock.newCondition();

  @GuardedBy("lock")
  private final Chain<E> chain = new Chain<>();

  @GuardedBy("lock")
  private final WaitingPutters waitingPutters = new WaitingPutters();

  @GuardedBy("lock")
  private int waitingTakers;

  @GuardedBy("lock")
  private int waitingJoiners;

  @GuardedBy("lock")
  private int inTransit;

  @GuardedBy("lock")
  private long weight;

  @GuardedBy("lock")
  private long unfinished;

  @GuardedBy("lock")
  private boolean closed;

  QueueAccount(int capacity, long maxWeight) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, but is " + capacity);
    }
    if (maxWeight < 1) {
      throw new IllegalArgumentException("maxWeight must be at least 1, but is " + maxWeight);
    }
    this.capacity = capacity;
    this.maxWeight = maxWeight;
  }

  int capacity() {
    return capacity;
  }

  long maxWeight() {
    return maxWeight;
  }

  /** Puts, waiting for room; false if the time was over first. */
  boolean put(Link<E> link, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      requireOpen();
      if (!fits(link) && !awaitRoom(link, nanos)) {
        return false;
      }
      append(link);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Puts if there is room now. */
  boolean putNow(Link<E> link) {
    lock.lock();
    try {
      requireOpen();
      if (!fits(link)) {
        return false;
      }
      append(link);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes, waiting for an element; null if the time was over first. */
  @Nullable E take(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      Link<E> link = chain.first();
      while (link == null) {
        requireOpen();
        if (left <= 0) {
          return null;
        }
        left = awaitElement(left);
        link = chain.first();
      }
      return handOut(link);
    } finally {
      lock.unlock();
    }
  }

  /** Takes if there is an element now. */
  @Nullable E takeNow() {
    lock.lock();
    try {
      Link<E> link = chain.first();
      if (link == null) {
        requireOpen();
        return null;
      }
      return handOut(link);
    } finally {
      lock.unlock();
    }
  }

  @Nullable E peek() {
    lock.lock();
    try {
      Link<E> link = chain.first();
      return link == null ? null : link.item;
    } finally {
      lock.unlock();
    }
  }

  /** Takes out up to {@code most} elements, which keep their slots until {@link #arrived}. */
  List<Link<E>> depart(int most) {
    lock.lock();
    try {
      List<Link<E>> batch = new ArrayList<>(Math.max(0, Math.min(most, chain.size())));
      for (Link<E> link = chain.first(); link != null && batch.size() < most; ) {
        chain.remove(link);
        inTransit++;
        batch.add(link);
        link = chain.first();
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a transit: the first {@code count} have arrived, the others go back to the front. */
  void arrived(List<Link<E>> batch, int count) {
    if (batch.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      inTransit -= batch.size();
      for (int i = batch.size() - 1; i >= count; i--) {
        chain.prepend(batch.get(i));
        notEmpty.signal();
      }
      // A stray taskDone may have used up what goes back; an element never counts below its place.
      unfinished = Math.max(unfinished, chain.size());
      for (int i = 0; i < count; i++) {
        free(batch.get(i));
      }
      wakePutters();
    } finally {
      lock.unlock();
    }
  }

  void taskDone() {
    lock.lock();
    try {
      if (unfinished <= chain.size()) {
        throw new IllegalStateException(
            "taskDone() called more often than elements were taken: " + figuresNow());
      }
      accountFor(1);
    } finally {
      lock.unlock();
    }
  }

  boolean awaitAllDone(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (unfinished > 0) {
        if (left <= 0) {
          return false;
        }
        waitingJoiners++;
        try {
          left = await(allDone, left);
        } finally {
          waitingJoiners--;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      waitingPutters.wakeAll();
      notEmpty.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes and empties in one step; what was queued, oldest first. */
  List<E> closeAndClear() {
    lock.lock();
    try {
      close();
      return discardAll();
    } finally {
      lock.unlock();
    }
  }

  void clear() {
    lock.lock();
    try {
      discardAll();
    } finally {
      lock.unlock();
    }
  }

  /** Throws one element away; false if it has left already. */
  boolean discard(Link<E> link) {
    lock.lock();
    try {
      if (!link.linked) {
        return false;
      }
      chain.remove(link);
      free(link);
      accountFor(1);
      wakePutters();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Moves to the next element that is queued now, or to null at the end. */
  void advance(Walk<E> walk) {
    lock.lock();
    try {
      Link<E> link = chain.successor(walk.link);
      if (link != null && link.number > walk.end) {
        link = null;
      }
      walk.link = link;
      walk.item = link == null ? null : link.item;
    } finally {
      lock.unlock();
    }
  }

  /** The number of the latest arrival. */
  long arrivals() {
    lock.lock();
    try {
      return chain.arrivals();
    } finally {
      lock.unlock();
    }
  }

  List<E> snapshot() {
    lock.lock();
    try {
      List<E> items = new ArrayList<>(chain.size());
      for (Link<E> link = chain.first(); link != null; link = link.next) {
        items.add(link.item());
      }
      return items;
    } finally {
      lock.unlock();
    }
  }

  /** The numbers of one instant. */
  Figures figures() {
    lock.lock();
    try {
      return figuresNow();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the element fits; false if the time was over first. */
  @GuardedBy("lock")
  private boolean awaitRoom(Link<E> link, long nanos) throws InterruptedException {
    if (nanos <= 0) {
      return false;
    }
    Putter self = new Putter(link.weight, lock.newCondition());
    waitingPutters.add(self);
    boolean granted = false;
    try {
      long left = nanos;
      while (true) {
        left = await(self.condition, left);
        self.woken = false;
        requireOpen();
        if (fits(link)) {
          granted = true;
          return true;
        }
        if (left <= 0) {
          return false;
        }
        wakePutters();
      }
    } finally {
      waitingPutters.remove(self);
      if (!granted) {
        wakePutters();
      }
    }
  }

  @GuardedBy("lock")
  private long awaitElement(long nanos) throws InterruptedException {
    waitingTakers++;
    try {
      return await(notEmpty, nanos);
    } catch (InterruptedException e) {
      if (chain.size() > 0) {
        notEmpty.signal();
      }
      throw e;
    } finally {
      waitingTakers--;
    }
  }

  /** One wait; it may end for no reason, so every caller looks again and loops. */
  @SuppressWarnings("WaitNotInLoop")
  private static long await(Condition condition, long nanos) throws InterruptedException {
    if (nanos == FOREVER) {
      condition.await();
      return FOREVER;
    }
    return condition.awaitNanos(nanos);
  }

  @GuardedBy("lock")
  private void requireOpen() {
    if (closed) {
      throw new QueueClosedException("The queue has been shut down: " + figuresNow());
    }
  }

  @GuardedBy("lock")
  private boolean fits(Link<E> link) {
    return freeSlots() > 0 && link.weight <= maxWeight - weight;
  }

  @GuardedBy("lock")
  private int freeSlots() {
    return capacity - chain.size() - inTransit;
  }

  @GuardedBy("lock")
  private void append(Link<E> link) {
    chain.append(link);
    weight += link.weight;
    unfinished++;
    notEmpty.signal();
  }

  @GuardedBy("lock")
  private E handOut(Link<E> link) {
    E item = link.item();
    chain.remove(link);
    free(link);
    wakePutters();
    return item;
  }

  /** Gives up what an element that is out of the chain held; the caller wakes putters. */
  @GuardedBy("lock")
  private void free(Link<E> link) {
    weight -= link.weight;
    link.item = null;
  }

  @GuardedBy("lock")
  private void wakePutters() {
    waitingPutters.wakeThoseThatFit(freeSlots(), maxWeight - weight);
  }

  @GuardedBy("lock")
  private List<E> discardAll() {
    List<E> discarded = new ArrayList<>(chain.size());
    for (Link<E> link = chain.first(); link != null; link = chain.first()) {
      discarded.add(link.item());
      chain.remove(link);
      free(link);
    }
    accountFor(discarded.size());
    wakePutters();
    return discarded;
  }

  @GuardedBy("lock")
  private void accountFor(int count) {
    unfinished -= count;
    if (unfinished == 0) {
      allDone.signalAll();
    }
  }

  @GuardedBy("lock")
  private Figures figuresNow() {
    return new Figures(
        chain.size(),
        freeSlots(),
        weight,
        unfinished,
        waitingPutters.size(),
        waitingTakers,
        waitingJoiners,
        closed);
  }
}
