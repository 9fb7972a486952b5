package io.headgate.cli;

/**
 * The options of {@code headgate run}, each with a value. One table for the parser and the help.
 */
enum RunOption {
  CONCURRENCY(
      "--concurrency", "N", "Commands that run at once. Default: the number of processors."),
  CAPACITY("--capacity", "N", "Lines accepted beyond those that run. Default: as -j."),
  WHEN_FULL(
      "--when-full", "wait|refuse", "What happens to a line that finds no room. Default: wait."),
  TIMEOUT("--timeout", "D", "The longest run of one command. Default: no limit."),
  GRACE("--grace", "D", "How long a stop lets accepted work run. Default: 25s."),
  CLEANUP("--cleanup", "D", "How long a stop waits for cancelled commands. Default: 3s."),
  HISTORY("--history", "N", "Outcomes kept for the report. Default: 100."),
  REPORT("--report", "FILE|-", "Where the report goes, as JSON; - is standard output.");

  /** The short form of {@link #CONCURRENCY}, the only one that has one. */
  static final String SHORT_CONCURRENCY = "-j";

  private final String option;
  private final String label;
  private final String description;

  RunOption(String option, String label, String description) {
    this.option = option;
    this.label = label;
    this.description = description;
  }

  /** Its name on the command line. */
  String option() {
    return option;
  }

  /** What stands for its value in the help. */
  String label() {
    return label;
  }

  String description() {
    return description;
  }
}
