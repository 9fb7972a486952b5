package io.headgate.cli.store;

import org.jspecify.annotations.Nullable;

/**
 * The counters of a progress record.
 *
 * @param known lines that were started, or refused, at least once
 * @param completed of these, those that have completed
 * @param failed of these, those that have failed
 */
public record Sums(long known, long completed, long failed) {
  static final Sums NONE = new Sums(0, 0, 0);

  /** A line of {@code before}, or null for a new one, has become {@code after}. */
  Sums with(@Nullable LineState before, LineState after) {
    return new Sums(
        known + (before == null ? 1 : 0),
        completed + one(after, LineState.COMPLETED) - one(before, LineState.COMPLETED),
        failed + one(after, LineState.FAILED) - one(before, LineState.FAILED));
  }

  private static int one(@Nullable LineState state, LineState counted) {
    return state == counted ? 1 : 0;
  }
}
