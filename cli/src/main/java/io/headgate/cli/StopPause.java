package io.headgate.cli;

import java.util.concurrent.TimeUnit;

/**
 * A pause of somebody who can wait for ever, but for a second once a signal has asked for a stop.
 */
final class StopPause implements Pause {
  private static final int LOOK_MILLIS = 100;
  private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final StopLadder ladder;
  private boolean stopping;
  private long endNanos;

  StopPause(StopLadder ladder) {
    this.ladder = ladder;
  }

  @Override
  public boolean attend() {
    if (ladder.signals() == 0) {
      return true;
    }
    if (!stopping) {
      stopping = true;
      endNanos = System.nanoTime() + LAST_NANOS;
    }
    return System.nanoTime() - endNanos < 0;
  }

  @Override
  public int millisUntilDue() {
    return LOOK_MILLIS;
  }
}
