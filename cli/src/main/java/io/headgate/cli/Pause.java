package io.headgate.cli;

/**
 * What a thread that waits to write has to attend to meanwhile: a job that is told to stop must
 * stop although nobody reads its output.
 */
interface Pause {
  /** Attends to what is due; {@code false} when the wait must end. */
  boolean attend();

  /** Whether it was told to end soon: what can be left to others is not to be waited for. */
  default boolean isHurried() {
    return false;
  }

  /** Takes note that {@link #wakeFd} was found readable. */
  default void woken() {}

  /** Milliseconds until something is due; negative when nothing is. */
  int millisUntilDue();

  /** A descriptor that becomes readable when something comes up; negative for none. */
  default int wakeFd() {
    return -1;
  }
}
