package io.headgate.cli;

import java.util.Map;

/**
 * How far a run has come, counted in items.
 *
 * @param fates how many had each end
 * @param skipped how many were left out, as done by an earlier run
 * @param running how many commands run
 * @param open how many were read and have no end yet, the running included
 * @param total how many there will be in all, known or estimated; NaN where nobody can say
 */
record Counts(Map<Fate.Kind, Long> fates, long skipped, int running, int open, double total) {
  Counts {
    fates = Map.copyOf(fates);
  }

  long of(Fate.Kind kind) {
    return fates.getOrDefault(kind, 0L);
  }

  /** How many have an end that this run gave them. */
  long ended() {
    return fates.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many ran, and ended. */
  long ran() {
    return of(Fate.Kind.COMPLETED)
        + of(Fate.Kind.FAILED)
        + of(Fate.Kind.INTERRUPTED)
        + of(Fate.Kind.UNCERTAIN);
  }

  /** How many do not run yet. */
  int waiting() {
    return Math.max(0, open - running);
  }
}
