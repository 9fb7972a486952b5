package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * One platform thread that does one thing beside the test, with a watchdog around every wait for
 * it. The watchdog only tells a hang; nothing is measured by it.
 */
final class Aside<T> {

  private final FutureTask<T> task;
  private final Thread thread;

  private Aside(Callable<T> action) {
    task = new FutureTask<>(action);
    thread = Thread.ofPlatform().daemon().name("aside").start(task);
  }

  /** Something that may throw. */
  interface Action {
    void run() throws Exception;
  }

  static <T> Aside<T> call(Callable<T> action) {
    return new Aside<>(action);
  }

  static Aside<Boolean> run(Action action) {
    return new Aside<>(
        () -> {
          action.run();
          return true;
        });
  }

  T result() throws Exception {
    try {
      return task.get(LedgerAssert.HANG.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      AssertionError hung = new AssertionError("the thread aside hangs at");
      hung.setStackTrace(thread.getStackTrace());
      throw hung;
    }
  }

  Throwable failure() throws Exception {
    try {
      throw new AssertionError("expected a failure, but got " + result());
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  boolean isDone() {
    return task.isDone();
  }

  void interrupt() {
    thread.interrupt();
  }

  /** Awaits that the thread waits for something, for waits that nothing counts. */
  void awaitParked() {
    until(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
    assertThat(isDone()).isFalse();
  }

  static void until(BooleanSupplier condition) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(LedgerAssert.HANG)
        .until(condition::getAsBoolean);
  }

  static void awaitLatch(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(LedgerAssert.HANG.toSeconds(), TimeUnit.SECONDS)).as("hang").isTrue();
  }
}
