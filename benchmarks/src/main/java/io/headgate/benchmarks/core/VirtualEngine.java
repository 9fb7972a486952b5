package io.headgate.benchmarks.core;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** A virtual thread for each job; the room bounds how many there are, a semaphore how many run. */
final class VirtualEngine implements Engine {

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore room;
  private final Semaphore running;
  private final int permits;
  private final Body body;

  VirtualEngine(Shape shape, Body body) {
    permits = shape.workers() + shape.capacity();
    room = new Semaphore(permits);
    running = new Semaphore(shape.workers());
    this.body = body;
  }

  @Override
  public void submit(Work work) throws InterruptedException {
    room.acquire();
    executor.execute(
        () -> {
          running.acquireUninterruptibly();
          try {
            body.run(work);
            // Only a job that ran gives its place back, so a lost one shows at the end.
            room.release();
          } finally {
            running.release();
          }
        });
  }

  @Override
  public void finish(long submitted) {
    executor.close();
    if (room.availablePermits() != permits) {
      throw new IllegalStateException(
          (permits - room.availablePermits()) + " of " + submitted + " jobs did not run");
    }
  }
}
