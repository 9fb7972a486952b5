package io.headgate.examples;

import io.headgate.Job;
import io.headgate.Report;
import io.headgate.StuckJob;
import io.headgate.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A handler that ignores its cancellation, and how the report names it. */
public final class Stuck {

  private Stuck() {}

  /** Prints the stuck job. */
  public static void main(String[] args) throws InterruptedException {
    Report report = report();
    System.out.println(report);
    for (StuckJob job : report.stuck()) {
      System.out.println(job.jobId() + " on " + job.thread() + " for " + job.age());
      job.stack().forEach(frame -> System.out.println("  " + frame));
    }
  }

  static Report report() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("deaf")
            .concurrency(1)
            .cleanup(Duration.ofMillis(50))
            .start(
                (job, context) -> {
                  entered.countDown();
                  waitDeaf(release);
                });
    worker.submit(Job.of("inv-7", "payload"));
    entered.await();
    Report report = worker.drain(Duration.ZERO);
    release.countDown();
    return report;
  }

  private static void waitDeaf(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // The fault that this program shows: the cancellation is lost here.
      }
    }
  }
}
