package io.headgate.jdbc;

/**
 * What becomes of a job whose handler was entered and of whose end nothing is known: a crash caught
 * it running, or a stop had to interrupt it. What it did outside is not known either.
 */
public enum Uncertain {
  /** It waits again, for handlers that may run twice. After too many starts it is held. */
  RERUN,
  /** It is held until somebody decides. */
  HOLD,
  /** It has failed. */
  FAIL
}
