package io.headgate.cli.sim;

import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What will go wrong with the numbers of a file, whatever the runs show. */
final class Warnings {
  private static final int MANY_ATTEMPTS = 3;

  private Warnings() {}

  static List<String> of(Plan plan, List<Advice.Busy> busy) {
    List<String> warnings = new ArrayList<>();
    Setup base = plan.base();
    Setup.Server server = base.server();
    Setup.Callers callers = base.callers();
    Duration service = base.service().mean();
    double served = base.capacityPerSecond();
    List<String> above =
        busy.stream()
            .filter(row -> row.calls() > server.concurrency())
            .map(row -> row.row().load())
            .toList();
    if (!above.isEmpty()) {
      warnings.add(
          ("λ > μ at %s: more than the %s that can be served. For long that fills any queue: the"
                  + " excess is refused, or waits where nobody sees it.")
              .formatted(String.join(", ", above), Amounts.rate(served)));
    }
    base.slowDown().ifPresent(slow -> warnings.addAll(slowDown(slow, busy, served)));
    if (server.whenFull() == Setup.WhenFull.GROW) {
      warnings.add(
          "The queue has no bound: an overload makes every later call wait longer, until clients have"
              + " given up what is worked on. Give a capacity.");
    } else if (callers.timeout().compareTo(Advice.longestWait(server, service)) < 0
        && server.queueDelay().isEmpty()) {
      warnings.add(
          ("A client gives up after %s, and a call may wait %s: a full queue is mostly of calls that"
                  + " nobody waits for. Lower the capacity.")
              .formatted(
                  Amounts.time(callers.timeout()),
                  Amounts.time(Advice.longestWait(server, service))));
    }
    if (callers.timeout().compareTo(service) <= 0) {
      warnings.add(
          ("A client gives up after %s, and the mean of the service is %s: most calls are worked on"
                  + " for nobody. Raise the timeout.")
              .formatted(Amounts.time(callers.timeout()), Amounts.time(service)));
    }
    if (callers.attempts() > 1 && callers.retryPercent().isEmpty()) {
      warnings.add(
          ("Retries without a budget: where all fail, %d attempts make %d times the load. Give"
                  + " clients.retry-budget.")
              .formatted(callers.attempts(), callers.attempts()));
    }
    if (callers.attempts() > MANY_ATTEMPTS) {
      warnings.add(
          ("%d attempts in all: what has failed three times will mostly fail again, and is paid for"
                  + " by others.")
              .formatted(callers.attempts()));
    }
    server
        .queueDelay()
        .ifPresent(
            target -> {
              if (target.compareTo(service) < 0) {
                warnings.add(
                    ("The target of the queue delay, %s, is below one service time, %s: it sheds work"
                            + " that nothing is wrong with.")
                        .formatted(Amounts.time(target), Amounts.time(service)));
              }
              if (target.compareTo(callers.timeout()) >= 0) {
                warnings.add(
                    ("The target of the queue delay, %s, is not below the client's timeout, %s: clients"
                            + " give up before anything is shed.")
                        .formatted(Amounts.time(target), Amounts.time(callers.timeout())));
              }
            });
    return List.copyOf(warnings);
  }

  private static List<String> slowDown(Setup.SlowDown slow, List<Advice.Busy> busy, double served) {
    double then = served / slow.times();
    double least = busy.stream().mapToDouble(row -> row.row().setup().perSecond()).min().orElse(0);
    return least <= then
        ? List.of()
        : List.of(
            ("While it is %s times slower, %s can be served and %s come: for %s no capacity is enough,"
                    + " and most is refused.")
                .formatted(
                    Amounts.number(slow.times()),
                    Amounts.rate(then),
                    Amounts.rate(least),
                    Amounts.time(slow.lasts())));
  }
}
