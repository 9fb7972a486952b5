package io.headgate.waiting;

/**
 * What a {@link WaitingLine} is waited for: a pure machine that decides by its state and the time.
 * Called under the lock of the line; must not block or call foreign code.
 */
public interface Turn {

  /** The answer of one who cannot go now, where nothing but an event can tell when. */
  long UNKNOWN = Long.MAX_VALUE;

  /**
   * Takes what there is to take, for the first in line.
   *
   * @return zero if it was taken; else after how many nanoseconds to look again, or {@link
   *     #UNKNOWN} if the line will be woken
   */
  long tryTake(long now);

  /**
   * How many nanoseconds somebody must wait at least who stands behind {@code ahead} others, above
   * zero; {@link #UNKNOWN} if that cannot be said.
   */
  long waitBehind(int ahead, long now);
}
