package io.headgate.simulator;

import io.headgate.limit.ClientThrottle;
import io.headgate.limit.ClientThrottle.Passed;

/** A layer that refuses calls itself while what it calls refuses too many. */
final class ThrottledLayer implements Callee {
  private final ClientThrottle throttle;
  private final Callee next;
  private long reached;

  ThrottledLayer(ClientThrottle throttle, Callee next) {
    this.throttle = throttle;
    this.next = next;
  }

  @Override
  public void call(Work work) {
    switch (throttle.attempt(work.criticality)) {
      case ClientThrottle.Throttled no -> work.failed(Failures.THROTTLED);
      case Passed call -> {
        reached++;
        next.call(
            new Work(
                work.asked,
                work.deadline,
                work.criticality,
                failure -> {
                  if (failure == null) {
                    call.accepted();
                    work.done();
                  } else {
                    call.rejected();
                    work.failed(failure);
                  }
                }));
      }
    }
  }

  /** Calls that went on to what is below. */
  long reached() {
    return reached;
  }
}
