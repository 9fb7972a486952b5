package io.headgate.queue;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A place in a queue that moves towards its end, one element at a time, over what is queued at the
 * moment of each step. For one thread.
 */
final class Walk<E> {
  private final QueueAccount<E> account;

  /** It shows nothing that arrived later than the arrival of this number. */
  final long end;

  /** Both are set by {@link QueueAccount#advance} under the lock. */
  @Nullable Link<E> link;

  @Nullable E item;

  private Walk(QueueAccount<E> account, long end) {
    this.account = account;
    this.end = end;
  }

  /** Ends at what is the last element now, and so ends, however fast elements arrive. */
  static <E> Walk<E> overPresent(QueueAccount<E> account) {
    return new Walk<>(account, account.arrivals());
  }

  /** The next element, or null at the end, after which it must not be asked again. */
  @Nullable E next() {
    account.advance(this);
    return item;
  }

  /** Throws away the element it stands on; false if another thread had it first. */
  boolean discard() {
    return link != null && account.discard(link);
  }

  /** The same as an iterator, one element ahead so that what hasNext promised is there. */
  static final class Elements<E> implements Iterator<E> {
    private final QueueAccount<E> account;
    private final Walk<E> ahead;
    private @Nullable Link<E> returned;

    Elements(QueueAccount<E> account) {
      this.account = account;
      ahead = new Walk<>(account, Long.MAX_VALUE);
      ahead.next();
    }

    @Override
    public boolean hasNext() {
      return ahead.item != null;
    }

    @Override
    public E next() {
      E item = ahead.item;
      if (item == null) {
        throw new NoSuchElementException();
      }
      returned = ahead.link;
      ahead.next();
      return item;
    }

    @Override
    public void remove() {
      if (returned == null) {
        throw new IllegalStateException("next() has not been called, or remove() has been");
      }
      account.discard(returned);
      returned = null;
    }
  }
}
