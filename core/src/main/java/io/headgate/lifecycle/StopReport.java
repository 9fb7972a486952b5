package io.headgate.lifecycle;

import io.headgate.Report;
import java.util.List;

/**
 * What came of a stop of all workers of a process. Immutable. A worker that had been stopped before
 * counts with the report of that stop.
 *
 * @param workers the final report of each worker, in the order in which they were added
 */
public record StopReport(List<Report> workers) {

  /**
   * The exit status of a process whose stop abandoned something: try again, the work is not done.
   */
  public static final int ABANDONED = 75;

  /** Copies the list. */
  public StopReport {
    workers = List.copyOf(workers);
  }

  /**
   * Whether this stop abandoned nothing and left nothing stuck, in any worker. What failed or was
   * shed before the stop does not count against it.
   */
  public boolean isClean() {
    return workers.stream().allMatch(Report::isClean);
  }

  /**
   * Whether a handler ignored its cancellation and still runs. A process should then end by {@link
   * Runtime#halt}: a shutdown hook may wait for what that handler holds.
   */
  public boolean isStuck() {
    return workers.stream().anyMatch(report -> !report.stuck().isEmpty());
  }

  /** The exit status that tells the truth: 0 if the stop was clean, else {@value #ABANDONED}. */
  public int exitCode() {
    return isClean() ? 0 : ABANDONED;
  }
}
