package io.headgate.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks now and then for requests that wait too long, as long as there are requests: a store that
 * hangs does not come back to say so. Needs no thread of its own.
 */
final class Overdue {

  private static final int LOOKS = 4;

  private final Desk desk;
  private final long periodNanos;
  private final AtomicBoolean armed = new AtomicBoolean();

  Overdue(Desk desk, long timeoutNanos) {
    this.desk = desk;
    this.periodNanos = Math.max(1_000_000, timeoutNanos / LOOKS);
  }

  /** A request was laid there. */
  void arm() {
    if (!armed.get() && !armed.getAndSet(true)) {
      CompletableFuture.delayedExecutor(periodNanos, TimeUnit.NANOSECONDS).execute(this::look);
    }
  }

  private void look() {
    armed.set(false);
    if (desk.expireOverdue()) {
      arm();
    }
  }
}
