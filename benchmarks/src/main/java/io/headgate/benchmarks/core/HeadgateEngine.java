package io.headgate.benchmarks.core;

import io.headgate.Job;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import java.time.Duration;

/** Duplicate window, history 100 and report on, as a worker is built. */
final class HeadgateEngine implements Engine {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Worker<Work> worker;

  HeadgateEngine(Shape shape, Body body, boolean platform) {
    WorkerBuilder<Work> builder =
        Worker.<Work>builder("bench")
            .concurrency(shape.workers())
            .capacity(shape.capacity())
            .history(HISTORY)
            .whenFull(WhenFull.waitUpTo(PATIENCE));
    if (platform) {
      builder.threads(Thread.ofPlatform().daemon().factory());
    }
    worker = builder.start((job, context) -> body.run(job.payload()));
  }

  @Override
  public void submit(Work work) throws InterruptedException {
    if (!worker.submit(Job.of(work.id(), work)).isAccepted()) {
      throw new IllegalStateException("refused: " + worker.report());
    }
  }

  @Override
  public void finish(long submitted) throws InterruptedException {
    Report report = worker.drain(PATIENCE);
    if (!report.isClean() || report.completed() != submitted) {
      throw new IllegalStateException(submitted + " submitted, but " + report);
    }
  }
}
