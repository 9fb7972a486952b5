package io.headgate.downstream;

import java.util.Map;

/**
 * A picture of one downstream. Of one instant, but for {@code refused}, which may run ahead.
 *
 * @param name of the downstream
 * @param concurrency how many calls may be made at once now
 * @param inUse how many are; above {@code concurrency} for a while after that was lowered
 * @param waiting callers that wait for a permit
 * @param granted permits ever given
 * @param refused callers ever refused, by cause; causes that never came are absent
 * @param interrupted callers that were interrupted while they waited
 * @param returnedTwice how often a permit was given back that had been given back before
 */
public record DownstreamReport(
    String name,
    int concurrency,
    int inUse,
    int waiting,
    long granted,
    Map<Entry.Cause, Long> refused,
    long interrupted,
    long returnedTwice) {

  /** Copies the map. */
  public DownstreamReport {
    refused = Map.copyOf(refused);
  }
}
