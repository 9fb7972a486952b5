package io.headgate.simulator;

import io.headgate.Criticality;
import io.headgate.limit.CriticalityFloors;
import io.headgate.limit.QueueDelayControl;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A server whose queue is long and is watched by queue-delay control: first come, first served;
 * while the queue stands, the stale is shed, the most critical goes first within its floors, and of
 * those the newest.
 */
final class ControlledServer implements Callee {
  private final Simulation simulation;
  private final Machine machine;
  private final int capacity;
  private final QueueDelayControl control;
  private final CriticalityFloors floors = CriticalityFloors.oneIn(100);
  private final Measures measures;
  private final List<Deque<Work>> queues = new ArrayList<>();
  private int queued;
  private int running;

  ControlledServer(
      Simulation simulation,
      Machine machine,
      int capacity,
      QueueDelayControl control,
      Measures measures) {
    this.simulation = simulation;
    this.machine = machine;
    this.capacity = capacity;
    this.control = control;
    this.measures = measures;
    for (int i = 0; i < Criticality.values().length; i++) {
      queues.add(new ArrayDeque<>());
    }
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // an index into this object's own list
  public void call(Work work) {
    if (queued >= capacity) {
      measures.refused(work.asked);
      work.failed(Failures.OVERLOADED);
      return;
    }
    queues.get(work.criticality.ordinal()).addLast(work);
    queued++;
    serve();
  }

  private void serve() {
    while (running < machine.processors) {
      long now = simulation.nanoTime();
      boolean isStanding = control.look(oldest(now), now);
      shedStale(now);
      if (queued == 0) {
        return;
      }
      Work work = isStanding ? next() : oldestFirst();
      queued--;
      running++;
      measures.started(work.asked);
      machine.serve(
          () -> {
            work.done();
            running--;
            serve();
          });
    }
  }

  private long oldest(long now) {
    long oldest = 0;
    for (Deque<Work> queue : queues) {
      oldest = queue.isEmpty() ? oldest : Math.max(oldest, now - queue.getFirst().asked);
    }
    return oldest;
  }

  private void shedStale(long now) {
    for (Deque<Work> queue : queues) {
      while (!queue.isEmpty() && control.isStale(now - queue.getFirst().asked)) {
        Work work = queue.removeFirst();
        queued--;
        measures.shed(work.asked);
        work.failed(Failures.OVERLOADED);
      }
    }
  }

  @SuppressWarnings("EnumOrdinal")
  private Work next() {
    int waiting = 0;
    for (int i = 0; i < queues.size(); i++) {
      waiting |= queues.get(i).isEmpty() ? 0 : 1 << i;
    }
    return queues.get(floors.next(waiting).ordinal()).removeLast();
  }

  private Work oldestFirst() {
    Deque<Work> first = queues.get(0);
    for (Deque<Work> queue : queues) {
      if (!queue.isEmpty()
          && (first.isEmpty() || queue.getFirst().asked < first.getFirst().asked)) {
        first = queue;
      }
    }
    return first.removeFirst();
  }
}
