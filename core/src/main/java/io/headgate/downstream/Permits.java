package io.headgate.downstream;

import io.headgate.limit.RateLimit;
import io.headgate.waiting.Turn;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one downstream. Pure: state and time in, decision out; the lock of the downstream
 * guards it.
 */
final class Permits implements Turn {
  /*
   *   inUse = granted - returned, and a permit is granted only while inUse < concurrency
   *
   * Lowering the concurrency takes nothing back: inUse may be above it until calls end.
   */
  private final @Nullable RateLimit rate;
  private int concurrency;
  private int inUse;
  private long granted;
  private long returnedTwice;

  Permits(int concurrency, @Nullable RateLimit rate) {
    this.concurrency = concurrency;
    this.rate = rate;
  }

  @Override
  public long tryTake(long now) {
    if (inUse >= concurrency) {
      return UNKNOWN;
    }
    // The rate last: a start that is taken must be used.
    long wait = rate == null ? 0 : rate.tryStart(now);
    if (wait == 0) {
      inUse++;
      granted++;
    }
    return wait;
  }

  @Override
  public long waitBehind(int ahead, long now) {
    long wait = rate == null ? 0 : rate.nanosUntilStart(ahead, now);
    return wait == 0 ? UNKNOWN : wait;
  }

  void giveBack(Permit permit) {
    if (permit.end()) {
      inUse--;
    } else {
      returnedTwice++;
    }
  }

  void concurrency(int concurrency) {
    this.concurrency = concurrency;
  }

  int concurrency() {
    return concurrency;
  }

  int inUse() {
    return inUse;
  }

  long granted() {
    return granted;
  }

  long returnedTwice() {
    return returnedTwice;
  }
}
