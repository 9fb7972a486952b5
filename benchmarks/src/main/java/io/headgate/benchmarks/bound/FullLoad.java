package io.headgate.benchmarks.bound;

import io.headgate.Job;
import io.headgate.JobContext;
import io.headgate.MemoryBound;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import io.headgate.benchmarks.measure.ObjectGraph;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A worker that keeps as much as its settings let it: a history of failures with the longest ids,
 * types and messages in the characters that take most of the heap, every place taken, and producers
 * that wait.
 */
final class FullLoad implements AutoCloseable {

  private static final long EVENT_NANOS = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** One of these makes a text take two bytes for every character. */
  private static final String WIDE = "\u0100";

  private static final String ASTRAL = "\uD83D\uDE00";

  private final Configuration wanted;
  private final Worker<byte[]> worker;
  private final LongNamed terminal;
  private final LongNamed retried;
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> producers = new ArrayList<>();
  private final Semaphore listening = new Semaphore(0);
  private final Semaphore events = new Semaphore(0);
  private volatile int ending;
  private volatile int returned;
  private volatile boolean full;

  FullLoad(Configuration wanted, LongNamed terminal, LongNamed retried) {
    this.wanted = wanted;
    this.terminal = terminal;
    this.retried = retried;
    WorkerBuilder<byte[]> builder =
        Worker.<byte[]>builder("bound")
            .concurrency(wanted.concurrency())
            .capacity(wanted.capacity())
            .history(wanted.history())
            .maxJobIdBytes(wanted.idBytes())
            .maxErrorMessageChars(wanted.messageChars())
            .maxWaitingProducers(wanted.producers());
    if (wanted.payload() > 0) {
      // So much that every place can be taken and no more.
      builder.capacityBytes(
          heapBytes(wanted.payload()) * wanted.unfinished(), payload -> heapBytes(payload.length));
    }
    if (wanted.retries()) {
      builder.ticker(ManualTicker.create());
      builder.retry(
          RetryPolicy.attempts(9)
              .budget(RetryBudget.builder().perSecond(1_000).saved(10_000).build("bound")));
    }
    if (wanted.listener()) {
      builder.listener(event -> takeEvent());
    }
    worker = builder.start(this::serve);
  }

  private static long heapBytes(int length) {
    return 16 + (length + 7L) / 8 * 8;
  }

  /** Called by the dispatcher: goes on to the next event only when told, or at the end. */
  private void takeEvent() {
    events.release();
    boolean interrupted = false;
    while (true) {
      try {
        listening.acquire();
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Job<byte[]> job, JobContext context) throws InterruptedException {
    if (!full) {
      if (ending >= wanted.pushing()) {
        // The submit tells of its event when it has returned.
        while (returned < ending) {
          Thread.onSpinWait();
        }
        // The ring is full, so the next event finds a place only if one is taken just before it:
        // this way the ring fills with ends of jobs alone, the largest events there are.
        listening.release();
        events.acquire();
      }
      throw terminal.with(message(job));
    }
    if (wanted.retries()) {
      throw retried.with(message(job));
    }
    end.await();
  }

  /** Longer than what is kept, and different from the first character on. */
  private String message(Job<byte[]> job) {
    return job.id() + ASTRAL.repeat(wanted.messageChars() + 1);
  }

  private Job<byte[]> job(int number) {
    String start = number + WIDE;
    // The wide character takes two bytes of UTF-8, all others one.
    String id = start + "x".repeat(wanted.idBytes() - start.length() - 1);
    return Job.of(id, new byte[wanted.payload()]);
  }

  /** Fills it up. */
  void fill() throws InterruptedException {
    for (int i = 0; i < wanted.ended(); i++) {
      if (i == wanted.pushing()) {
        worker.awaitIdle(PATIENCE);
        events.drainPermits();
      }
      ending = i;
      accept(job(i));
      returned = i;
      if ((i + 1) % wanted.unfinished() == 0 || i >= wanted.pushing()) {
        worker.awaitIdle(PATIENCE);
      }
      if (i >= wanted.pushing()) {
        // The event of an end comes a moment after the end: the next submit's must not be first.
        LockSupport.parkNanos(EVENT_NANOS);
      }
    }
    if (!worker.awaitIdle(PATIENCE)) {
      throw new IllegalStateException("not idle: " + worker.report());
    }
    full = true;
    for (int i = 0; i < wanted.unfinished(); i++) {
      accept(job(wanted.ended() + i));
    }
    if (wanted.retries()) {
      until(() -> worker.report().suspended() == wanted.unfinished());
    } else {
      until(() -> worker.report().running() == wanted.concurrency());
    }
    for (int i = 0; i < wanted.producers(); i++) {
      Job<byte[]> job = job(wanted.ended() + wanted.unfinished() + i);
      if (wanted.payload() == 0 || i < wanted.unfinished()) {
        producers.add(Thread.ofVirtual().start(() -> waitFor(job)));
      }
    }
    until(() -> worker.report().waitingProducers() == producers.size());
  }

  private void accept(Job<byte[]> job) {
    if (!worker.offer(job).isAccepted()) {
      throw new IllegalStateException("refused: " + worker.report());
    }
  }

  private void waitFor(Job<byte[]> job) {
    try {
      worker.offer(job, PATIENCE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void until(BooleanSupplier holds) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("the load was not reached in time");
      }
      Thread.sleep(1);
    }
  }

  MemoryBound bound() {
    return worker.memoryBound();
  }

  long measured() throws IllegalAccessException {
    return ObjectGraph.bytes(worker);
  }

  @Override
  public void close() {
    end.countDown();
    listening.release(Integer.MAX_VALUE / 2);
    try {
      worker.abort();
      for (Thread producer : producers) {
        producer.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
