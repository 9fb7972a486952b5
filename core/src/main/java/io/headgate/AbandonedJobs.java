package io.headgate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The jobs that a stop left unstarted or interrupted, whatever the history keeps: no more than were
 * unfinished when it began. Guarded by the account's lock.
 */
final class AbandonedJobs {

  private record Abandoned(long sequence, String jobId) {}

  private final List<Abandoned> jobs = new ArrayList<>(0);

  void add(Entry<?> entry) {
    jobs.add(new Abandoned(entry.sequence, entry.job().id()));
  }

  /** Returns the ids of these and of those that still run, in admission order. */
  List<String> idsWith(List<Entry<?>> running) {
    List<Abandoned> all = new ArrayList<>(jobs);
    running.forEach(entry -> all.add(new Abandoned(entry.sequence, entry.job().id())));
    all.sort(Comparator.comparingLong(Abandoned::sequence));
    return all.stream().map(Abandoned::jobId).toList();
  }
}
