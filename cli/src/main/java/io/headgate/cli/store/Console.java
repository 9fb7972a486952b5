package io.headgate.cli.store;

/** Where a command prints. */
public interface Console {
  /** Prints a line of the answer; {@code false} if nobody takes it, so that no more is worth it. */
  boolean print(String line);

  /** Says what is wrong, in one line. */
  void complain(String line);
}
