package io.headgate.cli;

/** The command ended with an exit status other than zero. */
final class ExitStatus extends CommandFailure {
  private static final long serialVersionUID = 1L;

  ExitStatus(String message) {
    super(message);
  }
}
