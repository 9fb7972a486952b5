package io.headgate.cli.sim;

import io.headgate.simulator.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to set, from the numbers alone: by Little's law and by the longest wait of a full queue. The
 * runs show whether it holds.
 *
 * @param busy for each row, calls that are worked on at once if all are: rate × service time
 * @param longestWait of an accepted call: (Q/W + 1) × service time, for capacity Q and concurrency
 *     W
 * @param acceptableWait the half of a client's timeout
 * @param concurrency to set
 * @param capacity to set at most
 * @param queueDelay the target to set, if queue-delay control is wanted
 * @param retryPercent the budget of retries to set, if there are any
 * @param warnings what will go wrong as it is
 * @param suggested the setup with all of it
 */
record Advice(
    List<Busy> busy,
    Duration longestWait,
    Duration acceptableWait,
    int concurrency,
    int capacity,
    Duration queueDelay,
    Optional<Integer> retryPercent,
    List<String> warnings,
    Setup suggested) {

  /** The part of the places that is in use when there is a reserve. */
  static final double FULL_ENOUGH = 0.8;

  private static final int USUAL_RETRY_PERCENT = 10;

  /** Little's law for one row. */
  record Busy(Plan.Row row, double calls) {}

  static Advice of(Plan plan) {
    Setup base = plan.base();
    List<Busy> busy = new ArrayList<>();
    double service = seconds(base.service().mean());
    for (Plan.Row row : plan.rows(base)) {
      busy.add(new Busy(row, row.setup().perSecond() * service));
    }
    Setup.Server now = base.server();
    // A load is a multiple of what this concurrency can serve: another would only move the mark.
    int needed =
        plan.loads().isEmpty()
            ? (int) Math.min(100_000, Math.ceil(busy.getFirst().calls() / FULL_ENOUGH))
            : 0;
    int concurrency = Math.max(now.concurrency(), needed);
    Duration acceptable = base.callers().timeout().dividedBy(2);
    int most = capacityFor(acceptable, concurrency, base.service().mean());
    boolean hasExcess = busy.stream().anyMatch(row -> row.calls() > now.concurrency());
    boolean sheds = hasExcess && base.mix().size() > 1 && now.queueDelay().isEmpty();
    boolean grows = now.whenFull() == Setup.WhenFull.GROW;
    int capacity = grows ? most : Math.min(now.capacity(), most);
    Duration target = target(base, capacity, concurrency);
    Optional<Integer> percent =
        base.callers().attempts() == 1
            ? Optional.empty()
            : Optional.of(base.callers().retryPercent().orElse(USUAL_RETRY_PERCENT));
    Setup suggested =
        base.withServer(
                new Setup.Server(
                    concurrency,
                    capacity,
                    whenFull(now.whenFull(), sheds),
                    now.queueDelay().map(given -> suits(given, base) ? given : target)))
            .withCallers(
                new Setup.Callers(
                    base.callers().timeout(),
                    base.callers().deadline(),
                    base.callers().attempts(),
                    base.callers().backoff(),
                    percent));
    return new Advice(
        List.copyOf(busy),
        longestWait(now, base.service().mean()),
        acceptable,
        concurrency,
        most,
        target,
        percent,
        Warnings.of(plan, busy),
        suggested);
  }

  private static Setup.WhenFull whenFull(Setup.WhenFull now, boolean sheds) {
    return switch (now) {
      case SHED_LEAST_CRITICAL -> now;
      case REFUSE, GROW -> sheds ? Setup.WhenFull.SHED_LEAST_CRITICAL : Setup.WhenFull.REFUSE;
    };
  }

  /** (Q/W + 1) × S: what the last of a full queue waits for, and for a place. */
  static Duration longestWait(Setup.Server server, Duration service) {
    double times = (double) server.capacity() / server.concurrency() + 1;
    return Duration.ofNanos(Math.round(times * service.toNanos()));
  }

  /** The largest Q with (Q/W + 1) × S no longer than the wait; zero if there is none. */
  static int capacityFor(Duration wait, int concurrency, Duration service) {
    double capacity = concurrency * ((double) wait.toNanos() / service.toNanos() - 1);
    return (int) Math.clamp(Math.floor(capacity + 1e-9), 0, 10_000_000);
  }

  /**
   * A tenth of the client's timeout, but not below the wait that a queue a quarter full makes: that
   * much is a burst.
   */
  private static Duration target(Setup base, int capacity, int concurrency) {
    double quarter = capacity / 4.0 / concurrency + 1;
    Duration burst = Duration.ofNanos(Math.round(quarter * base.service().mean().toNanos()));
    Duration tenth = base.callers().timeout().dividedBy(10);
    return burst.compareTo(tenth) > 0 ? burst : tenth;
  }

  private static boolean suits(Duration target, Setup base) {
    return target.compareTo(base.service().mean()) >= 0
        && target.compareTo(base.callers().timeout()) < 0;
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
