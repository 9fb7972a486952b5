package io.headgate.cli;

/**
 * A command that did not do its work. The class names of its kinds are the error types of the
 * report; there is no stack trace, as it would say nothing about the command.
 */
abstract sealed class CommandFailure extends Exception
    permits EndNotRecorded, ExitStatus, KilledBySignal, NotStarted {
  private static final long serialVersionUID = 1L;

  CommandFailure(String message) {
    super(message, null, false, false);
  }
}
