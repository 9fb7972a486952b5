package io.headgate.cli;

import io.headgate.Worker;

/**
 * Holds back the claims of a worker, for a while or, once the run halts, for good. Safe for all
 * threads.
 */
final class ClaimGate implements Order.Claims {
  private final Worker<?> worker;
  private boolean halted;

  ClaimGate(Worker<?> worker) {
    this.worker = worker;
  }

  @Override
  public synchronized void pause() {
    worker.pause();
  }

  @Override
  public synchronized void resume() {
    if (!halted) {
      worker.resume();
    }
  }

  /** Nothing is claimed from now on, unless a stop lets the waiting go on. */
  synchronized void halt() {
    halted = true;
    worker.pause();
  }
}
