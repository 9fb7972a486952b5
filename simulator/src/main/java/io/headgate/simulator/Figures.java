package io.headgate.simulator;

import io.headgate.Criticality;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a run of a {@link Setup} came to. Shares are parts of one. What happens in the first second
 * (or tenth, of a short run) is not counted, but for the amplification.
 *
 * @param offered calls a second that clients made
 * @param goodput calls a second that were answered before their clients had given up
 * @param waitP50 how long half of the started calls had waited at most; empty if none was started
 * @param waitP99 and all but one in a hundred
 * @param refused the share of the calls at the server that it refused
 * @param shed the share that it had taken on and gave up unstarted: stale, or for a more critical
 * @param amplification calls at the server for each call of a client
 * @param recovery how long after the slow-down nine tenths of the part of the calls that was
 *     answered before it were answered again; empty if it did not come to that, or there was no
 *     slow-down
 * @param answered for each criticality that there is, the share of its calls answered in time
 * @param simulated calls made in the whole run, retries included
 */
public record Figures(
    double offered,
    double goodput,
    Optional<Duration> waitP50,
    Optional<Duration> waitP99,
    double refused,
    double shed,
    double amplification,
    Optional<Duration> recovery,
    Map<Criticality, Double> answered,
    long simulated) {

  private static final double AS_BEFORE = 0.9;
  private static final double ANSWERS_TO_JUDGE = 400;

  /**
   * What a run came to.
   *
   * @param attempts calls at the server in the whole run
   */
  public static Figures of(Setup setup, Measures measures, long attempts) {
    long from = setup.countedFrom();
    long end = setup.duration().toNanos();
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
        wait(measures, 0.5),
        wait(measures, 0.99),
        measures.refusedShare(),
        measures.shedShare(),
        (double) attempts / Math.max(1, measures.askedEver()),
        setup.slowDown().flatMap(slow -> recovery(setup, slow, measures)),
        answered,
        attempts);
  }

  private static Optional<Duration> wait(Measures measures, double p) {
    return measures.hasStarted()
        ? Optional.of(Duration.ofNanos(measures.waitAt(p)))
        : Optional.empty();
  }

  /** As good as before it: what was not answered even then is no matter of the slow-down. */
  private static Optional<Duration> recovery(Setup setup, Setup.SlowDown slow, Measures measures) {
    long from = setup.countedFrom();
    long began = slow.at().toNanos();
    double before = 1;
    if (began - from >= Scenarios.SECOND) {
      before = Math.min(1, measures.goodput(from, began) / measures.offered(from, began));
    }
    long ended = began + slow.lasts().toNanos();
    long end = setup.duration().toNanos();
    // Too few answers say nothing: of 400 one in twenty is chance.
    double perTenth = Math.min(setup.perSecond(), setup.capacityPerSecond()) / 10;
    long most = Math.max(5, (end - ended) / Measures.TENTH / 8);
    long tenths = Math.clamp((long) Math.ceil(ANSWERS_TO_JUDGE / perTenth), 5, most);
    long after = measures.recovery(ended, AS_BEFORE * before, tenths * Measures.TENTH, end);
    return after == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(after));
  }
}
