package io.headgate;

import io.headgate.limit.CriticalityFloors;
import io.headgate.limit.QueueDelay;
import io.headgate.limit.QueueDelayControl;
import java.util.List;

/**
 * Whom a queue under control of its delay starts and sheds, on the plain list of those who wait.
 */
final class StandingQueueModel {

  private final QueueDelayControl control;
  private final CriticalityFloors floors;
  private final List<Accepted> waiting;
  private long resumedAt;
  private boolean everPaused;

  StandingQueueModel(QueueDelay rules, List<Accepted> waiting) {
    this.control = rules.newControl();
    this.floors = rules.newFloors();
    this.waiting = waiting;
  }

  boolean isShedding() {
    return control.isShedding();
  }

  void look(long now) {
    control.look(waited(now), now);
  }

  /** Whether the first is. */
  boolean isStale(long now) {
    return !waiting.isEmpty() && control.isStale(waited(now));
  }

  private long waited(long now) {
    long oldest = waiting.isEmpty() ? 0 : now - waiting.getFirst().since();
    return everPaused ? Math.min(oldest, now - resumedAt) : oldest;
  }

  /** The first, or while the queue stands the last of the class whose turn it is. */
  Accepted next() {
    if (!isShedding()) {
      return waiting.getFirst();
    }
    Criticality chosen = floors.choose(levels());
    return waiting.stream()
        .filter(w -> w.job().criticality() == chosen)
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  /** One that still waits is started. */
  void starts(Accepted job) {
    if (isShedding()) {
      floors.served(job.job().criticality(), levels());
    }
  }

  void resumes(long now) {
    everPaused = true;
    resumedAt = now;
    control.restart(now);
  }

  private int levels() {
    return waiting.stream()
        .mapToInt(w -> 1 << w.job().criticality().level)
        .reduce(0, (a, b) -> a | b);
  }
}
