package io.headgate.simulator;

import io.headgate.Criticality;
import io.headgate.WhenFull;
import io.headgate.limit.ClientThrottle;
import io.headgate.limit.QueueDelay;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runs. All servers have ten threads and a mean service time of 10 ms, so a capacity of a
 * thousand calls a second; the target of the queue delay is 50 ms.
 */
final class Scenarios {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;
  static final Duration TARGET = Duration.ofMillis(50);
  static final int PROCESSORS = 10;
  static final long SERVICE = 10 * MILLI;

  /**
   * (Q/W + 1) x service time: with fifty waiting at ten threads nobody waits much above the target.
   */
  private static final int CAPACITY = 50;

  private static final int LONG_QUEUE = 10_000;

  /** Kinds of server. */
  enum Kind {
    /** A Headgate worker: bounded, refuses when full, drops what is out of time. */
    WORKER,
    /** A Headgate worker that sheds its least critical job when it is full. */
    WORKER_SHEDDING,
    /** A Headgate worker with a long queue, under queue-delay control. */
    CONTROLLED,
    /**
     * A Headgate worker that refuses when full, with an overload guard on the wait of the oldest.
     */
    GUARDED,
    /** Known to be bad: unbounded, nothing is shed. */
    UNBOUNDED
  }

  private final long seed;

  Scenarios(long seed) {
    this.seed = seed;
  }

  /** Clients ask {@code load} times the capacity; the last get a second for their answers. */
  Result openLoop(Kind kind, double load, ServiceTime distribution, long seconds) {
    long end = seconds * SECOND;
    Run run = new Run(end + SECOND, distribution);
    Callee server = run.server(kind);
    double offered = load * run.machine.capacity();
    run.clients(Criticality.CRITICAL, 500 * MILLI, server).ask(offered, 0, end);
    run.simulation.runUntil(end + SECOND);
    return run.result(
        "open loop %s x, %s".formatted(load, distribution), kind.toString(), SECOND, end, 0, 1);
  }

  /**
   * At 70 % of the capacity, with clients that try three times, the dependency of the server is ten
   * times slower for five seconds.
   *
   * @param isGood a Headgate worker and retries with back-off, paid from a budget; or an unbounded
   *     queue and retries at once, without one
   */
  Result slowDown(boolean isGood) {
    return slowDown(isGood, new Run(60 * SECOND, ServiceTime.EXPONENTIAL));
  }

  /** {@link #slowDown}, for the history of the run. */
  Measures slowDownRun(boolean isGood) {
    Run run = new Run(60 * SECOND, ServiceTime.EXPONENTIAL);
    slowDown(isGood, run);
    return run.measures;
  }

  private static Result slowDown(boolean isGood, Run run) {
    long end = 60 * SECOND;
    long from = 10 * SECOND;
    long until = 15 * SECOND;
    run.machine.slowDown(from, until, 10);
    Callee server = run.server(isGood ? Kind.WORKER : Kind.UNBOUNDED);
    RetryingLayer layer = layer(run, isGood, 500 * MILLI, server);
    double offered = 0.7 * run.machine.capacity();
    run.clients(Criticality.CRITICAL, 2 * SECOND, layer).ask(offered, 0, end);
    run.simulation.runUntil(end);
    return run.result(
        "slow-down 10 x for 5 s",
        isGood ? "worker, budget" : "unbounded, no budget",
        until + 2 * SECOND,
        end,
        run.measures.recovery(until, 0.95, end),
        (double) layer.attempts() / Math.max(1, run.asked()));
  }

  /** For five seconds three times the capacity is asked, by clients that try three times. */
  Result spike(boolean isGood) {
    long end = 60 * SECOND;
    long from = 10 * SECOND;
    long until = 15 * SECOND;
    Run run = new Run(end, ServiceTime.EXPONENTIAL);
    Callee server = run.server(isGood ? Kind.WORKER : Kind.UNBOUNDED);
    RetryingLayer layer = layer(run, isGood, 500 * MILLI, server);
    Clients clients = run.clients(Criticality.CRITICAL, 2 * SECOND, layer);
    clients.ask(0.7 * run.machine.capacity(), 0, end);
    clients.ask(3 * run.machine.capacity(), from, until);
    run.simulation.runUntil(end);
    return run.result(
        "spike 3 x for 5 s",
        isGood ? "worker, budget" : "unbounded, no budget",
        until + 2 * SECOND,
        end,
        run.measures.recovery(until, 0.95, end),
        (double) layer.attempts() / Math.max(1, run.asked()));
  }

  /** Three layers that each try three times, above a dependency that fails all calls. */
  Result retryStorm(boolean isGood) {
    long end = 60 * SECOND;
    Run run = new Run(end, ServiceTime.CONSTANT);
    Callee dependency = work -> work.failed(Failures.DOWN);
    RetryingLayer lowest = layer(run, isGood, SECOND, dependency);
    RetryingLayer middle = layer(run, isGood, 10 * SECOND, lowest);
    RetryingLayer top = layer(run, isGood, 30 * SECOND, middle);
    run.clients(Criticality.CRITICAL, 60 * SECOND, top).ask(1_000, 0, 50 * SECOND);
    run.simulation.runUntil(end);
    return run.result(
        "retry storm 3 layers x 3 attempts",
        isGood ? "budget, one owner" : "no budget",
        0,
        end,
        0,
        (double) lowest.attempts() / run.asked());
  }

  /** CRITICAL work at half the capacity, while SHEDDABLE work is ten times the capacity. */
  Result flood(Kind kind) {
    long end = 20 * SECOND;
    Run run = new Run(end, ServiceTime.EXPONENTIAL);
    Callee server = run.server(kind);
    run.clients(Criticality.CRITICAL, 500 * MILLI, server)
        .ask(0.5 * run.machine.capacity(), 0, end - SECOND);
    run.clients(Criticality.SHEDDABLE, 500 * MILLI, server)
        .ask(10 * run.machine.capacity(), 0, end);
    run.simulation.runUntil(end);
    return run.result("flood of SHEDDABLE 10 x", kind.toString(), SECOND, end - SECOND, 0, 1);
  }

  /** Ten times the capacity, from clients that throttle themselves. */
  Result throttled() {
    long end = 300 * SECOND;
    Run run = new Run(end, ServiceTime.EXPONENTIAL);
    ThrottledLayer layer =
        new ThrottledLayer(
            ClientThrottle.builder().ticker(run.simulation).random(run.simulation.random()).build(),
            run.server(Kind.WORKER));
    run.clients(Criticality.CRITICAL, 500 * MILLI, layer).ask(10 * run.machine.capacity(), 0, end);
    run.simulation.runUntil(end);
    return run.result(
        "open loop 10 x",
        "WORKER, throttle",
        150 * SECOND,
        end,
        0,
        (double) layer.reached() / run.machine.served());
  }

  private static RetryingLayer layer(Run run, boolean isGood, long timeout, Callee next) {
    RetryPolicy policy = RetryPolicy.attempts(3).random(run.simulation.random());
    @Nullable RetryBudget budget = null;
    if (isGood) {
      budget = RetryBudget.builder().perSecond(0).ticker(run.simulation).build("clients");
    } else {
      policy = policy.backoff(Duration.ZERO, Duration.ZERO);
    }
    return new RetryingLayer(run.simulation, policy, budget, timeout, next);
  }

  /** The parts of one run. */
  private final class Run {
    final Simulation simulation = new Simulation(seed);
    final Measures measures;
    final Machine machine;

    Run(long end, ServiceTime distribution) {
      measures = new Measures(simulation, SECOND, end);
      machine = new Machine(simulation, PROCESSORS, distribution, SERVICE);
    }

    Callee server(Kind kind) {
      return switch (kind) {
        case WORKER ->
            new WorkerServer(simulation, machine, CAPACITY, WhenFull.Kind.REFUSE, null, measures);
        case WORKER_SHEDDING ->
            new WorkerServer(
                simulation, machine, CAPACITY, WhenFull.Kind.SHED_LEAST_CRITICAL, null, measures);
        case CONTROLLED ->
            new WorkerServer(
                simulation,
                machine,
                LONG_QUEUE,
                WhenFull.Kind.REFUSE,
                QueueDelay.target(TARGET),
                measures);
        case GUARDED ->
            new GuardedServer(
                simulation,
                new WorkerServer(
                    simulation, machine, CAPACITY, WhenFull.Kind.REFUSE, null, measures),
                TARGET.multipliedBy(4).dividedBy(5),
                measures);
        case UNBOUNDED -> new UnboundedServer(machine, measures);
      };
    }

    Clients clients(Criticality criticality, long patience, Callee callee) {
      return new Clients(simulation, criticality, patience, callee, measures);
    }

    long asked() {
      return measures.askedEver();
    }

    Result result(
        String scenario, String setting, long from, long end, long recovery, double amplification) {
      return new Result(
          scenario,
          setting,
          measures.offered(from, end),
          measures.goodput(from, end),
          measures.waitAt(0.5),
          measures.waitAt(0.99),
          recovery,
          amplification,
          measures.share(Criticality.CRITICAL));
    }
  }
}
