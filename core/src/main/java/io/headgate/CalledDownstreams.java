package io.headgate;

import io.headgate.downstream.Downstream;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** What a worker says that its handlers call, held against how many of them run at once. */
final class CalledDownstreams {

  private static final System.Logger LOGGER = System.getLogger(CalledDownstreams.class.getName());

  private CalledDownstreams() {}

  /** Warns of each downstream that has not calls and waiting places enough for all the jobs. */
  static void warnWhereTooMany(String worker, int concurrency, List<Downstream> downstreams) {
    for (Downstream downstream : downstreams) {
      int calls = downstream.report().concurrency();
      int waiting = downstream.maxWaiting();
      if (concurrency > (long) calls + waiting) {
        LOGGER.log(
            Level.WARNING,
            "worker "
                + worker
                + " runs "
                + concurrency
                + " jobs at once, but downstream "
                + downstream.name()
                + " takes "
                + calls
                + " calls and lets "
                + waiting
                + " wait: the others are refused in normal operation");
      }
    }
  }

  /** Says what a budget of one process is worth where several work on one store. */
  static void tellOfOtherProcesses(WorkerBuilder<?> settings) {
    List<String> budgets = new ArrayList<>();
    settings.downstreams.forEach(
        downstream ->
            budgets.add(
                "downstream %s: %d calls at once"
                    .formatted(downstream.name(), downstream.report().concurrency())));
    if (settings.startRate != null) {
      budgets.add(settings.startRate.toString());
    }
    if (!budgets.isEmpty()) {
      LOGGER.log(
          Level.INFO,
          "worker "
              + settings.name
              + " shares its store: each process has its own "
              + String.join(", ", budgets)
              + "; n of them add up to n times that");
    }
  }
}
