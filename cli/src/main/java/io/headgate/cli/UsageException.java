package io.headgate.cli;

/** A command line that asks for what cannot be; the message is the one line to show. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message, null, false, false);
  }
}
