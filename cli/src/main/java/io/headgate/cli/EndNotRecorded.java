package io.headgate.cli;

/** The command ended well, and that could not be recorded: for the next run it is uncertain. */
final class EndNotRecorded extends CommandFailure {
  private static final long serialVersionUID = 1L;

  EndNotRecorded(String message) {
    super(message);
  }
}
