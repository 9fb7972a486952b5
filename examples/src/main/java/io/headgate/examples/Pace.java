package io.headgate.examples;

import io.headgate.Job;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.testing.ManualTicker;
import java.time.Duration;

/** A limit on concurrency limits no rate: the clock stands still, and all jobs are done. */
public final class Pace {

  private Pace() {}

  /** Prints how many jobs were done in no time, ten at once. */
  public static void main(String[] args) throws InterruptedException {
    System.out.println(completedWhileTheClockStands(1_000));
  }

  static long completedWhileTheClockStands(int jobs) throws InterruptedException {
    ManualTicker clock = ManualTicker.create();
    try (Worker<String> worker =
        Worker.<String>builder("calls")
            .concurrency(10)
            .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(1)))
            .ticker(clock)
            .start((job, context) -> {})) {
      for (int i = 0; i < jobs; i++) {
        worker.submit(Job.of("call-" + i, "payload"));
      }
      worker.awaitIdle(Duration.ofSeconds(1));
      return worker.report().completed();
    }
  }
}
