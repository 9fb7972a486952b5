package io.headgate.benchmarks.goodput;

import io.headgate.Criticality;
import io.headgate.simulator.ServiceTime;
import io.headgate.simulator.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs three scenarios in real time and beside them in the simulator: overload, a slow-down with
 * clients that retry, and a flood of what matters least. {@code GoodputRuns [FILE.json [SECONDS]]};
 * SECONDS is the length of the shortest run, 5 unless given.
 */
public final class GoodputRuns {

  /** Ten threads at 20 ms: 500 calls a second, which two cores play and offer ten times. */
  private static final Duration SERVICE = Duration.ofMillis(20);

  private static final int CONCURRENCY = 10;
  private static final double PER_SECOND = 500;
  private static final Duration TARGET = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofMillis(500);
  private static final Map<Criticality, Double> ALIKE = Map.of(Criticality.CRITICAL, 1.0);

  private static final Setup.Server WORKER = server(Setup.WhenFull.REFUSE);
  private static final Setup.Server SHEDDING = server(Setup.WhenFull.SHED_LEAST_CRITICAL);
  private static final Setup.Server CONTROLLED =
      new Setup.Server(CONCURRENCY, 10_000, Setup.WhenFull.REFUSE, Optional.of(TARGET));
  private static final Setup.Server EXECUTOR = server(Setup.WhenFull.GROW);

  private final List<Pair> pairs = new ArrayList<>();
  private final List<Shape> shapes = new ArrayList<>();
  private final int seconds;

  private GoodputRuns(int seconds) {
    this.seconds = seconds;
  }

  /** Runs all, prints a table, and writes JSON where it is told to; fails if the shapes differ. */
  public static void main(String[] arguments) throws Exception {
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    GoodputRuns runs = new GoodputRuns(seconds);
    runs.run();
    System.out.println(runs.text());
    if (arguments.length > 0) {
      Files.writeString(Path.of(arguments[0]), runs.json());
    }
    if (!runs.isWell()) {
      System.exit(1);
    }
  }

  void run() throws InterruptedException {
    RealTrial.run(setup(2, ALIKE, WORKER, once(), Optional.empty(), 1));
    overload();
    slowDown();
    flood();
  }

  private void overload() throws InterruptedException {
    Pair one = pair("load 1 x", "worker", load(1, WORKER));
    Pair ten = pair("load 10 x", "worker", load(10, WORKER));
    Pair oneControlled = pair("load 1 x", "worker, queue delay", load(1, CONTROLLED));
    Pair tenControlled = pair("load 10 x", "worker, queue delay", load(10, CONTROLLED));
    Pair unbounded = pair("load 10 x", "executor, no bound", load(10, EXECUTOR));
    shapes.add(
        Shape.ofGoodput(
            "overload: goodput of the worker at 10 x, of that at 1 x, is 0.95 or more",
            ten,
            one,
            ratio -> ratio >= 0.95));
    shapes.add(
        Shape.ofGoodput(
            "overload: the same with a long queue and control of its delay",
            tenControlled,
            oneControlled,
            ratio -> ratio >= 0.95));
    shapes.add(
        Shape.of(
            "overload: half of what that starts has waited, of the target, 0.25 or less",
            tenControlled,
            figures -> millis(figures.waitP50()) / TARGET.toMillis(),
            ratio -> ratio <= 0.25));
    shapes.add(
        Shape.ofGoodput(
            "overload: goodput of an executor without a bound, of the worker's, is below 0.1",
            unbounded,
            ten,
            ratio -> ratio < 0.1));
    shapes.add(
        Shape.of(
            "overload: started calls of the worker waited, of (Q/W + 1) × S, 2 or less at p99",
            ten,
            figures -> millis(figures.waitP99()) / (6.0 * SERVICE.toMillis()),
            ratio -> ratio <= 2));
  }

  private void slowDown() throws InterruptedException {
    Setup good = slowDownSetup(WORKER, Duration.ofMillis(100), Optional.of(10));
    Setup bad = slowDownSetup(EXECUTOR, Duration.ZERO, Optional.empty());
    Pair recovers = pair("slow-down 10 x", "worker, budget", good);
    Pair collapses = pair("slow-down 10 x", "executor, none", bad);
    shapes.add(
        Shape.of(
            "slow-down: the worker is back, in seconds after it, at 2 or before",
            recovers,
            figures -> millis(figures.recovery()) / 1000,
            after -> after <= 2));
    shapes.add(
        Shape.of(
            "slow-down: the executor with retries that nobody pays for is never back",
            collapses,
            figures -> millis(figures.recovery()) / 1000,
            after -> after == Double.POSITIVE_INFINITY));
    shapes.add(
        Shape.of(
            "slow-down: calls for each call of a client, with a budget of 10 %, are 1.1 or less",
            recovers, figures -> figures.amplification(), calls -> calls <= 1.1));
    shapes.add(
        Shape.of(
            "slow-down: and without one they are 2 or more",
            collapses,
            figures -> figures.amplification(),
            calls -> calls >= 2));
  }

  private void flood() throws InterruptedException {
    Map<Criticality, Double> mix =
        Map.of(Criticality.CRITICAL, 0.5 / 10.5, Criticality.SHEDDABLE, 10 / 10.5);
    Pair shedding = pair("flood of SHEDDABLE 10 x", "worker, shedding", load(10.5, mix, SHEDDING));
    Pair controlled =
        pair("flood of SHEDDABLE 10 x", "worker, queue delay", load(10.5, mix, CONTROLLED));
    Pair unbounded =
        pair("flood of SHEDDABLE 10 x", "executor, no bound", load(10.5, mix, EXECUTOR));
    shapes.add(
        Shape.of(
            "flood: of CRITICAL calls the worker answers 0.99 or more",
            shedding,
            figures -> figures.answered().getOrDefault(Criticality.CRITICAL, 0.0),
            share -> share >= 0.99));
    shapes.add(
        Shape.of(
            "flood: and with control of the queue's delay 0.9 or more",
            controlled,
            figures -> figures.answered().getOrDefault(Criticality.CRITICAL, 0.0),
            // Threads that a busy machine holds up look like a queue that comes and goes.
            share -> share >= 0.9));
    shapes.add(
        Shape.of(
            "flood: the executor answers below 0.2 of them",
            unbounded,
            figures -> figures.answered().getOrDefault(Criticality.CRITICAL, 0.0),
            share -> share < 0.2));
  }

  private Pair pair(String scenario, String setting, Setup setup) throws InterruptedException {
    Pair pair = Pair.run(scenario, setting, setup);
    pairs.add(pair);
    return pair;
  }

  // ---- the setups ----

  private static Setup.Server server(Setup.WhenFull whenFull) {
    int capacity = whenFull == Setup.WhenFull.GROW ? 0 : 50;
    return new Setup.Server(CONCURRENCY, capacity, whenFull, Optional.empty());
  }

  private static Setup.Callers once() {
    return new Setup.Callers(TIMEOUT, TIMEOUT, 1, Duration.ZERO, Optional.empty());
  }

  private Setup load(double load, Setup.Server server) {
    return load(load, ALIKE, server);
  }

  private Setup load(double load, Map<Criticality, Double> mix, Setup.Server server) {
    return setup(load, mix, server, once(), Optional.empty(), seconds);
  }

  private Setup slowDownSetup(
      Setup.Server server, Duration backoff, Optional<Integer> retryPercent) {
    Setup.SlowDown slow =
        new Setup.SlowDown(Duration.ofSeconds(2), Duration.ofSeconds(seconds).dividedBy(3), 10);
    Setup.Callers callers =
        new Setup.Callers(TIMEOUT, Duration.ofSeconds(2), 3, backoff, retryPercent);
    return setup(0.7, ALIKE, server, callers, Optional.of(slow), seconds + 6);
  }

  private static Setup setup(
      double load,
      Map<Criticality, Double> mix,
      Setup.Server server,
      Setup.Callers callers,
      Optional<Setup.SlowDown> slowDown,
      int seconds) {
    return new Setup(
        load * PER_SECOND,
        mix,
        new Setup.Service(ServiceTime.EXPONENTIAL, SERVICE),
        server,
        callers,
        slowDown,
        1,
        Duration.ofSeconds(seconds));
  }

  private static double millis(Optional<Duration> time) {
    return time.map(t -> t.toNanos() / 1e6).orElse(Double.POSITIVE_INFINITY);
  }

  // ---- what it came to ----

  /** Whether the shapes agree and every ledger adds up. */
  boolean isWell() {
    return addsUp() && shapes.stream().allMatch(Shape::holds);
  }

  boolean addsUp() {
    return pairs.stream().allMatch(Pair::adds);
  }

  String text() {
    StringBuilder text = new StringBuilder(Pair.heading()).append('\n');
    pairs.forEach(pair -> text.append(pair.rows()).append('\n'));
    text.append("\n%-81s %9s %9s%n".formatted("holds in both", "simulated", "real"));
    shapes.forEach(shape -> text.append(shape.row()).append('\n'));
    return text.append("every ledger adds up: ").append(addsUp() ? "yes" : "NO").toString();
  }

  String json() {
    return "{\"runs\":[%s],\"shapes\":[%s],\"ledgersAddUp\":%s}\n"
        .formatted(
            String.join(",", pairs.stream().map(Pair::json).toList()),
            String.join(",", shapes.stream().map(Shape::json).toList()),
            addsUp());
  }
}
