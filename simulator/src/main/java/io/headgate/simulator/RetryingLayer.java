package io.headgate.simulator;

import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A layer that calls the next one and tries again by a policy. With a budget it also says upwards
 * that its retries are used up, so that no layer above begins anew; without one it is the bad
 * example that multiplies.
 */
final class RetryingLayer implements Callee {
  private final Simulation simulation;
  private final RetryPolicy policy;
  private final @Nullable RetryBudget budget;
  private final long timeoutNanos;
  private final Callee next;
  private long attempts;

  /**
   * @param budget pays for retries; null retries without one
   * @param timeoutNanos how long one attempt is waited for
   */
  RetryingLayer(
      Simulation simulation,
      RetryPolicy policy,
      @Nullable RetryBudget budget,
      long timeoutNanos,
      Callee next) {
    this.simulation = simulation;
    this.policy = policy;
    this.budget = budget;
    this.timeoutNanos = timeoutNanos;
    this.next = next;
  }

  @Override
  public void call(Work work) {
    if (budget != null) {
      budget.deposit();
    }
    attempt(work, 1);
  }

  /** Attempts made to what is below. */
  long attempts() {
    return attempts;
  }

  private void attempt(Work work, int number) {
    attempts++;
    long now = simulation.nanoTime();
    long until = Math.min(now + timeoutNanos, work.deadline);
    Work below =
        new Work(
            now,
            until,
            work.criticality,
            failure -> {
              if (failure == null) {
                work.done();
              } else {
                decide(work, number, failure);
              }
            });
    simulation.at(until, () -> below.failed(Failures.TIMED_OUT));
    next.call(below);
  }

  private void decide(Work work, int number, RuntimeException failure) {
    boolean mayRetry = number < policy.attempts() && policy.retries(failure);
    long backoff = policy.drawBackoff(number, Duration.ZERO).toNanos();
    boolean isInTime = simulation.nanoTime() + backoff < work.deadline;
    if (mayRetry && isInTime && (budget == null || budget.withdraw())) {
      simulation.after(backoff, () -> attempt(work, number + 1));
    } else {
      work.failed(budget == null ? failure : Failures.USED_UP);
    }
  }
}
