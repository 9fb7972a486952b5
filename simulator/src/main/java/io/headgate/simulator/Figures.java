package io.headgate.simulator;

import io.headgate.Criticality;
import java.time.Duration;
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
    long simulated) {}
