package io.headgate.simulator;

import java.util.random.RandomGenerator;

/**
 * What a server does its work on: how long a call takes now. A slow-down is one of what the server
 * itself calls.
 */
final class Machine {
  final int processors;
  private final Simulation simulation;
  private final ServiceTime distribution;
  private final long meanNanos;
  private final RandomGenerator random;
  private double slowness = 1;
  private long served;

  Machine(Simulation simulation, int processors, ServiceTime distribution, long meanNanos) {
    this.simulation = simulation;
    this.processors = processors;
    this.distribution = distribution;
    this.meanNanos = meanNanos;
    this.random = simulation.random();
  }

  /** Calls a second that it can serve. */
  double capacity() {
    return processors * 1e9 / meanNanos;
  }

  void slowDown(long from, long until, double times) {
    simulation.at(from, () -> slowness = times);
    simulation.at(until, () -> slowness = 1);
  }

  /** Works, and then goes on. */
  void serve(Runnable then) {
    served++;
    simulation.after((long) (meanNanos * slowness * distribution.draw(random)), then);
  }

  /** Calls worked on, of use or not. */
  long served() {
    return served;
  }
}
