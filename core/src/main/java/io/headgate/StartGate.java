package io.headgate;

import io.headgate.limit.RateLimit;
import io.headgate.time.Durations;

/**
 * What bounds the starts of an {@link Account} in time: shut from when a start was asked for and
 * none was free until one is expected to be. Guarded by the account's lock; that of the limit is
 * taken within it.
 */
final class StartGate {

  private final RateLimit limit;
  private boolean isShut;
  private long nextStartAt;

  StartGate(RateLimit limit) {
    this.limit = limit;
  }

  /** Takes a start for a job that is there, or shuts until the next one will be free. */
  boolean takesStart(long now, Effects<?> effects) {
    long wait = limit.tryStart(now);
    if (wait == 0) {
      return true;
    }
    isShut = true;
    nextStartAt = Durations.deadline(now, wait);
    effects.nextStart(nextStartAt);
    return false;
  }

  /** Opens if the time has come. */
  void look(long now) {
    isShut &= nextStartAt - now > 0;
  }

  void open() {
    isShut = false;
  }

  boolean isShut() {
    return isShut;
  }

  /** When the next start is expected to be free; meaningful only while shut. */
  long nextStartAt() {
    return nextStartAt;
  }

  /** In how many nanoseconds a job behind {@code ahead} others could start, at the earliest. */
  long nanosUntilStart(int ahead, long now) {
    return limit.nanosUntilStart(ahead, now);
  }
}
