package io.headgate;

/**
 * How many bytes a worker itself retains at most between operations, computed from its settings for
 * a 64-bit JVM with compressed references.
 *
 * <p>It covers ids, nodes of jobs and of waiting producers, the history with its error texts, the
 * table of ids and the counters, and payloads at their weighed size where there is a byte budget.
 * Not covered: threads and their stacks, exceptions in flight, what a handler builds, payloads
 * without a byte budget, reports and futures that callers hold, and the resident size of the
 * process.
 *
 * @param bytes the bound; {@link Long#MAX_VALUE} where there is none
 * @param coversPayloads whether payloads are part of it, which needs a byte budget
 */
public record MemoryBound(long bytes, boolean coversPayloads) {

  /** Whether some setting is unbounded, so that no number can be given. */
  public boolean isInfinite() {
    return bytes == Long.MAX_VALUE;
  }

  @Override
  public String toString() {
    String payloads = coversPayloads ? ", payloads included" : ", payloads apart (no byte budget)";
    return (isInfinite() ? "unbounded" : bytes + " bytes") + payloads;
  }
}
