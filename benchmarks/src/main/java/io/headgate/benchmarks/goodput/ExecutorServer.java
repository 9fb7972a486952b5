package io.headgate.benchmarks.goodput;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Known to be bad, and what many have: some threads, and a queue without a bound. */
final class ExecutorServer implements Server {
  private final ExecutorService executor;
  private final Service service;
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong interrupted = new AtomicLong();
  private long accepted;

  ExecutorServer(int threads, Service service) {
    this.service = service;
    executor = Executors.newFixedThreadPool(threads, Thread.ofVirtual().factory());
  }

  @Override
  public boolean offer(Attempt attempt) {
    accepted++;
    executor.execute(() -> work(attempt));
    return true;
  }

  private void work(Attempt attempt) {
    try {
      service.work(attempt);
      completed.incrementAndGet();
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Ledger stop() throws InterruptedException {
    int waiting = executor.shutdownNow().size();
    boolean ended = executor.awaitTermination(5, TimeUnit.SECONDS);
    if (!ended) {
      throw new IllegalStateException("the executor's threads do not end");
    }
    return new Ledger(accepted, completed.get(), waiting, interrupted.get());
  }
}
