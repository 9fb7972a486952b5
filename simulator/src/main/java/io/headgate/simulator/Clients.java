package io.headgate.simulator;

import io.headgate.Criticality;
import java.util.random.RandomGenerator;

/**
 * Clients that ask at random instants, whether or not earlier answers have come: an open loop. Each
 * gives up after its patience.
 */
final class Clients {
  private final Simulation simulation;
  private final Criticality criticality;
  private final long patienceNanos;
  private final Callee callee;
  private final Measures measures;
  private final RandomGenerator random;

  Clients(
      Simulation simulation,
      Criticality criticality,
      long patienceNanos,
      Callee callee,
      Measures measures) {
    this.simulation = simulation;
    this.criticality = criticality;
    this.patienceNanos = patienceNanos;
    this.callee = callee;
    this.measures = measures;
    this.random = simulation.random();
  }

  /** Lets them ask so often a second, from one instant until another. */
  void ask(double perSecond, long from, long until) {
    double mean = 1e9 / perSecond;
    long first = from + (long) (mean * ServiceTime.EXPONENTIAL.draw(random));
    simulation.at(first, () -> askAndGoOn(mean, until));
  }

  private void askAndGoOn(double mean, long until) {
    long now = simulation.nanoTime();
    if (now >= until) {
      return;
    }
    measures.asked(criticality);
    callee.call(
        new Work(
            now,
            now + patienceNanos,
            criticality,
            failure -> {
              if (failure == null && simulation.nanoTime() - now <= patienceNanos) {
                measures.useful(criticality, now);
              }
            }));
    simulation.after(
        (long) (mean * ServiceTime.EXPONENTIAL.draw(random)), () -> askAndGoOn(mean, until));
  }
}
