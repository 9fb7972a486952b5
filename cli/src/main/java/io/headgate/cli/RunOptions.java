package io.headgate.cli;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code headgate run} was asked to do.
 *
 * @param input where lines come from, and what an item is
 * @param bounds what is run and kept at most, and when it stops
 * @param output what becomes of the commands' output
 * @param records what is kept of the run
 * @param progress what is shown of it meanwhile
 * @param command the words of the command; not empty
 */
record RunOptions(
    Input input,
    Bounds bounds,
    Output output,
    Records records,
    Progress progress,
    List<String> command) {

  /**
   * Where lines come from, and what an item is.
   *
   * @param file a file to read instead of standard input
   * @param delimiter the byte that ends a line
   * @param skipsEmpty whether empty lines are left out
   * @param perItem lines of an item, at most
   * @param lineToken what stands for the line in the command
   * @param idIsLine whether a job's id is its line; otherwise its position and hash
   * @param maxLineBytes the longest line that is taken
   */
  record Input(
      @Nullable String file,
      byte delimiter,
      boolean skipsEmpty,
      int perItem,
      String lineToken,
      boolean idIsLine,
      int maxLineBytes) {}

  /**
   * What is run and kept at most, and when it stops.
   *
   * @param concurrency commands that run at once
   * @param jobsFile a file that holds the concurrency, read again when it changes
   * @param capacity lines that are accepted beyond those that run
   * @param capacityBytes bytes of all accepted lines
   * @param whenFull what happens to a line that finds no room
   * @param timeout the longest run of one command, if that is limited
   * @param attempts how often a command that fails is run, in all
   * @param rate how many commands start in a time, if that is limited
   * @param halt after how many failures the run stops, and how, if it does
   * @param grace how long a stop lets accepted work run
   * @param cleanup how long a stop waits for cancelled commands
   */
  record Bounds(
      int concurrency,
      @Nullable String jobsFile,
      int capacity,
      long capacityBytes,
      FullPolicy whenFull,
      @Nullable Duration timeout,
      int attempts,
      @Nullable StartRate rate,
      @Nullable Halt halt,
      Duration grace,
      Duration cleanup) {}

  /** What happens to a line that finds no room. */
  enum FullPolicy {
    WAIT,
    REFUSE,
    SHED_OLDEST
  }

  /**
   * A bound on starts, evenly over the time.
   *
   * @param starts how many there may be
   * @param per in which time
   * @param burst how many may come at once after a pause
   */
  record StartRate(int starts, Duration per, int burst) {}

  /**
   * A stop by failures.
   *
   * @param now whether running commands are stopped too
   * @param failures how many failures it takes
   */
  record Halt(boolean now, int failures) {}

  /**
   * What becomes of the commands' output.
   *
   * @param tag whether lines begin with the input
   * @param keepOrder whether it is printed in the order of the input
   * @param results a directory for the output and status of each command, if they are kept
   * @param dryRun whether commands are only printed
   */
  record Output(boolean tag, boolean keepOrder, @Nullable String results, boolean dryRun) {}

  /**
   * What is kept of the run.
   *
   * @param joblog the file with a row for each item, if there is one
   * @param resume what of the earlier runs is run again
   * @param store the progress record, if there is one
   * @param report the file for the report, {@code -} for standard output, or none
   * @param history outcomes kept for the report
   */
  record Records(
      @Nullable String joblog,
      Resume resume,
      @Nullable Store store,
      @Nullable String report,
      int history) {}

  /**
   * A file that makes a run resumable.
   *
   * @param restart whether what it holds is forgotten
   * @param uncertain what becomes of lines whose start is known and whose end is not
   */
  record Store(String file, boolean restart, Uncertain uncertain) {}

  /** What becomes of lines whose start is known and whose end is not. */
  enum Uncertain {
    HOLD,
    RERUN,
    FAIL
  }

  /** What a record of earlier runs decides. */
  enum Resume {
    /** There must be no rows in a joblog. */
    NO,
    /** What completed or failed is skipped. */
    UNFINISHED,
    /** What completed is skipped. */
    FAILED_TOO,
    /** All is skipped but what failed. */
    FAILED_ONLY
  }

  /**
   * What is shown meanwhile.
   *
   * @param bar whether a bar is drawn on a terminal: at once, after a while, or never
   * @param lines whether lines are printed where there is no terminal
   * @param total the number of lines, or 0 if nobody said
   */
  record Progress(Bar bar, boolean lines, long total) {}

  /** When a bar is drawn on a terminal. */
  enum Bar {
    AT_ONCE,
    AFTER_A_WHILE,
    NEVER
  }
}
