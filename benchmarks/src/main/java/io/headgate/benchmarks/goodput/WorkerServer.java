package io.headgate.benchmarks.goodput;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import io.headgate.limit.QueueDelay;
import io.headgate.simulator.Setup;
import java.time.Duration;

/** A Headgate worker. */
final class WorkerServer implements Server {
  private final EventLoop loop;
  private final Worker<Attempt> worker;

  WorkerServer(Setup.Server bounds, EventLoop loop, Service service) {
    this.loop = loop;
    WorkerBuilder<Attempt> builder =
        Worker.<Attempt>builder("twin")
            .concurrency(bounds.concurrency())
            .capacity(bounds.capacity())
            .whenFull(
                bounds.whenFull() == Setup.WhenFull.REFUSE
                    ? WhenFull.refuse()
                    : WhenFull.shedLeastCritical())
            .history(0);
    bounds.queueDelay().map(QueueDelay::target).ifPresent(builder::queueDelay);
    worker = builder.start((job, context) -> service.work(job.payload()));
  }

  @Override
  public boolean offer(Attempt attempt) throws InterruptedException {
    Job<Attempt> job =
        Job.of(Long.toString(attempt.number), attempt)
            .criticality(attempt.criticality)
            .timeToLive(Duration.ofNanos(Math.max(0, attempt.deadline - loop.now())));
    return worker.submit(job) instanceof Admission.Accepted;
  }

  @Override
  public Ledger stop() throws InterruptedException {
    Report report = worker.abort(Duration.ofSeconds(5));
    return new Ledger(
        report.accepted(),
        report.completed(),
        report.unstarted(),
        report.failed() + report.interrupted() + report.unfinished());
  }
}
