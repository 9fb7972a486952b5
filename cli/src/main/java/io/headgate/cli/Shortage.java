package io.headgate.cli;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What a start meets when this process, its user or the system has reached a limit: of open files,
 * of processes, of memory. It is no fault of the line, so the start is tried again while other
 * commands run, whose ends make room. Safe for all threads.
 */
final class Shortage {
  /** This process has as many open files as it may have. */
  static final int EMFILE = 24;

  private static final int ENOMEM = 12;
  private static final int ENFILE = 23;

  private static final long RETRY_MILLIS = 20;
  // So long it may last though no command of ours runs, whose end could make room.
  private static final long ALONE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final BooleanSupplier noneRuns;
  private final Consumer<String> complaint;
  private boolean told;

  /**
   * @param noneRuns whether no command runs
   * @param complaint told once
   */
  Shortage(BooleanSupplier noneRuns, Consumer<String> complaint) {
    this.noneRuns = noneRuns;
    this.complaint = complaint;
  }

  /** Whether an error is one of these. */
  static boolean isOne(int errno) {
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == Posix.EAGAIN;
  }

  /** One start that is tried again and again. */
  final class Wait {
    private long aloneSince;
    private boolean alone;

    /**
     * Waits for a moment.
     *
     * @return whether to try again; {@code false} when nothing that runs could make room
     * @throws InterruptedException if the job is told to stop
     */
    boolean after(int errno) throws InterruptedException {
      tell(errno);
      long now = System.nanoTime();
      if (!noneRuns.getAsBoolean()) {
        alone = false;
      } else if (!alone) {
        alone = true;
        aloneSince = now;
      } else if (now - aloneSince > ALONE_NANOS) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      return true;
    }
  }

  private void tell(int errno) {
    synchronized (this) {
      if (told) {
        return;
      }
      told = true;
    }
    complaint.accept(
        "not all of -j can run: "
            + Errno.text(errno)
            + "; lines wait until others have ended; lower -j, or raise the limit (ulimit -n, -u)");
  }
}
