package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.retry.RetryPolicy;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Workers whose jobs fail, on a clock moved by hand and with the longest back-off each time. */
@Timeout(60)
abstract class RetryFixture {

  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration LONG = Duration.ofSeconds(1_000);

  /** Draws the largest number there is. */
  static final RandomGenerator LONGEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  final ManualTicker ticker = ManualTicker.startingAt(Long.MAX_VALUE - 500_000_000);

  /** Id and attempt of every call of a handler. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  private final List<Worker<String>> workers = new CopyOnWriteArrayList<>();

  /** Three attempts, one second apart and then two. */
  final RetryPolicy policy =
      RetryPolicy.attempts(3).backoff(SECOND, Duration.ofSeconds(20)).random(LONGEST);

  final WorkerBuilder<String> builder(int concurrency, int capacity) {
    return Worker.<String>builder("retry")
        .concurrency(concurrency)
        .capacity(capacity)
        .ticker(ticker);
  }

  final Worker<String> start(WorkerBuilder<String> builder, Handler<String> handler) {
    Worker<String> worker =
        builder.start(
            (job, context) -> {
              calls.add(job.id() + context.attempt());
              handler.handle(job, context);
            });
    workers.add(worker);
    return worker;
  }

  final Worker<String> failing(WorkerBuilder<String> builder) {
    return start(builder, RetryFixture::fail);
  }

  static void fail(Job<String> job, JobContext context) {
    throw new IllegalStateException(job.id() + " fails at attempt " + context.attempt());
  }

  static JobError error(String id, int attempt) {
    return new JobError(
        "java.lang.IllegalStateException", id + " fails at attempt " + attempt, false, false);
  }

  static void accept(Worker<String> worker, String id) {
    assertThat(worker.offer(Job.of(id, ""))).as(id).isEqualTo(Admission.accepted());
  }

  static void awaitSuspended(Worker<String> worker, int jobs) {
    Aside.until(() -> worker.report().suspended() == jobs);
    assertBalanced(worker.report());
  }

  /** Lets time pass once the timekeeper waits for it. */
  final void pass(Duration time) throws InterruptedException {
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    ticker.advance(time);
  }

  final void awaitCalls(int count) {
    Aside.until(() -> calls.size() >= count);
  }

  @AfterEach
  final void everythingStopsAndAddsUp() throws InterruptedException {
    for (Worker<String> worker : workers) {
      worker.abort();
      LedgerAssert.assertSettled(worker.report());
    }
  }
}
