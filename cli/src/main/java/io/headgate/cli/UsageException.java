package io.headgate.cli;

/** A command line that asks for what cannot be; the message is the one line to show. */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String line;

  UsageException(String line) {
    super(line, null, false, false);
    this.line = line;
  }

  /** The one line, without the name of the command. */
  public String line() {
    return line;
  }
}
