package io.headgate.simulator;

import io.headgate.Criticality;
import io.headgate.limit.QueueDelayControl;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link Setup}: clients that ask, whether or not answers have come, of a server that
 * decides by the library's own code. Equal setups come to equal figures.
 */
public final class Trial {
  private static final double AS_BEFORE = 0.9;
  private static final double ANSWERS_TO_JUDGE = 400;

  private final Setup setup;
  private final Simulation simulation;
  private final Measures measures;
  private final Machine machine;
  private final long from;
  private final long end;

  private Trial(Setup setup) {
    this.setup = setup;
    end = setup.duration().toNanos();
    from = Math.min(Scenarios.SECOND, end / 10);
    simulation = new Simulation(setup.seed());
    measures = new Measures(simulation, from, last());
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
    return figures(layer == null ? measures.askedEver() : layer.attempts());
  }

  private long patienceOfOne() {
    return Math.min(setup.callers().timeout().toNanos(), setup.callers().deadline().toNanos());
  }

  private Callee server() {
    Setup.Server server = setup.server();
    if (server.whenFull() == Setup.WhenFull.GROW) {
      return new UnboundedServer(machine, measures);
    }
    if (server.queueDelay().isPresent()) {
      QueueDelayControl control = QueueDelayControl.of(server.queueDelay().get());
      return new ControlledServer(simulation, machine, server.capacity(), control, measures);
    }
    return new WorkerServer(
        simulation,
        machine,
        server.capacity(),
        server.whenFull() == Setup.WhenFull.REFUSE
            ? io.headgate.WhenFull.Kind.REFUSE
            : io.headgate.WhenFull.Kind.SHED_LEAST_CRITICAL,
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

  private Figures figures(long attempts) {
    Map<Criticality, Double> answered = new EnumMap<>(Criticality.class);
    setup
        .mix()
        .forEach(
            (criticality, share) -> {
              if (share > 0) {
                answered.put(criticality, measures.share(criticality));
              }
            });
    return new Figures(
        measures.offered(from, end),
        measures.goodput(from, end),
        wait(0.5),
        wait(0.99),
        measures.refusedShare(),
        measures.shedShare(),
        (double) attempts / Math.max(1, measures.askedEver()),
        setup.slowDown().flatMap(this::recovery),
        answered,
        attempts);
  }

  private Optional<Duration> wait(double p) {
    return measures.hasStarted()
        ? Optional.of(Duration.ofNanos(measures.waitAt(p)))
        : Optional.empty();
  }

  /** As good as before it: what was not answered even then is no matter of the slow-down. */
  private Optional<Duration> recovery(Setup.SlowDown slow) {
    long began = slow.at().toNanos();
    double before = 1;
    if (began - from >= Scenarios.SECOND) {
      before = Math.min(1, measures.goodput(from, began) / measures.offered(from, began));
    }
    long ended = began + slow.lasts().toNanos();
    // Too few answers say nothing: of 400 one in twenty is chance.
    double perTenth = Math.min(setup.perSecond(), setup.capacityPerSecond()) / 10;
    long most = Math.max(5, (end - ended) / Measures.TENTH / 8);
    long tenths = Math.clamp((long) Math.ceil(ANSWERS_TO_JUDGE / perTenth), 5, most);
    long after = measures.recovery(ended, AS_BEFORE * before, tenths * Measures.TENTH, end);
    return after == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(after));
  }
}
