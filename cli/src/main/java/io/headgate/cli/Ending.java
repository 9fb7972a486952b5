package io.headgate.cli;

/** How the first process of a job's group ended. */
sealed interface Ending {
  /** By itself, with an exit status. */
  record Exited(int status) implements Ending {}

  /** By a signal, given by its number. */
  record Killed(int signal) implements Ending {}
}
