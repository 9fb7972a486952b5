package io.headgate.queue;

/** A thread of a scenario; it starts at once, and what it throws fails the scenario. */
final class Side extends Thread {

  interface Action {
    void run() throws InterruptedException;
  }

  private final Action action;
  private volatile boolean interrupted;

  private Side(Action action) {
    this.action = action;
    start();
  }

  static Side doing(Action action) {
    return new Side(action);
  }

  @Override
  public void run() {
    try {
      action.run();
    } catch (InterruptedException e) {
      interrupted = true;
    }
  }

  /** Waits for its end; whether it ended by InterruptedException. */
  boolean endedByInterrupt() throws InterruptedException {
    join();
    return interrupted;
  }
}
