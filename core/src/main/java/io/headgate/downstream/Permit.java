package io.headgate.downstream;

import io.headgate.limit.ClientThrottle.Passed;
import org.jspecify.annotations.Nullable;

/**
 * The right to one call. Give it back with {@link #close()} when the call has truly ended, also one
 * that timed out: until then the dependency is still busy with it. Say before how it went, with
 * {@link #accepted()} or {@link #rejected()}; without either, the throttle and the adaptive limit
 * learn nothing from it. Thread-safe; may be closed by another thread than it was given to.
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public final class Permit implements Entry, AutoCloseable {
  private final Downstream downstream;
  private final @Nullable Passed attempt;

  private long beganNanos;

  // Written before the permit is handed out, then under the lock of the downstream.
  private boolean isHeld;
  private boolean isAnswered;

  Permit(Downstream downstream, @Nullable Passed attempt) {
    this.downstream = downstream;
    this.attempt = attempt;
  }

  @Override
  public boolean isPermitted() {
    return true;
  }

  /** The dependency took the call on, whether or not it then succeeded. */
  public void accepted() {
    if (attempt != null) {
      attempt.accepted();
    }
    downstream.sample(this, false);
  }

  /** The dependency said that it is overloaded, or said nothing in time. */
  public void rejected() {
    if (attempt != null) {
      attempt.rejected();
    }
    downstream.sample(this, true);
  }

  /** Gives the permit back. Only the first call does; later ones are counted and change nothing. */
  @Override
  public void close() {
    downstream.release(this);
    if (attempt != null) {
      attempt.close();
    }
  }

  /** What is left of it when it never reached its caller. */
  void abandon() {
    if (isHeld) {
      downstream.release(this);
    }
    if (attempt != null) {
      attempt.close();
    }
  }

  void begin() {
    isHeld = true;
  }

  void beganAt(long now) {
    beganNanos = now;
  }

  long beganNanos() {
    return beganNanos;
  }

  /** Ends the call; false if it had ended before. */
  boolean end() {
    boolean wasHeld = isHeld;
    isHeld = false;
    return wasHeld;
  }

  /** Whether this is the first answer, given while the call lasts. */
  boolean answer() {
    boolean isFirst = isHeld && !isAnswered;
    isAnswered = true;
    return isFirst;
  }
}
