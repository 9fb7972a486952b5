package io.headgate.cli;

import io.headgate.Handler;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import io.headgate.cli.RunOptions.Bounds;
import java.time.Duration;

/** Starts the worker of a run, with the bounds that the options say. */
final class RunWorker {
  static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private static final int LINE_ID_BYTES = 4096;

  private RunWorker() {}

  static Worker<Item> start(RunOptions options, Handler<Item> handler) {
    Bounds bounds = options.bounds();
    WorkerBuilder<Item> builder =
        Worker.<Item>builder("run")
            .concurrency(bounds.concurrency())
            .capacity(bounds.capacity())
            // A line that was cut fits no budget: the worker refuses it, and counts that.
            .capacityBytes(
                bounds.capacityBytes(), item -> item.isCut() ? Long.MAX_VALUE : item.length())
            .whenFull(
                switch (bounds.whenFull()) {
                  case WAIT -> WhenFull.waitUpTo(FOR_EVER);
                  case REFUSE -> WhenFull.refuse();
                  case SHED_OLDEST -> WhenFull.shedOldest();
                })
            .history(options.records().history())
            // A command is awaited in a foreign call, which would pin a virtual thread's carrier.
            .threads(Thread.ofPlatform().daemon().name("headgate-job-", 1).factory())
            .grace(bounds.grace())
            .cleanup(bounds.cleanup());
    if (options.input().idIsLine()) {
      builder.maxJobIdBytes(LINE_ID_BYTES);
    }
    Duration timeout = bounds.timeout();
    if (timeout != null) {
      builder.timeout(timeout);
    }
    return builder.start(handler);
  }
}
