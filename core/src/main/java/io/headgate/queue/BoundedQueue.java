package io.headgate.queue;

import static io.headgate.queue.QueueAccount.FOREVER;

import java.time.Duration;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A first-in-first-out {@link BlockingQueue} that is bounded in elements and, if wanted, in weight,
 * that can be shut down, and that knows which of its elements are still being worked on.
 *
 * <p><b>Bounds.</b> An element fits while fewer than {@code capacity} elements are queued and its
 * weight and theirs together stay within {@code maxWeight}. The weigher is called once per element
 * offered, by the offering thread and without a lock; its answer is remembered. Nothing is
 * allocated for free slots, so {@code Integer.MAX_VALUE} is a capacity like any other.
 *
 * <p><b>Accounting.</b> Who takes an element, by {@code take}, {@code poll}, {@code remove()} or
 * {@code drainTo}, owes one {@link #taskDone()} when the work on it has ended, well or badly.
 * {@link #join()} waits until nothing is queued and nothing is owed. It says nothing about success.
 * Elements that {@code remove(Object)}, {@code clear}, {@code removeIf}, {@code removeAll}, {@code
 * retainAll}, an iterator or {@link #shutdownNow()} throws away are accounted for by that.
 *
 * <p><b>Shutdown.</b> {@link #shutdown()} refuses new elements and lets the queued ones be taken;
 * {@link #shutdownNow()} also hands the queued ones back to its caller. Both are final.
 *
 * <p><b>Departures from {@code BlockingQueue}</b>, so that closed is never mistaken for full or for
 * empty: after a shutdown {@code put}, {@code add} and {@code offer}, timed or not, throw {@link
 * QueueClosedException} at once, and so do {@code take}, {@code poll}, timed or not, and {@code
 * remove()} as soon as the queue is empty; threads that were blocked get the same. {@code peek}
 * then returns null, {@code element} throws {@code NoSuchElementException} and {@code drainTo}
 * returns 0, as on any empty queue. An element heavier than {@code maxWeight}, or one that the
 * weigher calls negative, is an {@code IllegalArgumentException}. Where several things are wrong
 * the order is: null, weight, interrupt, closed, full.
 *
 * <p><b>Waiting.</b> A zero or negative timeout does not wait. A putter or taker that has been
 * woken has nothing reserved: a newcomer may come first, and it then waits on, within its own
 * timeout. No claim of freedom from starvation is made. What is claimed: when a slot or weight
 * becomes free, no putter goes on sleeping that would now fit, even if one that came earlier does
 * not, and a thread that is interrupted or times out never takes another's wake-up with it.
 *
 * <p><b>Threads.</b> Every method may be called by any thread, virtual ones included. Only {@code
 * put}, {@code take}, {@code join} and the timed {@code offer} and {@code poll} block for longer
 * than the lock is held. Weigher, {@code equals}, predicates and the target of {@code drainTo} run
 * outside the lock and may call the queue. Iterators and streams are weakly consistent: they show
 * elements in order, each at most once, may or may not show later changes, and never throw {@code
 * ConcurrentModificationException}. {@code contains}, {@code remove(Object)} and the bulk removals
 * look at the live queue element by element, at none that arrives after they began.
 *
 * <p><b>Memory consistency.</b> What a thread did before putting an element happens-before what
 * another does after taking, peeking or iterating to it; what it did before {@code taskDone}
 * happens-before the return of a {@code join} that waited for it; what it did before a shutdown
 * happens-before the {@link QueueClosedException} that tells of it.
 *
 * @param <E> the elements; null is refused by NullPointerException
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public final class BoundedQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
  private final QueueAccount<E> account;
  private final @Nullable ToLongFunction<? super E> weigher;

  private BoundedQueue(QueueAccount<E> account, @Nullable ToLongFunction<? super E> weigher) {
    this.account = account;
    this.weigher = weigher;
  }

  /**
   * Makes an empty queue that is bounded in elements only.
   *
   * @param capacity the most elements queued at once, at least 1
   * @throws IllegalArgumentException if {@code capacity} is below 1
   */
  public static <E> BoundedQueue<E> of(int capacity) {
    return new BoundedQueue<>(new QueueAccount<>(capacity, Long.MAX_VALUE), null);
  }

  /**
   * Makes an empty queue that is bounded in elements and in their weight, in any unit.
   *
   * @param capacity the most elements queued at once, at least 1
   * @param maxWeight the most weight queued at once, at least 1
   * @param weigher gives the weight of an element, zero or more; what it throws is passed on to the
   *     caller who offered the element, and changes nothing
   * @throws IllegalArgumentException if {@code capacity} or {@code maxWeight} is below 1
   */
  public static <E> BoundedQueue<E> weighted(
      int capacity, long maxWeight, ToLongFunction<? super E> weigher) {
    Objects.requireNonNull(weigher, "weigher");
    return new BoundedQueue<>(new QueueAccount<>(capacity, maxWeight), weigher);
  }

  /**
   * Adds the element, waiting until it fits.
   *
   * @throws QueueClosedException if the queue is shut down, also while waiting
   * @throws InterruptedException if interrupted before or while waiting; nothing was added then
   * @throws IllegalArgumentException if the weight of {@code e} is negative or above the maximum
   */
  @Override
  public void put(E e) throws InterruptedException {
    account.put(weigh(e), FOREVER);
  }

  /**
   * Adds the element, waiting at most the given time until it fits.
   *
   * @return false if it did not fit within that time
   * @throws QueueClosedException if the queue is shut down, also while waiting
   * @throws InterruptedException if interrupted before or while waiting; nothing was added then
   * @throws IllegalArgumentException if the weight of {@code e} is negative or above the maximum
   */
  @Override
  public boolean offer(E e, long timeout, TimeUnit unit) throws InterruptedException {
    long nanos = unit.toNanos(timeout);
    return account.put(weigh(e), nanos);
  }

  /**
   * Adds the element if it fits now.
   *
   * @return false if it does not
   * @throws QueueClosedException if the queue is shut down
   * @throws IllegalArgumentException if the weight of {@code e} is negative or above the maximum
   */
  @Override
  public boolean offer(E e) {
    return account.putNow(weigh(e));
  }

  /**
   * Adds the element if it fits now.
   *
   * @throws IllegalStateException if it does not
   * @throws QueueClosedException if the queue is shut down
   * @throws IllegalArgumentException if the weight of {@code e} is negative or above the maximum
   */
  @Override
  public boolean add(E e) {
    if (!offer(e)) {
      throw new IllegalStateException("Queue full: " + describe());
    }
    return true;
  }

  /**
   * Takes the oldest element, waiting until there is one. The caller owes one {@link #taskDone()}.
   *
   * @throws QueueClosedException if the queue is shut down and empty, also while waiting
   * @throws InterruptedException if interrupted before or while waiting; nothing was taken then
   */
  @Override
  public E take() throws InterruptedException {
    return Objects.requireNonNull(account.take(FOREVER));
  }

  /**
   * Takes the oldest element, waiting at most the given time until there is one. The caller owes
   * one {@link #taskDone()} if it gets one.
   *
   * @return null if there was none within that time
   * @throws QueueClosedException if the queue is shut down and empty, also while waiting
   * @throws InterruptedException if interrupted before or while waiting; nothing was taken then
   */
  @Override
  public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    return account.take(unit.toNanos(timeout));
  }

  /**
   * Takes the oldest element if there is one. The caller then owes one {@link #taskDone()}.
   *
   * @return null if the queue is empty
   * @throws QueueClosedException if the queue is shut down and empty
   */
  @Override
  public @Nullable E poll() {
    return account.takeNow();
  }

  /** Returns the oldest element and leaves it where it is; null if the queue is empty. */
  @Override
  public @Nullable E peek() {
    return account.peek();
  }

  /**
   * Moves all elements to {@code target}; see {@link #drainTo(Collection, int)}.
   *
   * @return how many
   */
  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  /**
   * Takes up to {@code maxElements} of the oldest elements at once and adds them to {@code target},
   * outside the lock. The caller owes one {@link #taskDone()} for each. Their slots become free
   * when all have been added. If {@code target} throws, what it has not yet taken goes back to the
   * front of the queue.
   *
   * @return how many were taken; 0 if the queue is empty, shut down or not
   * @throws IllegalArgumentException if {@code target} is this queue
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // only this very queue is meant
  public int drainTo(Collection<? super E> target, int maxElements) {
    Objects.requireNonNull(target, "target");
    if (target == this) {
      throw new IllegalArgumentException("a queue cannot be drained to itself");
    }
    List<Link<E>> batch = account.depart(maxElements);
    int added = 0;
    try {
      for (Link<E> link : batch) {
        target.add(link.item());
        added++;
      }
    } finally {
      account.arrived(batch, added);
    }
    return added;
  }

  /**
   * Says that the work on one element that was taken has ended, well or badly. Call it after the
   * result has been recorded: {@link #join()} may return at once.
   *
   * @throws IllegalStateException if every element taken has been accounted for already; nothing
   *     changes then
   */
  public void taskDone() {
    account.taskDone();
  }

  /**
   * Waits until nothing is queued and nothing is owed. Returns at once if that is so already; says
   * nothing about success, and nothing about elements put after it looked.
   *
   * @throws InterruptedException if interrupted before or while waiting
   */
  public void join() throws InterruptedException {
    account.awaitAllDone(FOREVER);
  }

  /**
   * Waits at most the given time until nothing is queued and nothing is owed.
   *
   * @param timeout zero or negative does not wait; longer than 292 years is 292 years
   * @return false if the time was over first
   * @throws InterruptedException if interrupted before or while waiting
   */
  public boolean join(Duration timeout) throws InterruptedException {
    return account.awaitAllDone(TimeUnit.NANOSECONDS.convert(timeout));
  }

  /**
   * Refuses elements from now on and lets the queued ones be taken. Blocked putters, and blocked
   * takers once nothing is left, get {@link QueueClosedException}. Never waits for room, may be
   * called at any time by any thread, and again.
   */
  public void shutdown() {
    account.close();
  }

  /**
   * Like {@link #shutdown()}, and throws the queued elements away. They count as accounted for, so
   * {@link #join()} may return although nobody worked on them; those already taken are still owed.
   * After a {@code shutdown} it throws away what is left.
   *
   * @return what was thrown away, oldest first; a new list that belongs to the caller
   */
  public List<E> shutdownNow() {
    return account.closeAndClear();
  }

  /** Whether the queue has been shut down, in either way. Elements may still be queued. */
  public boolean isShutdown() {
    return account.figures().shutDown();
  }

  /** How many elements are queued. */
  @Override
  public int size() {
    return account.figures().size();
  }

  /** How many slots are free, whatever weight is left and whether or not the queue is shut down. */
  @Override
  public int remainingCapacity() {
    return account.figures().remainingCapacity();
  }

  /** The most elements queued at once. */
  public int capacity() {
    return account.capacity();
  }

  /** The most weight queued at once; {@code Long.MAX_VALUE} if weight is not bounded. */
  public long maxWeight() {
    return account.maxWeight();
  }

  /** The weight that is queued, as it was told at the put; 0 if weight is not bounded. */
  public long weight() {
    return account.figures().weight();
  }

  /** How many elements are queued or owed: what {@link #join()} waits for. */
  public long unfinished() {
    return account.figures().unfinished();
  }

  /** How many threads wait in {@code put} or in a timed {@code offer}. */
  public int waitingPutters() {
    return account.figures().waitingPutters();
  }

  /** How many threads wait in {@code take} or in a timed {@code poll}. */
  public int waitingTakers() {
    return account.figures().waitingTakers();
  }

  /** The sizes, the waiting threads and the state, of one instant, for people to read. */
  public String describe() {
    return account.figures().toString();
  }

  @Override
  public boolean contains(@Nullable Object o) {
    if (o == null) {
      return false;
    }
    Walk<E> walk = Walk.overPresent(account);
    for (E item = walk.next(); item != null; item = walk.next()) {
      if (o.equals(item)) {
        return true;
      }
    }
    return false;
  }

  /** Throws away the oldest element equal to {@code o}, which is accounted for by that. */
  @Override
  public boolean remove(@Nullable Object o) {
    if (o == null) {
      return false;
    }
    Walk<E> walk = Walk.overPresent(account);
    for (E item = walk.next(); item != null; item = walk.next()) {
      if (o.equals(item) && walk.discard()) {
        return true;
      }
    }
    return false;
  }

  /** Throws away the elements that match, which are accounted for by that. */
  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    boolean removed = false;
    Walk<E> walk = Walk.overPresent(account);
    for (E item = walk.next(); item != null; item = walk.next()) {
      if (filter.test(item) && walk.discard()) {
        removed = true;
      }
    }
    return removed;
  }

  @Override
  public boolean removeAll(Collection<?> c) {
    Objects.requireNonNull(c, "c");
    return removeIf(c::contains);
  }

  @Override
  public boolean retainAll(Collection<?> c) {
    Objects.requireNonNull(c, "c");
    return removeIf(e -> !c.contains(e));
  }

  /** Throws all elements away at once; they are accounted for by that. */
  @Override
  public void clear() {
    account.clear();
  }

  /** The elements of one instant, oldest first. */
  @Override
  public Object[] toArray() {
    return account.snapshot().toArray();
  }

  /** The elements of one instant, oldest first. */
  @Override
  public <T> T[] toArray(T[] a) {
    return account.snapshot().toArray(a);
  }

  /** A weakly consistent iterator; {@code remove} throws away an element as {@link #clear} does. */
  @Override
  public Iterator<E> iterator() {
    return new Walk.Elements<>(account);
  }

  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
  }

  private Link<E> weigh(E e) {
    Objects.requireNonNull(e, "e");
    if (weigher == null) {
      return new Link<>(e, 0);
    }
    long weight = weigher.applyAsLong(e);
    if (weight < 0 || weight > maxWeight()) {
      throw new IllegalArgumentException(
          "an element weighs " + weight + ", which is not within 0 and " + maxWeight());
    }
    return new Link<>(e, weight);
  }
}
