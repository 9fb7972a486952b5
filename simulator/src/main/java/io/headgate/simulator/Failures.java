package io.headgate.simulator;

import io.headgate.retry.OverloadedException;
import java.time.Duration;

/** The failures of a simulation, each made once: nobody looks where they come from. */
@SuppressWarnings("StaticAssignmentOfThrowable")
final class Failures {

  /** A server has no room. */
  static final OverloadedException OVERLOADED = new OverloadedException(Duration.ZERO);

  /** A layer refuses by itself what is below it. */
  static final OverloadedException THROTTLED = OverloadedException.doNotRetry("throttled here");

  /** A layer has tried as often as it may; the one above is not to begin anew. */
  static final OverloadedException USED_UP =
      OverloadedException.doNotRetry("the layer below has tried as often as it may");

  /** No answer came in time. */
  static final IllegalStateException TIMED_OUT = new IllegalStateException("no answer in time");

  /** The dependency fails. */
  static final IllegalStateException DOWN = new IllegalStateException("down");

  private Failures() {}
}
