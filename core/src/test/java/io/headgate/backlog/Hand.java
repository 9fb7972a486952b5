package io.headgate.backlog;

import java.util.concurrent.atomic.AtomicInteger;

/** A claimant that only counts what it is told, and does what the test makes it do. */
final class Hand implements Claimant {

  private final Runnable onCall;
  private final AtomicInteger wakes = new AtomicInteger();
  private final AtomicInteger dismissals = new AtomicInteger();
  private final AtomicInteger cancels = new AtomicInteger();

  /**
   * @param onCall run in every call
   */
  Hand(Runnable onCall) {
    this.onCall = onCall;
  }

  @Override
  public void wake() {
    wakes.incrementAndGet();
    onCall.run();
  }

  @Override
  public void dismiss() {
    dismissals.incrementAndGet();
    onCall.run();
  }

  @Override
  public void cancelClaimed() {
    cancels.incrementAndGet();
    onCall.run();
  }

  int wakes() {
    return wakes.get();
  }

  int dismissals() {
    return dismissals.get();
  }

  int cancels() {
    return cancels.get();
  }
}
