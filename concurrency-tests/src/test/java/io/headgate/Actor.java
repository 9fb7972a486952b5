package io.headgate;

/** A platform thread of a scenario: started at once, and what it throws fails the scenario. */
final class Actor {

  /** What the thread does. */
  interface Action {
    void run() throws Exception;
  }

  private final Thread thread;
  private volatile boolean interrupted;

  private Actor(Action action) {
    thread =
        new Thread(
            () -> {
              try {
                action.run();
              } catch (InterruptedException e) {
                interrupted = true;
              } catch (RuntimeException e) {
                throw e;
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    thread.start();
  }

  static Actor doing(Action action) {
    return new Actor(action);
  }

  void interrupt() {
    thread.interrupt();
  }

  /** Waits for the end; whether it came by InterruptedException. */
  boolean endedByInterrupt() throws InterruptedException {
    thread.join();
    return interrupted;
  }

  /** Waits for the end. */
  void join() throws InterruptedException {
    thread.join();
  }
}
