package io.headgate.benchmarks.core;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The executor of the JDK: blocking put by its rejection handler, no accounting at all. */
final class ExecutorEngine implements Engine {

  private static final long PATIENCE_SECONDS = 60;

  private final ThreadPoolExecutor executor;
  private final Body body;

  private ExecutorEngine(ThreadPoolExecutor executor, Body body) {
    this.executor = executor;
    this.body = body;
  }

  static ExecutorEngine array(Shape shape, Body body) {
    return new ExecutorEngine(
        blocking(shape.workers(), new ArrayBlockingQueue<>(shape.capacity())), body);
  }

  static ExecutorEngine linked(Shape shape, Body body) {
    return new ExecutorEngine(
        blocking(shape.workers(), new LinkedBlockingQueue<>(shape.capacity())), body);
  }

  @Override
  public void submit(Work work) {
    executor.execute(new Task(body, work));
  }

  @Override
  public void finish(long submitted) throws InterruptedException {
    stop(executor, submitted);
  }

  /** As small as a task that knows its job can be. */
  private record Task(Body body, Work work) implements Runnable {
    @Override
    public void run() {
      body.run(work);
    }
  }

  static ThreadPoolExecutor blocking(int workers, BlockingQueue<Runnable> queue) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            workers,
            workers,
            0,
            TimeUnit.SECONDS,
            queue,
            Thread.ofPlatform().daemon().factory(),
            (task, full) -> {
              try {
                full.getQueue().put(task);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    executor.prestartAllCoreThreads();
    return executor;
  }

  static void stop(ThreadPoolExecutor executor, long submitted) throws InterruptedException {
    executor.shutdown();
    if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the executor did not stop");
    }
    if (executor.getCompletedTaskCount() != submitted) {
      throw new IllegalStateException(
          executor.getCompletedTaskCount() + " of " + submitted + " completed");
    }
  }
}
