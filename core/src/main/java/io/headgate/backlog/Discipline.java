package io.headgate.backlog;

import io.headgate.limit.QueueDelay;
import io.headgate.limit.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * Which waiting job is started next, and when, beyond what the concurrency says.
 *
 * @param startRate what a start is taken of in the same step as each claim, where there is a job: a
 *     later attempt as much as a first one; null where nothing bounds starts
 * @param queueDelay how to find and serve a queue that stands; null for first in, first out always
 * @param tellsAge whether {@link Load#oldestNanos} is asked for
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public record Discipline(
    @Nullable RateLimit startRate, @Nullable QueueDelay queueDelay, boolean tellsAge) {

  /** First in, first out, as soon as there is a slot. */
  public static final Discipline FIFO = new Discipline(null, null, false);

  /** First in, first out, with a bound on the starts. */
  public static Discipline limitedBy(RateLimit startRate) {
    return new Discipline(startRate, null, false);
  }

  /** Whether jobs start in their order as soon as there is a slot, and nobody asks for ages. */
  public boolean isFifo() {
    return startRate == null && queueDelay == null && !tellsAge;
  }
}
