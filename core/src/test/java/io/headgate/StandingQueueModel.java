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

  StandingQueueModel(QueueDelay rules, List<Accepted> waiting) {
    this.control = rules.newControl();
    this.floors = rules.newFloors();
    this.waiting = waiting;
  }

  boolean isShedding() {
    return control.isShedding();
  }

  void look(long waited, long now) {
    control.look(waited, now);
  }

  /** Whether the first is, which has waited so long. */
  boolean isStale(long waited) {
    return !waiting.isEmpty() && control.isStale(waited);
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

  void restart(long now) {
    control.restart(now);
  }

  private int levels() {
    return waiting.stream()
        .mapToInt(w -> 1 << w.job().criticality().level)
        .reduce(0, (a, b) -> a | b);
  }
}
