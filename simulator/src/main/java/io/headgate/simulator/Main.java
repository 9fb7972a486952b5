package io.headgate.simulator;

import io.headgate.simulator.Scenarios.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs all scenarios, prints what they came to, and draws it. */
public final class Main {

  private static final double[] LOADS = {0.5, 0.8, 1, 1.5, 2, 3, 5, 10};
  private static final Kind[] KINDS = {Kind.WORKER, Kind.CONTROLLED, Kind.UNBOUNDED};

  private Main() {}

  /**
   * Runs them.
   *
   * @param args the folder for the drawings, then the seed; none are drawn, and 1, unless given
   */
  public static void main(String[] args) throws IOException {
    long began = System.nanoTime();
    Scenarios scenarios = new Scenarios(args.length > 1 ? Long.parseLong(args[1]) : 1);
    System.out.println(Result.heading());
    Plot goodput = new Plot("Answers in time", "offered load / capacity", 10, "answers / s", 1_100);
    Plot wait =
        new Plot("Queue delay of started calls, p99", "offered load / capacity", 10, "ms", 200);
    for (Kind kind : KINDS) {
      List<double[]> useful = new ArrayList<>();
      List<double[]> waited = new ArrayList<>();
      for (double load : LOADS) {
        Result result = scenarios.openLoop(kind, load, ServiceTime.EXPONENTIAL, 20);
        print(result);
        useful.add(new double[] {load, result.goodput()});
        waited.add(new double[] {load, result.waitP99Nanos() / 1e6});
      }
      goodput.curve(kind.toString(), useful);
      wait.curve(kind.toString(), waited);
    }
    for (ServiceTime distribution : ServiceTime.values()) {
      print(scenarios.openLoop(Kind.WORKER, 1, distribution, 20));
      print(scenarios.openLoop(Kind.WORKER, 10, distribution, 20));
    }
    Plot slowDown = new Plot("A slow-down from 10 s to 15 s", "seconds", 60, "answers / s", 1_100);
    slowDown.curve("worker, budget", history(scenarios.slowDownRun(true)));
    slowDown.curve("unbounded, none", history(scenarios.slowDownRun(false)));
    print(scenarios.slowDown(true));
    print(scenarios.slowDown(false));
    print(scenarios.spike(true));
    print(scenarios.spike(false));
    print(scenarios.retryStorm(true));
    print(scenarios.retryStorm(false));
    print(scenarios.flood(Kind.WORKER_SHEDDING));
    print(scenarios.flood(Kind.CONTROLLED));
    print(scenarios.flood(Kind.WORKER));
    print(scenarios.flood(Kind.GUARDED));
    print(scenarios.flood(Kind.UNBOUNDED));
    print(scenarios.throttled());
    System.out.printf("all in %.1f s%n", (System.nanoTime() - began) / 1e9);

    began = System.nanoTime();
    scenarios.openLoop(Kind.WORKER, 10, ServiceTime.EXPONENTIAL, 100);
    System.out.printf("a million calls offered in %.1f s%n", (System.nanoTime() - began) / 1e9);

    if (args.length > 0) {
      Path folder = Files.createDirectories(Path.of(args[0]));
      Files.writeString(folder.resolve("goodput.svg"), goodput.svg());
      Files.writeString(folder.resolve("queue-delay.svg"), wait.svg());
      Files.writeString(folder.resolve("slow-down.svg"), slowDown.svg());
    }
  }

  private static List<double[]> history(Measures measures) {
    List<double[]> points = new ArrayList<>();
    for (int second = 0; second < 59; second++) {
      long begin = second * Scenarios.SECOND;
      points.add(new double[] {second + 0.5, measures.goodput(begin, begin + Scenarios.SECOND)});
    }
    return points;
  }

  private static void print(Result result) {
    System.out.println(result.row());
  }
}
