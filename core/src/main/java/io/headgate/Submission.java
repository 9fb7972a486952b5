package io.headgate;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CompletableFuture;

/**
 * The answer to a tracked job and, where it was accepted, the future of its outcome.
 *
 * <p>The future is completed for every end, outside the lock and after the outcome is in the
 * ledger: by the thread of the handler, or by the worker's dispatcher if no handler was entered.
 * Cancelling it retracts nothing: {@link Worker#cancel} does. For a refused job it is already
 * failed with a {@link RefusedException}.
 *
 * @param admission the answer
 * @param outcome the future outcome
 */
public record Submission(Admission admission, CompletableFuture<Outcome> outcome) {

  /** Checks for null. */
  public Submission {
    requireNonNull(admission, "admission");
    requireNonNull(outcome, "outcome");
  }
}
