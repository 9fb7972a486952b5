package io.headgate.simulator;

import io.headgate.limit.QueueDelay;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link Setup}: clients that ask, whether or not answers have come, of a server that
 * decides by the library's own code. Equal setups come to equal figures.
 */
public final class Trial {
  private final Setup setup;
  private final Simulation simulation;
  private final Measures measures;
  private final Machine machine;
  private final long end;

  private Trial(Setup setup) {
    this.setup = setup;
    end = setup.duration().toNanos();
    simulation = new Simulation(setup.seed());
    measures = new Measures(simulation, setup.countedFrom(), last());
    machine =
        new Machine(
            simulation,
            setup.server().concurrency(),
            setup.service().time(),
            setup.service().mean().toNanos());
  }

  /**
   * Runs it in the calling thread; takes about a microsecond for each call, and no real time else.
   */
  public static Figures run(Setup setup) {
    return new Trial(setup).run();
  }

  /** Until then the last calls have their answers, or have been given up. */
  private long last() {
    return end + setup.callers().deadline().toNanos();
  }

  private Figures run() {
    setup
        .slowDown()
        .ifPresent(
            slow -> {
              long at = slow.at().toNanos();
              machine.slowDown(at, at + slow.lasts().toNanos(), slow.times());
            });
    Callee server = server();
    @Nullable RetryingLayer layer = setup.callers().attempts() > 1 ? layer(server) : null;
    // The deadline of a call is the server's to know only where there is no layer that retries.
    long patience = layer == null ? patienceOfOne() : setup.callers().deadline().toNanos();
    Callee callee = layer == null ? server : layer;
    setup
        .mix()
        .forEach(
            (criticality, share) -> {
              if (share > 0) {
                new Clients(simulation, criticality, patience, callee, measures)
                    .ask(share * setup.perSecond(), 0, end);
              }
            });
    simulation.runUntil(last());
    long attempts = layer == null ? measures.askedEver() : layer.attempts();
    return Figures.of(setup, measures, attempts);
  }

  private long patienceOfOne() {
    return Math.min(setup.callers().timeout().toNanos(), setup.callers().deadline().toNanos());
  }

  private Callee server() {
    Setup.Server server = setup.server();
    if (server.whenFull() == Setup.WhenFull.GROW) {
      return new UnboundedServer(machine, measures);
    }
    return new WorkerServer(
        simulation,
        machine,
        server.capacity(),
        server.whenFull() == Setup.WhenFull.REFUSE
            ? io.headgate.WhenFull.Kind.REFUSE
            : io.headgate.WhenFull.Kind.SHED_LEAST_CRITICAL,
        server.queueDelay().map(QueueDelay::target).orElse(null),
        measures);
  }

  private RetryingLayer layer(Callee server) {
    Setup.Callers callers = setup.callers();
    Duration cap = callers.backoff().multipliedBy(20);
    RetryPolicy policy =
        RetryPolicy.attempts(callers.attempts())
            .random(simulation.random())
            .backoff(callers.backoff(), cap);
    @Nullable RetryBudget budget =
        callers
            .retryPercent()
            .map(
                percent ->
                    RetryBudget.builder()
                        .percent(percent)
                        .perSecond(0)
                        .ticker(simulation)
                        .build("clients"))
            .orElse(null);
    return new RetryingLayer(simulation, policy, budget, callers.timeout().toNanos(), server);
  }
}
