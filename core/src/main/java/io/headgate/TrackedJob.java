package io.headgate;

import java.util.concurrent.CompletableFuture;

/** A job whose submitter wants to be told its outcome. */
final class TrackedJob<T> extends Job<T> {

  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  TrackedJob(Job<T> job) {
    super(job);
  }

  CompletableFuture<Outcome> outcome() {
    return outcome;
  }
}
