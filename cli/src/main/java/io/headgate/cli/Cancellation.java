package io.headgate.cli;

/** Tells a running command whether its job was told to stop. */
interface Cancellation {
  /** Whether it was. */
  boolean isCancelled();
}
