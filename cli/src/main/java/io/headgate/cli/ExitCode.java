package io.headgate.cli;

/** The exit codes of {@code headgate run}; where several apply, the first of this list counts. */
final class ExitCode {
  /** Halted by a third signal, which was INT. */
  static final int HALTED_BY_INT = 130;

  /** Halted by a third signal, which was TERM or HUP. */
  static final int HALTED_BY_TERM = 143;

  /** The command line is wrong. */
  static final int USAGE = 64;

  /** The input cannot be read. */
  static final int INPUT = 66;

  /** The store cannot be used. */
  static final int STORE = 69;

  /** Output or report cannot be written. */
  static final int OUTPUT = 74;

  /** The command is there but cannot be run. */
  static final int CANNOT_RUN = 126;

  /** There is no such command. */
  static final int NOT_FOUND = 127;

  /** Some of the input, read or not, did not reach completed or failed. */
  static final int INCOMPLETE = 75;

  /** All was run, and some commands failed. */
  static final int FAILED = 1;

  /** All commands succeeded. */
  static final int OK = 0;

  /** A fault of this program. Not of the list above: it says that the list may not hold. */
  static final int INTERNAL = 70;

  private ExitCode() {}
}
