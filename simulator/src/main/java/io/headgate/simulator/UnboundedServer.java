package io.headgate.simulator;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Known to be bad: a queue without a bound, first come, first served, and nothing is shed. It works
 * on what its callers have long given up.
 */
final class UnboundedServer implements Callee {
  private final Machine machine;
  private final Measures measures;
  private final Deque<Work> queue = new ArrayDeque<>();
  private int running;

  UnboundedServer(Machine machine, Measures measures) {
    this.machine = machine;
    this.measures = measures;
  }

  @Override
  public void call(Work work) {
    queue.addLast(work);
    serve();
  }

  private void serve() {
    while (running < machine.processors && !queue.isEmpty()) {
      Work work = queue.removeFirst();
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
}
