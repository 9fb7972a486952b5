package io.headgate.jdbc;

import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/** A store that fails at its commits, or hangs there, while a test says so. */
final class Outage implements Signals {

  private static final int IOERR = 10;

  private volatile boolean down;
  private volatile boolean sparing;
  private volatile boolean hanging;
  private volatile boolean held;

  void begin() {
    down = true;
  }

  /** As {@link #begin}, but the commit that hangs now succeeds. */
  void beginAfterTheHeld() {
    sparing = true;
    begin();
  }

  void end() {
    down = false;
    sparing = false;
  }

  /** Lets commits hang until {@link #letGo}. */
  void hang() {
    hanging = true;
  }

  void letGo() {
    hanging = false;
  }

  /** Whether a commit hangs now. */
  boolean isHeld() {
    return held;
  }

  @Override
  public void reached(Point point) {
    if (point == Point.COMMIT) {
      boolean wasHeld = passGate();
      if (down && !(sparing && wasHeld)) {
        throw unchecked(new SQLException("the disk is away", null, IOERR));
      }
    }
  }

  private boolean passGate() {
    boolean wasHeld = hanging;
    while (hanging) {
      held = true;
      LockSupport.parkNanos(this, 1_000_000);
    }
    held = false;
    return wasHeld;
  }

  /** The statements of a store throw this checked; the signal stands for one of them. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> RuntimeException unchecked(SQLException failure) throws X {
    throw (X) failure;
  }
}
