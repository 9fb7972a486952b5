package io.headgate.cli;

/** Collects what speaks against success, and decides the exit code. Safe for all threads. */
final class Verdict {
  // The first that applies is the answer; codes of one row are the same to it, the earliest counts.
  private static final int[][] ORDER = {
    {ExitCode.INPUT},
    {ExitCode.STORE},
    {ExitCode.OUTPUT},
    {ExitCode.CANNOT_RUN, ExitCode.NOT_FOUND},
    {ExitCode.INCOMPLETE},
    {ExitCode.FAILED},
    {ExitCode.OK}
  };

  private int code = ExitCode.OK;

  /** Adds a code that applies. */
  synchronized void add(int applies) {
    if (rank(applies) < rank(code)) {
      code = applies;
    }
  }

  synchronized int code() {
    return code;
  }

  private static int rank(int code) {
    for (int rank = 0; rank < ORDER.length; rank++) {
      for (int member : ORDER[rank]) {
        if (member == code) {
          return rank;
        }
      }
    }
    throw new IllegalArgumentException("no exit code of a run: " + code);
  }
}
