package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** One thread that does one thing, and a watchdog around every look at it. */
final class Actor<T> {
  private static final long WATCHDOG_SECONDS = 20;

  private final FutureTask<T> task;
  private final Thread thread;

  private Actor(Callable<T> action) {
    task = new FutureTask<>(action);
    thread = new Thread(task, "actor");
    thread.setDaemon(true);
    thread.start();
  }

  interface Action {
    void run() throws Exception;
  }

  static <T> Actor<T> getting(Callable<T> action) {
    return new Actor<>(action);
  }

  static Actor<Boolean> doing(Action action) {
    return new Actor<>(
        () -> {
          action.run();
          return true;
        });
  }

  T result() throws Exception {
    try {
      return task.get(WATCHDOG_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      AssertionError hung = new AssertionError("hangs at");
      hung.setStackTrace(thread.getStackTrace());
      throw hung;
    }
  }

  Throwable failure() throws Exception {
    try {
      T result = result();
      throw new AssertionError("expected a failure but got " + result);
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  void interrupt() {
    thread.interrupt();
  }

  boolean isDone() {
    return task.isDone();
  }

  /** For waits that the queue does not count, such as join. */
  void awaitBlocked() {
    eventually(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
    assertThat(isDone()).isFalse();
  }

  static void eventually(BooleanSupplier condition) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofSeconds(WATCHDOG_SECONDS))
        .until(condition::getAsBoolean);
  }

  static void awaitPutters(BoundedQueue<?> queue, int count) {
    eventually(() -> queue.waitingPutters() == count);
  }

  static void awaitTakers(BoundedQueue<?> queue, int count) {
    eventually(() -> queue.waitingTakers() == count);
  }
}
