package io.headgate.simulator;

import io.headgate.limit.OverloadGuard;
import io.headgate.limit.OverloadSignal;
import java.time.Duration;

/** A worker with an overload guard that is sampled regularly and looks at the oldest that waits. */
final class GuardedServer implements Callee {
  private static final long PERIOD = 100 * Scenarios.MILLI;

  private final Simulation simulation;
  private final WorkerServer worker;
  private final OverloadGuard guard;
  private final Measures measures;

  /**
   * @param threshold the wait of the oldest from which on work is refused
   */
  GuardedServer(Simulation simulation, WorkerServer worker, Duration threshold, Measures measures) {
    this.simulation = simulation;
    this.worker = worker;
    this.measures = measures;
    guard =
        OverloadGuard.builder()
            .signal(OverloadSignal.queueDelay(worker::oldestWaiting, threshold))
            // The wait jumps: with a step of a tenth one more class would be refused with each
            // sample.
            .step(0.5)
            .hold(Duration.ofSeconds(1))
            .ticker(simulation)
            .random(simulation.random())
            .build();
    sample();
  }

  private void sample() {
    guard.sample();
    simulation.after(PERIOD, this::sample);
  }

  @Override
  public void call(Work work) {
    if (guard.admits(work.criticality)) {
      worker.call(work);
    } else {
      measures.refused(work.asked);
      work.failed(Failures.OVERLOADED);
    }
  }
}
