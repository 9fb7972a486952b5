package io.headgate.cli.sim;

/** A file that asks for what cannot be; the message is the one line to show. */
final class SetupException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String line;

  /**
   * Makes one.
   *
   * @param line may hold what the file holds; what would move a terminal's cursor is taken out
   */
  SetupException(String line) {
    super(line, null, false, false);
    this.line = line.replaceAll("\\p{Cntrl}", "?");
  }

  /** The one line: file and line, key, value, rule, cure. */
  String line() {
    return line;
  }
}
