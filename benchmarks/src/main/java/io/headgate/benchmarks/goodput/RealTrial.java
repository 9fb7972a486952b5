package io.headgate.benchmarks.goodput;

import io.headgate.Criticality;
import io.headgate.retry.OverloadedException;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import io.headgate.simulator.Figures;
import io.headgate.simulator.Measures;
import io.headgate.simulator.ServiceTime;
import io.headgate.simulator.Setup;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link Setup} in real time: an open loop of clients in one thread, and a server with
 * its own threads. A call is due at its planned instant, whenever the thread comes to it.
 */
final class RealTrial {
  /** What a client makes of a refusal and of no answer, where it asks its policy. */
  private final OverloadedException refused = new OverloadedException(Duration.ZERO);

  private final Setup setup;
  private final EventLoop loop = new EventLoop();
  private final Measures measures;
  private final Server server;
  private final SplittableRandom random;
  private final RetryPolicy policy;
  private final @Nullable RetryBudget budget;
  private final long end;
  private long attempts;
  private long accepted;

  /**
   * What it came to.
   *
   * @param adds whether what clients saw taken on is what the server accounts for
   */
  record Ended(Figures figures, Server.Ledger ledger, boolean adds) {}

  private RealTrial(Setup setup) {
    this.setup = setup;
    end = setup.duration().toNanos();
    long last = end + setup.callers().deadline().toNanos();
    measures = new Measures(new LoopTicker(), setup.countedFrom(), last);
    random = new SplittableRandom(setup.seed());
    Service service = new Service(setup, loop, measures);
    server =
        setup.server().whenFull() == Setup.WhenFull.GROW
            ? new ExecutorServer(setup.server().concurrency(), service)
            : new WorkerServer(setup.server(), loop, service);
    Setup.Callers callers = setup.callers();
    policy =
        RetryPolicy.attempts(callers.attempts())
            .random(random.split())
            .backoff(callers.backoff(), callers.backoff().multipliedBy(20));
    budget =
        callers
            .retryPercent()
            .map(percent -> RetryBudget.builder().percent(percent).perSecond(0).build("twin"))
            .orElse(null);
  }

  /** Runs it; blocks until it is over, the setup's duration and the last call's deadline. */
  static Ended run(Setup setup) throws InterruptedException {
    return new RealTrial(setup).run();
  }

  private Ended run() throws InterruptedException {
    setup
        .mix()
        .forEach(
            (criticality, share) -> {
              if (share > 0) {
                planNext(criticality, 1e9 / (share * setup.perSecond()), 0);
              }
            });
    loop.runUntil(end + setup.callers().deadline().toNanos());
    Server.Ledger ledger = server.stop();
    if (setup.server().whenFull() != Setup.WhenFull.GROW) {
      // Which of them it was, a worker does not say to who has not asked for it; all count alike.
      for (long i = 0; i < ledger.unstarted(); i++) {
        measures.shed(end);
      }
    }
    return new Ended(
        Figures.of(setup, measures, attempts),
        ledger,
        ledger.addsUp() && ledger.accepted() == accepted);
  }

  private void planNext(Criticality criticality, double meanGap, long previous) {
    long at = previous + (long) (meanGap * ServiceTime.EXPONENTIAL.draw(random));
    if (at < end) {
      loop.at(
          at,
          () -> {
            planNext(criticality, meanGap, at);
            call(criticality, at);
          });
    }
  }

  private void call(Criticality criticality, long at) {
    measures.asked(criticality);
    if (budget != null) {
      budget.deposit();
    }
    long deadline = at + setup.callers().deadline().toNanos();
    attempt(criticality, at, at, deadline, 1);
  }

  private void attempt(Criticality criticality, long called, long at, long deadline, int number) {
    long until = Math.min(at + setup.callers().timeout().toNanos(), deadline);
    // What a late thread adds is no wait in the server's queue; the client's patience counts it.
    long offered = loop.now();
    Attempt attempt =
        new Attempt(
            attempts++,
            offered,
            until,
            criticality,
            answered -> {
              if (answered && loop.now() <= deadline) {
                measures.useful(criticality, called);
              } else {
                decide(criticality, called, deadline, number);
              }
            });
    if (offer(attempt)) {
      accepted++;
      loop.at(until, () -> attempt.end(false));
    } else {
      measures.refused(offered);
      attempt.end(false);
    }
  }

  private boolean offer(Attempt attempt) {
    try {
      return server.offer(attempt);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the clients", e);
    }
  }

  private void decide(Criticality criticality, long called, long deadline, int number) {
    if (number >= policy.attempts() || !policy.retries(refused)) {
      return;
    }
    long at = loop.now() + policy.drawBackoff(number, Duration.ZERO).toNanos();
    if (at < deadline && (budget == null || budget.withdraw())) {
      loop.at(at, () -> attempt(criticality, called, at, deadline, number + 1));
    }
  }

  /** The clock of the loop. */
  private final class LoopTicker implements Ticker {
    @Override
    public long nanoTime() {
      return loop.now();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      throw new IllegalStateException("the measures never wait");
    }
  }
}
