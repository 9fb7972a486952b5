package io.headgate.benchmarks.core;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The executor doing what a worker does: a duplicate window over unfinished and remembered jobs, a
 * ring of the latest outcomes, counters, and the outcome before the slot.
 */
final class SameWorkEngine implements Engine {

  private final ThreadPoolExecutor executor;
  private final Body body;
  private final Map<String, Boolean> window = new ConcurrentHashMap<>();
  private final LongAdder accepted = new LongAdder();
  private final ReentrantLock ledger = new ReentrantLock();
  private final String[] ring = new String[HISTORY];
  private long completed;

  SameWorkEngine(Shape shape, Body body) {
    executor = ExecutorEngine.blocking(shape.workers(), new ArrayBlockingQueue<>(shape.capacity()));
    this.body = body;
  }

  @Override
  public void submit(Work work) {
    if (window.putIfAbsent(work.id(), Boolean.TRUE) != null) {
      throw new IllegalStateException("duplicate: " + work.id());
    }
    accepted.increment();
    executor.execute(
        () -> {
          body.run(work);
          settle(work.id());
        });
  }

  private void settle(String id) {
    String evicted;
    ledger.lock();
    try {
      int slot = (int) (completed++ % HISTORY);
      evicted = ring[slot];
      ring[slot] = id;
    } finally {
      ledger.unlock();
    }
    if (evicted != null) {
      window.remove(evicted);
    }
  }

  @Override
  public void finish(long submitted) throws InterruptedException {
    ExecutorEngine.stop(executor, submitted);
    if (completed != submitted || accepted.sum() != submitted) {
      throw new IllegalStateException(completed + " of " + submitted + " completed");
    }
  }
}
