package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that keeps no history keeps no error either, or says so in its bound. */
@Timeout(60)
class LastErrorMemoryBoundTest {

  @Test
  @Tag("B4")
  @Tag("H5")
  void errorThatNoHistoryKeepsIsWithinTheBound() throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("last-error")
            .concurrency(1)
            .capacity(0)
            .history(0)
            .maxErrorMessageChars(100_000)
            .start(
                (job, context) -> {
                  throw new IllegalStateException("\uD83D\uDE00".repeat(200_000));
                })) {
      assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
      LedgerAssert.awaitSettled(worker);
      assertThat(RetainedBytes.of(worker)).isLessThanOrEqualTo(worker.memoryBound().bytes());
    }
  }
}
