package io.headgate.backlog;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** A call made by a thread of its own, and a watchdog around every look at it. */
final class Call<T> {

  static final Duration WATCHDOG = Duration.ofSeconds(20);

  private final FutureTask<T> task;
  private final Thread thread;

  private Call(Callable<T> action) {
    task = new FutureTask<>(action);
    thread = new Thread(task, "call");
    thread.setDaemon(true);
    thread.start();
  }

  static <T> Call<T> of(Callable<T> action) {
    return new Call<>(action);
  }

  /** Returns what the call returned, or throws what it threw, as the future's cause. */
  T result() throws Exception {
    try {
      return task.get(WATCHDOG.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      AssertionError hung = new AssertionError("hangs at");
      hung.setStackTrace(thread.getStackTrace());
      throw hung;
    }
  }

  boolean isDone() {
    return task.isDone();
  }

  void interrupt() {
    thread.interrupt();
  }

  static void eventually(BooleanSupplier condition) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(WATCHDOG)
        .until(condition::getAsBoolean);
  }
}
