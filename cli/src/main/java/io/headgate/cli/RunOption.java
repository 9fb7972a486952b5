package io.headgate.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of {@code headgate run}. One table for the parser, the help, and the manual. */
enum RunOption {
  INPUT_FILE(
      Group.INPUT,
      "FILE",
      "Reads the input from FILE; - is standard input, the default.",
      "-a",
      "--arg-file"),
  NULL(Group.INPUT, null, "Lines end with a zero byte, as find -print0 writes.", "-0", "--null"),
  DELIMITER(
      Group.INPUT,
      "C",
      "Lines end with C: one byte, or one of \\n \\t \\r \\0 \\\\ \\xHH.",
      "-d",
      "--delimiter"),
  MAX_ARGS(Group.INPUT, "N", "Lines a command gets, at most. Default: 1.", "-n", "--max-args"),
  REPLACE(Group.INPUT, "TOKEN", "TOKEN stands for the line, in the place of {}.", "-I"),
  ID(
      Group.INPUT,
      "position|line",
      "What a job's id is: the line's position and a hash of it (the default), or the line"
          + " itself; then a line like one that is not done, or was done lately, is refused.",
      "--id"),
  MAX_LINE_BYTES(
      Group.INPUT,
      "SIZE",
      "A longer line is refused. Default: 131071, the longest argument of Linux.",
      "--max-line-bytes"),
  CONCURRENCY(
      Group.BUDGET,
      "N",
      "Commands that run at once. Default: the number of processors.",
      "-j",
      "-P",
      "--concurrency",
      "--jobs",
      "--max-procs"),
  JOBS_FILE(
      Group.BUDGET,
      "FILE",
      "Reads the number of commands that run at once from FILE, again whenever it changes.",
      "--jobs-file"),
  CAPACITY(
      Group.BUDGET, "N", "Lines accepted beyond those that run. Default: as -j.", "--capacity"),
  CAPACITY_BYTES(
      Group.BUDGET, "SIZE", "Bytes of all accepted lines. Default: 64M.", "--capacity-bytes"),
  WHEN_FULL(
      Group.BUDGET,
      "POLICY",
      "What happens to a line that finds no room: wait (the default), refuse, or shed-oldest,"
          + " which gives up the line that has waited longest.",
      "--when-full"),
  TIMEOUT(Group.BUDGET, "D", "The longest run of one command. Default: no limit.", "--timeout"),
  RETRIES(
      Group.BUDGET,
      "N",
      "Runs a command that fails again, N times in all, a moment apart. Default: 1.",
      "--retries"),
  RATE(
      Group.BUDGET,
      "N/s",
      "Starts at most N commands a second, evenly; also N/m and N/h. Default: no limit.",
      "--rate"),
  DELAY(Group.BUDGET, "D", "The least time between two starts. Default: none.", "--delay"),
  HALT(
      Group.BUDGET,
      "WHEN",
      "soon,fail=N starts no more commands after N failed; now,fail=N stops the running too.",
      "--halt"),
  GRACE(Group.BUDGET, "D", "How long a stop lets accepted work run. Default: 25s.", "--grace"),
  CLEANUP(
      Group.BUDGET, "D", "How long a stop waits for cancelled commands. Default: 3s.", "--cleanup"),
  TAG(Group.OUTPUT, null, "Begins each line of output with the input and a tab.", "--tag"),
  KEEP_ORDER(Group.OUTPUT, null, "Prints output in the order of the input.", "-k", "--keep-order"),
  RESULTS(
      Group.OUTPUT,
      "DIR",
      "Keeps output and exit status of each command too, in DIR/POSITION/.",
      "--results"),
  DRY_RUN(Group.OUTPUT, null, "Prints the commands and runs none.", "--dry-run"),
  JOBLOG(Group.RECORD, "FILE", "Writes a row for every line, as its job ends.", "--joblog"),
  RESUME(
      Group.RECORD,
      null,
      "Goes on after the joblog: runs what has not completed or failed. A store does so by itself.",
      "--resume"),
  RESUME_FAILED(Group.RECORD, null, "As --resume, and runs again what failed.", "--resume-failed"),
  RETRY_FAILED(
      Group.RECORD,
      null,
      "Runs again what failed by the joblog or the store, and nothing else.",
      "--retry-failed"),
  STORE(
      Group.RECORD,
      "FILE",
      "Records progress in FILE, so that the same command goes on after any stop or crash.",
      "--store"),
  RESTART(Group.RECORD, null, "Forgets what the store has, and begins anew.", "--restart"),
  UNCERTAIN(
      Group.RECORD,
      "POLICY",
      "What becomes of lines that were started and whose end is unknown: hold (the default),"
          + " rerun, or fail.",
      "--uncertain"),
  REPORT(
      Group.RECORD, "FILE|-", "Where the report goes, as JSON; - is standard output.", "--report"),
  HISTORY(Group.RECORD, "N", "Outcomes kept for the report. Default: 100.", "--history"),
  BAR(
      Group.PROGRESS,
      null,
      "Shows a bar at once; by itself it comes after a second, on a terminal.",
      "--bar"),
  NO_BAR(Group.PROGRESS, null, "Never shows the bar.", "--no-bar"),
  PROGRESS(
      Group.PROGRESS,
      null,
      "Where there is no terminal, prints a line every 10 seconds.",
      "--progress"),
  TOTAL(
      Group.PROGRESS,
      "N",
      "The number of lines, for an estimate of the end. Known by itself for a regular file.",
      "--total");

  /** What an option is about; the headings of the help. */
  enum Group {
    INPUT("Input"),
    BUDGET("Bounds"),
    OUTPUT("Output"),
    RECORD("Record"),
    PROGRESS("Progress");

    private final String heading;

    Group(String heading) {
      this.heading = heading;
    }

    String heading() {
      return heading;
    }
  }

  private final Group group;
  private final @Nullable String label;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> names;

  RunOption(Group group, @Nullable String label, String description, String... names) {
    this.group = group;
    this.label = label;
    this.description = description;
    this.names = List.of(names);
  }

  Group group() {
    return group;
  }

  /** All its names on the command line, the short ones first. */
  List<String> names() {
    return names;
  }

  /** The name that messages use: the first long one. */
  String option() {
    for (String name : names) {
      if (name.startsWith("--")) {
        return name;
      }
    }
    return names.get(0);
  }

  /** Whether it has a value. */
  boolean takesValue() {
    return label != null;
  }

  /** What stands for its value in the help; empty for one without. */
  String label() {
    return label == null ? "" : label;
  }

  /** The values there are, where they are few; empty where anything goes. */
  List<String> choices() {
    return switch (this) {
      case ID -> List.of("position", "line");
      case WHEN_FULL -> List.of("wait", "refuse", "shed-oldest");
      case UNCERTAIN -> List.of("hold", "rerun", "fail");
      case HALT -> List.of("soon,fail=1", "now,fail=1");
      default -> List.of();
    };
  }

  String description() {
    return description;
  }
}
