package io.headgate.cli;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the run of one command. Written by the thread that runs it; others read it while
 * it runs (for the list of running jobs) and after its outcome is known.
 */
final class Execution {
  private volatile long startMillis;
  private volatile long startNanos;
  private volatile int pid;
  private long runNanos;
  private long outBytes;
  private volatile @Nullable Ending ending;

  /** The command is to be run again: what is known of the run before is forgotten. */
  void again() {
    pid = 0;
    startMillis = 0;
    runNanos = 0;
    outBytes = 0;
    ending = null;
  }

  /**
   * The command was started.
   *
   * @param millis the wall clock, for the joblog alone
   * @param nanos the monotonic clock
   */
  void started(int processId, long millis, long nanos) {
    startMillis = millis;
    startNanos = nanos;
    pid = processId;
  }

  /** The command has ended, having written so many bytes to its standard output. */
  void ended(Ending how, long nanos, long outputBytes) {
    ending = how;
    runNanos = nanos - startNanos;
    outBytes = outputBytes;
  }

  /** The process, or 0 if none was started. */
  int pid() {
    return pid;
  }

  long startMillis() {
    return startMillis;
  }

  long startNanos() {
    return startNanos;
  }

  /** How long it ran; 0 if it did not, or has not ended. */
  long runNanos() {
    return runNanos;
  }

  long outBytes() {
    return outBytes;
  }

  /** How it ended, or {@code null} if it did not run, or runs on. */
  @Nullable Ending ending() {
    return ending;
  }
}
