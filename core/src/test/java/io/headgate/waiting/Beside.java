package io.headgate.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** One thread that does one thing beside the test; a watchdog around each look tells a hang. */
public final class Beside<T> {
  private static final Duration HANG = Duration.ofSeconds(30);

  private final FutureTask<T> task;
  private final Thread thread;

  private Beside(Callable<T> action) {
    task = new FutureTask<>(action);
    thread = Thread.ofPlatform().daemon().name("beside").start(task);
  }

  /** Begins {@code action} at once. */
  public static <T> Beside<T> call(Callable<T> action) {
    return new Beside<>(action);
  }

  /** What the action returned. */
  public T result() throws Exception {
    try {
      return task.get(HANG.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      AssertionError hung = new AssertionError("the thread beside hangs at");
      hung.setStackTrace(thread.getStackTrace());
      throw hung;
    }
  }

  /** What the action threw. */
  public Throwable failure() throws Exception {
    try {
      throw new AssertionError("expected a failure, but got " + result());
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  /** Interrupts the thread. */
  public void interrupt() {
    thread.interrupt();
  }

  /** Whether the action has ended. */
  public boolean isDone() {
    return task.isDone();
  }

  /** Awaits what the code under test shows, such as a count of those who wait. */
  public static void until(BooleanSupplier condition) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(HANG)
        .until(condition::getAsBoolean);
  }

  /** The seed of a random test: that of the system property, else a new one; printed. */
  public static long seed(Class<?> test) {
    Long given = Long.getLong("headgate.seed");
    long seed = given == null ? System.nanoTime() : given;
    System.out.println(test.getSimpleName() + ": -Dheadgate.seed=" + seed);
    assertThat(test).isNotNull();
    return seed;
  }
}
