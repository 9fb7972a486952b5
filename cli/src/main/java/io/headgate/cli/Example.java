package io.headgate.cli;

import java.util.List;

/**
 * A command line for the help and the manual. Each is run by a test, so none may need more than a
 * POSIX system, a file {@code files} with names of files, and a directory {@code backup}.
 *
 * @param purpose what it does, in a few words
 * @param command a line for a shell
 */
record Example(String purpose, String command) {
  static final List<Example> OF_RUN =
      List.of(
          new Example(
              "Compress logs, four at once, whatever is in their names",
              "find . -name '*.log' -print0 | headgate run -0 -j4 -- gzip {}"),
          new Example(
              "Copy each file of a list under its bare name",
              "headgate run -a files -- cp {} backup/{/}"),
          new Example(
              "Look first at what would be run",
              "headgate run -a files --dry-run -- mv {} {.}.old"),
          new Example(
              "Let a shell redirect; the line is its argument, never part of its script",
              "headgate run -a files -- sh -c 'sort \"$1\" >\"$1.sorted\"' _ {}"),
          new Example("Give a command a hundred lines", "headgate run -a files -n100 -- wc -l"),
          new Example(
              "Bound each command's time, and keep a row for each line",
              "headgate run -a files --timeout 30s --joblog log -- cksum {}"),
          new Example(
              "Go on after a stop, and try again what failed",
              "headgate run -a files --joblog log --resume-failed -- cksum {}"),
          new Example(
              "Be able to start the same command again after any stop or crash",
              "headgate run -a files --store progress.db -- cksum {}"),
          new Example(
              "Stop all at the first failure",
              "headgate run -a files --halt now,fail=1 -- test -r {}"),
          new Example(
              "Stop after the running commands when told, within ten seconds",
              "headgate run -a files --grace 10s --report report.json -- cat {}"));
}
