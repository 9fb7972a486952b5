package io.headgate.benchmarks.durable;

import io.headgate.Job;
import io.headgate.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Producers that offer one job after the other, each when the one before is answered. */
final class ClosedLoop {

  static final int PRODUCERS = 64;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final byte[] PAYLOAD = new byte[100];

  private final AtomicLong ids = new AtomicLong();

  /** Offers until {@code jobs} were accepted, waiting for room. */
  void submit(Worker<byte[]> worker, long jobs) throws InterruptedException {
    long last = ids.get() + jobs;
    run(worker, number -> number <= last);
    ids.set(last);
  }

  /** Offers for a while; returns how many jobs completed in a second meanwhile. */
  double completedPerSecond(Worker<byte[]> worker, Duration length) throws InterruptedException {
    long before = worker.report().completed();
    long began = System.nanoTime();
    run(worker, number -> System.nanoTime() - began < length.toNanos());
    double seconds = (System.nanoTime() - began) / 1e9;
    return (worker.report().completed() - before) / seconds;
  }

  private interface More {
    boolean wanted(long number);
  }

  private void run(Worker<byte[]> worker, More more) throws InterruptedException {
    List<Thread> producers = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      producers.add(Thread.ofVirtual().start(() -> produce(worker, more)));
    }
    for (Thread producer : producers) {
      producer.join();
    }
  }

  private void produce(Worker<byte[]> worker, More more) {
    try {
      long number = ids.incrementAndGet();
      while (more.wanted(number)) {
        Job<byte[]> job = Job.of("job-" + (1_000_000_000 + number), PAYLOAD);
        if (!worker.offer(job, PATIENCE).isAccepted()) {
          throw new IllegalStateException("refused: " + job.id());
        }
        number = ids.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
