package io.headgate.cli;

/** The command could not be started. */
final class NotStarted extends CommandFailure {
  private static final long serialVersionUID = 1L;

  NotStarted(String message) {
    super(message);
  }
}
