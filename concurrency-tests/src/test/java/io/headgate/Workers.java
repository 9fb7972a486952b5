package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.time.Ticker;
import java.time.Duration;

/** Workers on platform threads, and what is true of their reports. */
final class Workers {

  static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private Workers() {}

  /** A worker whose time stands still. */
  static WorkerBuilder<String> of(int concurrency, int capacity) {
    return of(concurrency, capacity, FrozenTicker.INSTANCE);
  }

  static WorkerBuilder<String> of(int concurrency, int capacity, Ticker ticker) {
    return Worker.<String>builder("w")
        .concurrency(concurrency)
        .capacity(capacity)
        .threads(Thread.ofPlatform().factory())
        .ticker(ticker);
  }

  /** Checks the ledger equation. */
  static void assertAddsUp(Report report) {
    assertThat(report.accepted())
        .as("%s", report)
        .isEqualTo(
            report.completed()
                + report.failed()
                + report.interrupted()
                + report.unstarted()
                + report.unfinished());
    assertThat(report.waitingProducers()).as("waiting producers").isZero();
  }

  /** Checks that a stop gave up nothing. */
  static void assertClean(Report report) {
    assertAddsUp(report);
    assertThat(report.unfinished()).as("unfinished of %s", report).isZero();
    assertThat(report.isClean()).as("clean: %s", report).isTrue();
    assertThat(report.ending()).contains(Ending.DRAINED);
  }
}
