package io.headgate.benchmarks;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import io.github.resilience4j.bulkhead.ThreadPoolBulkhead;
import io.github.resilience4j.bulkhead.ThreadPoolBulkheadConfig;
import io.headgate.Job;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** The engines under comparison. */
final class Engines {

  private static final long PATIENCE_SECONDS = 60;

  private Engines() {}

  static Engine named(String name) {
    return switch (name) {
      case "headgate" -> headgate(true);
      case "headgateVirtual" -> headgate(false);
      case "tpeBare" -> new BareExecutor();
      case "tpeSameWork" -> new SameWorkExecutor();
      case "resilience4j" -> new Resilience4j();
      case "disruptor" -> new DisruptorEngine();
      case "virtualSemaphore" -> new VirtualSemaphore();
      default -> throw new IllegalArgumentException("no engine is named " + name);
    };
  }

  /** Duplicate window, history 100 and report on, as a worker is built. */
  private static Engine headgate(boolean platform) {
    WorkerBuilder<String> builder =
        Worker.<String>builder("bench")
            .concurrency(Engine.WORKERS)
            .capacity(Engine.CAPACITY)
            .history(Engine.HISTORY)
            .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(PATIENCE_SECONDS)));
    if (platform) {
      builder.threads(Thread.ofPlatform().daemon().factory());
    }
    Worker<String> worker = builder.start((job, context) -> {});
    return new Engine() {
      @Override
      public void submit(String id) throws InterruptedException {
        if (!worker.submit(Job.of(id, id)).isAccepted()) {
          throw new IllegalStateException("refused: " + worker.report());
        }
      }

      @Override
      public void finish() throws InterruptedException {
        Report report = worker.drain(Duration.ofSeconds(PATIENCE_SECONDS));
        if (!report.isClean() || report.completed() != report.accepted()) {
          throw new IllegalStateException(report.toString());
        }
      }
    };
  }

  /** The executor of the JDK: blocking put by its rejection handler, no accounting at all. */
  private static final class BareExecutor implements Engine {
    private final ThreadPoolExecutor executor = blockingExecutor();

    @Override
    public void submit(String id) {
      executor.execute(new Task(id));
    }

    @Override
    public void finish() throws Exception {
      stop(executor);
    }

    /** As small as a task that knows its id can be. */
    private record Task(String id) implements Runnable {
      @Override
      public void run() {}
    }
  }

  /**
   * The executor doing what a worker does: a duplicate window over unfinished and remembered jobs,
   * a ring of the latest outcomes, counters, and the outcome before the slot.
   */
  private static final class SameWorkExecutor implements Engine {
    private final ThreadPoolExecutor executor = blockingExecutor();
    private final Map<String, Boolean> window = new ConcurrentHashMap<>();
    private final LongAdder accepted = new LongAdder();
    private final ReentrantLock ledger = new ReentrantLock();
    private final String[] ring = new String[HISTORY];
    private long completed;

    @Override
    public void submit(String id) {
      if (window.putIfAbsent(id, Boolean.TRUE) != null) {
        throw new IllegalStateException("duplicate: " + id);
      }
      accepted.increment();
      executor.execute(() -> settle(id));
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
    public void finish() throws Exception {
      stop(executor);
      if (completed != accepted.sum()) {
        throw new IllegalStateException(completed + " of " + accepted.sum() + " completed");
      }
    }
  }

  private static ThreadPoolExecutor blockingExecutor() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            Engine.WORKERS,
            Engine.WORKERS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(Engine.CAPACITY),
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

  private static void stop(ExecutorService executor) throws InterruptedException {
    executor.shutdown();
    if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the executor did not stop");
    }
  }

  /** A bulkhead refuses by exception only, so a semaphore of its room in front makes it block. */
  private static final class Resilience4j implements Engine {
    private final ThreadPoolBulkhead bulkhead =
        ThreadPoolBulkhead.of(
            "bench",
            ThreadPoolBulkheadConfig.custom()
                .coreThreadPoolSize(WORKERS)
                .maxThreadPoolSize(WORKERS)
                .queueCapacity(CAPACITY)
                .build());
    private final Semaphore room = new Semaphore(CAPACITY);

    @Override
    public void submit(String id) throws InterruptedException {
      room.acquire();
      bulkhead.executeRunnable(
          () -> {
            if (id.isEmpty()) {
              throw new IllegalStateException("no id");
            }
            room.release();
          });
    }

    @Override
    public void finish() throws Exception {
      if (!room.tryAcquire(CAPACITY, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the bulkhead did not finish its work");
      }
      bulkhead.close();
    }
  }

  /** Two consumers that share the ring by sequence, with the blocking wait. No accounting. */
  private static final class DisruptorEngine implements Engine {
    private static final class Cell {
      private String id = "";
    }

    private final Disruptor<Cell> disruptor =
        new Disruptor<>(
            Cell::new,
            CAPACITY,
            Thread.ofPlatform().daemon().factory(),
            ProducerType.MULTI,
            new BlockingWaitStrategy());
    private final RingBuffer<Cell> ring;
    private final LongAdder handled = new LongAdder();

    DisruptorEngine() {
      disruptor.handleEventsWith(
          (cell, sequence, endOfBatch) -> take(cell, sequence, 0),
          (cell, sequence, endOfBatch) -> take(cell, sequence, 1));
      ring = disruptor.start();
    }

    private void take(Cell cell, long sequence, int parity) {
      if ((sequence & 1) == parity && !cell.id.isEmpty()) {
        handled.increment();
      }
    }

    @Override
    public void submit(String id) {
      long sequence = ring.next();
      try {
        ring.get(sequence).id = id;
      } finally {
        ring.publish(sequence);
      }
    }

    @Override
    public void finish() throws Exception {
      disruptor.shutdown(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (handled.sum() != ring.getCursor() + 1) {
        throw new IllegalStateException(handled.sum() + " of " + (ring.getCursor() + 1));
      }
    }
  }

  /**
   * A virtual thread for each job; the room bounds how many there are, a semaphore how many run.
   */
  private static final class VirtualSemaphore implements Engine {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(WORKERS + CAPACITY);
    private final Semaphore running = new Semaphore(WORKERS);

    @Override
    public void submit(String id) throws InterruptedException {
      room.acquire();
      executor.execute(
          () -> {
            running.acquireUninterruptibly();
            try {
              if (id.isEmpty()) {
                throw new IllegalStateException("no id");
              }
            } finally {
              running.release();
              room.release();
            }
          });
    }

    @Override
    public void finish() {
      executor.close();
    }
  }
}
