package io.headgate.benchmarks.refusal;

import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.testing.HandlerGate;
import java.time.Duration;

/** A worker with no room left, and one job that it will not take. */
final class FullWorker implements Refuser {

  private static final int WORKERS = 2;
  private static final int CAPACITY = 1_024;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HandlerGate<String> gate = HandlerGate.closed();
  private final Worker<String> worker;
  private final Job<String> job;

  FullWorker(String id) {
    worker =
        Worker.<String>builder("full")
            .concurrency(WORKERS)
            .capacity(CAPACITY)
            .threads(Thread.ofPlatform().daemon().factory())
            .start(gate.handler());
    for (int i = 0; i < WORKERS + CAPACITY; i++) {
      if (!worker.offer(Job.of("job-" + i, "")).isAccepted()) {
        throw new IllegalStateException("refused too early: " + worker.report());
      }
    }
    job = Job.of(id, "");
  }

  @Override
  public boolean refuses() {
    return !worker.offer(job).isAccepted();
  }

  @Override
  public void empty() throws InterruptedException {
    gate.open();
    if (worker.drain(PATIENCE).completed() != WORKERS + CAPACITY) {
      throw new IllegalStateException("a refused job was run: " + worker.report());
    }
  }
}
