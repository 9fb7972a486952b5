package io.headgate.benchmarks.core;

import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A bulkhead refuses by exception only, so a semaphore of its room in front makes it block. */
final class Resilience4jEngine implements Engine {

  private static final long PATIENCE_SECONDS = 60;

  private final ThreadPoolBulkhead bulkhead;
  private final Semaphore room;
  private final int capacity;
  private final Body body;
  private final LongAdder done = new LongAdder();

  Resilience4jEngine(Shape shape, Body body) {
    capacity = shape.capacity();
    room = new Semaphore(capacity);
    bulkhead =
        ThreadPoolBulkhead.of(
            "bench",
            ThreadPoolBulkheadConfig.custom()
                .coreThreadPoolSize(shape.workers())
                .maxThreadPoolSize(shape.workers())
                .queueCapacity(capacity)
                .build());
    this.body = body;
  }

  @Override
  public void submit(Work work) throws InterruptedException {
    room.acquire();
    bulkhead.executeRunnable(
        () -> {
          body.run(work);
          done.increment();
          room.release();
        });
  }

  @Override
  public void finish(long submitted) throws Exception {
    if (!room.tryAcquire(capacity, PATIENCE_SECONDS, TimeUnit.SECONDS) || done.sum() != submitted) {
      throw new IllegalStateException("the bulkhead ran " + done.sum() + " of " + submitted);
    }
    bulkhead.close();
  }
}
