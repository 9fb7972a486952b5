package io.headgate.simulator;

import io.headgate.simulator.Scenarios.Kind;

/** Runs all scenarios and prints what they came to. */
public final class Main {

  private static final double[] LOADS = {0.5, 0.8, 1, 1.5, 2, 5, 10};

  private Main() {}

  /**
   * Runs them.
   *
   * @param args the seed; 1 unless given
   */
  public static void main(String[] args) {
    long began = System.nanoTime();
    Scenarios scenarios = new Scenarios(args.length > 0 ? Long.parseLong(args[0]) : 1);
    System.out.println(Result.heading());
    for (Kind kind : new Kind[] {Kind.WORKER, Kind.CONTROLLED, Kind.UNBOUNDED}) {
      for (double load : LOADS) {
        print(scenarios.openLoop(kind, load, ServiceTime.EXPONENTIAL, 20));
      }
    }
    for (ServiceTime distribution : ServiceTime.values()) {
      print(scenarios.openLoop(Kind.WORKER, 1, distribution, 20));
      print(scenarios.openLoop(Kind.WORKER, 10, distribution, 20));
    }
    print(scenarios.slowDown(true));
    print(scenarios.slowDown(false));
    print(scenarios.spike(true));
    print(scenarios.spike(false));
    print(scenarios.retryStorm(true));
    print(scenarios.retryStorm(false));
    print(scenarios.flood(Kind.WORKER_SHEDDING));
    print(scenarios.flood(Kind.CONTROLLED));
    print(scenarios.flood(Kind.UNBOUNDED));
    print(scenarios.throttled());
    System.out.printf("all in %.1f s%n", (System.nanoTime() - began) / 1e9);

    began = System.nanoTime();
    scenarios.openLoop(Kind.WORKER, 10, ServiceTime.EXPONENTIAL, 100);
    System.out.printf("a million jobs in %.1f s%n", (System.nanoTime() - began) / 1e9);
  }

  private static void print(Result result) {
    System.out.println(result.row());
  }
}
