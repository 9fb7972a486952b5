package io.headgate;

import static java.util.Objects.requireNonNull;

import io.headgate.limit.CriticalityFloors;
import io.headgate.limit.QueueDelay;
import io.headgate.limit.QueueDelayControl;
import org.jspecify.annotations.Nullable;

/**
 * Which waiting job is started next where the delay of the queue is controlled: the oldest, until
 * the queue stands; then the most critical within the floors, and of those the newest, while what
 * is stale is to be shed. Guarded by the account's lock.
 *
 * <p>Source: CoDel (Nichols and Jacobson, Controlling Queue Delay, 2012) for when a queue stands;
 * the chapters on overload of the Site Reliability Engineering book for newest first.
 */
final class DelayDiscipline<T> {

  private final WaitingJobs<T> waiting;
  private final QueueDelayControl control;
  private final CriticalityFloors floors;

  DelayDiscipline(QueueDelay settings, WaitingJobs<T> waiting) {
    this.waiting = waiting;
    this.control = settings.newControl();
    this.floors = settings.newFloors();
  }

  /** Looks at the queue; to be called before each claim. */
  void look(long now) {
    Entry<T> oldest = waiting.oldest();
    control.look(oldest == null ? 0 : waiting.waited(oldest, now), now);
  }

  /** Returns the oldest job if it is stale and the queue stands, else null. */
  @Nullable Entry<T> stale(long now) {
    Entry<T> oldest = waiting.oldest();
    return oldest != null && control.isStale(waiting.waited(oldest, now)) ? oldest : null;
  }

  /** Returns the job that is to be started next, or null if none waits. */
  @SuppressWarnings("EnumOrdinal") // a level is an ordinal, and never stored
  @Nullable Entry<T> next() {
    if (!control.isShedding() || waiting.count() == 0) {
      return waiting.oldest();
    }
    return requireNonNull(waiting.newestOf(floors.choose(waiting.levels()).ordinal()));
  }

  /** {@code entry}, which still waits, is started now. */
  void starts(Entry<T> entry) {
    if (control.isShedding()) {
      floors.served(entry.job().criticality(), waiting.levels());
    }
  }

  /** A pause begins or ends: what was seen before says nothing about the load. */
  void restart(long now) {
    control.restart(now);
  }

  boolean isShedding() {
    return control.isShedding();
  }
}
