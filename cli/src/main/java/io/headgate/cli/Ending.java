package io.headgate.cli;

/** How the first process of a job's group ended. */
sealed interface Ending {
  /** What a shell adds to the number of a signal for the exit status of who was killed by it. */
  int SHELL_SIGNAL_BASE = 128;

  /** By itself, with an exit status. */
  record Exited(int status) implements Ending {}

  /** By a signal, given by its number. */
  record Killed(int signal) implements Ending {}
}
