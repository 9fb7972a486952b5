package io.headgate.cli;

/** A signal ended the command that was not sent by this run. */
final class KilledBySignal extends CommandFailure {
  private static final long serialVersionUID = 1L;

  KilledBySignal(String message) {
    super(message);
  }
}
