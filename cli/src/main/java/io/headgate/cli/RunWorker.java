package io.headgate.cli;

import io.headgate.Handler;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import io.headgate.cli.RunOptions.Bounds;
import io.headgate.limit.RateLimit;
import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;

/** Starts the worker of a run, with the bounds that the options say. */
final class RunWorker {
  static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(2);
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
    if (bounds.attempts() > 1) {
      builder.retry(retries(bounds.attempts()));
    }
    RunOptions.StartRate rate = bounds.rate();
    if (rate != null) {
      builder.startRate(RateLimit.of(rate.starts(), rate.per()).burst(rate.burst()).build());
    }
    return builder.start(handler);
  }

  private static RetryPolicy retries(int attempts) {
    return RetryPolicy.attempts(attempts)
        .backoff(FIRST_BACKOFF, LONGEST_BACKOFF)
        // What could not be started would not start the next time.
        .retryIf(failure -> failure instanceof ExitStatus || failure instanceof KilledBySignal)
        // Who asks for retries says that the command can be repeated, also after its timeout.
        .idempotent()
        // The number that was asked for is the bound, and --halt the one on failures. A budget that
        // ran out would leave some lines with fewer attempts than others, for no reason of theirs.
        .budget(
            RetryBudget.builder()
                .perSecond(RetryBudget.MAX_PER_SECOND)
                .saved(RetryBudget.MAX_SAVED)
                .build("run"));
  }
}
