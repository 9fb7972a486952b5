package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.retry.RetryBudget;
import io.headgate.retry.RetryPolicy;
import io.headgate.testing.ManualTicker;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker retains, found by walking its objects, against what it says. */
@Timeout(90)
class MemoryBoundTest {

  @ParameterizedTest
  @CsvSource({"1, 0, 0, 0", "1, 1, 1, 128", "4, 50, 100, 256", "8, 1000, 20, 16", "2, 10, 500, 64"})
  @Tag("B4")
  void measuredObjectsStayWithinTheStatedBound(
      int concurrency, int capacity, int history, int messageChars) throws Exception {
    try (Worker<byte[]> worker =
        Worker.<byte[]>builder("memory")
            .concurrency(concurrency)
            .capacity(capacity)
            .capacityBytes(1 << 20, payload -> 16 + (payload.length + 7) / 8 * 8)
            .history(history)
            .maxErrorMessageChars(messageChars)
            .start(
                (job, context) -> {
                  // Two bytes a char and two chars a code point: the dearest text there is.
                  throw new IllegalStateException(job.id() + "\uD83D\uDE00".repeat(1_000));
                })) {
      for (int i = 0; i < 600; i++) {
        assertThat(worker.offer(job(i)).isAccepted()).isTrue();
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
      }
      worker.pause();
      int unfinished = concurrency + capacity;
      for (int i = 0; i < unfinished; i++) {
        assertThat(worker.offer(job(600 + i)).isAccepted()).isTrue();
      }
      MemoryBound bound = worker.memoryBound();
      assertThat(bound.coversPayloads()).isTrue();
      assertThat(bound.isInfinite()).isFalse();
      assertThat(RetainedBytes.of(worker))
          .as("of at most %s", bound)
          .isPositive()
          .isLessThanOrEqualTo(bound.bytes());
      worker.resume();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("B4")
  @Tag("R5")
  void jobsBetweenAttemptsStayWithinTheStatedBound() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    try (Worker<byte[]> worker =
        Worker.<byte[]>builder("memory")
            .concurrency(4)
            .capacity(200)
            .capacityBytes(1 << 20, payload -> 16 + (payload.length + 7) / 8 * 8)
            .history(10)
            .ticker(ticker)
            .retry(
                RetryPolicy.attempts(9)
                    .budget(RetryBudget.builder().perSecond(1_000).saved(10_000).build("memory")))
            .start(
                (job, context) -> {
                  throw new IllegalStateException(job.id() + "\uD83D\uDE00".repeat(1_000));
                })) {
      for (int i = 0; i < 204; i++) {
        assertThat(worker.offer(job(i)).isAccepted()).isTrue();
      }
      Aside.until(() -> worker.report().suspended() == 204);
      MemoryBound bound = worker.memoryBound();
      assertThat(RetainedBytes.of(worker))
          .as("of at most %s", bound)
          .isPositive()
          .isLessThanOrEqualTo(bound.bytes());
    }
  }

  @Test
  @Tag("B4")
  void boundSaysWhatItCoversAndWhereThereIsNone() throws Exception {
    try (Worker<String> apart =
            Worker.<String>builder("apart").concurrency(1).start((job, context) -> {});
        Worker<String> all =
            Worker.<String>builder("all")
                .concurrency(1)
                .history(Worker.UNBOUNDED)
                .start((job, context) -> {});
        Worker<String> whole =
            Worker.<String>builder("whole")
                .concurrency(1)
                .maxErrorMessageChars(Worker.UNBOUNDED)
                .start((job, context) -> {})) {
      assertThat(apart.memoryBound().coversPayloads()).isFalse();
      assertThat(apart.memoryBound().isInfinite()).isFalse();
      assertThat(all.memoryBound().isInfinite()).isTrue();
      assertThat(whole.memoryBound().isInfinite()).isTrue();
      long before = apart.memoryBound().bytes();
      apart.setCapacity(1_000);
      assertThat(apart.memoryBound().bytes()).as("it follows the limits").isGreaterThan(before);
    }
  }

  @Test
  @Tag("B3")
  void heapHoldsAsManyIdsAsTheHistoryAndTheLimitsAllow() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    List<WeakReference<String>> ids = new ArrayList<>();
    try (Worker<Integer> worker =
        Worker.<Integer>builder("ids")
            .concurrency(2)
            .capacity(3)
            .history(5)
            .start(
                (job, context) -> {
                  if (job.payload() >= 500) {
                    gate.await();
                  }
                })) {
      for (int i = 0; i < 500; i++) {
        offer(worker, i, ids);
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
      }
      for (int i = 500; i < 505; i++) {
        offer(worker, i, ids);
      }
      await()
          .atMost(LedgerAssert.HANG)
          .untilAsserted(
              () -> {
                collectGarbage();
                assertThat(ids.stream().filter(id -> id.get() != null).count())
                    .isLessThanOrEqualTo(5 + 3 + 2);
              });
      gate.countDown();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("B4")
  void idleWorkerHoldsNoPayload(boolean platform) throws Exception {
    WorkerBuilder<byte[]> builder = Worker.<byte[]>builder("idle").concurrency(3).capacity(20);
    if (platform) {
      builder.threads(Thread.ofPlatform().daemon().factory());
    }
    List<WeakReference<byte[]>> payloads = new ArrayList<>();
    try (Worker<byte[]> worker =
        builder.start(
            (job, context) -> {
              if (job.payload()[0] == 1) {
                throw new IllegalStateException("fails");
              }
            })) {
      for (int i = 0; i < 20; i++) {
        byte[] payload = new byte[1_000];
        payload[0] = (byte) (i % 2);
        payloads.add(new WeakReference<>(payload));
        worker.offer(Job.of("job-" + i, payload));
      }
      LedgerAssert.awaitSettled(worker);
      await()
          .atMost(LedgerAssert.HANG)
          .untilAsserted(
              () -> {
                collectGarbage();
                assertThat(payloads).allMatch(payload -> payload.get() == null);
              });
    }
  }

  @Test
  @Tag("P6")
  @Tag("P8")
  void retainedBytesDoNotDependOnTheWidthOfTheSource() throws Exception {
    assertThat(retainedAfterFailuresOf(4_096)).isEqualTo(retainedAfterFailuresOf(512));
    assertThat(retainedAfterFailuresOf(400_000)).isEqualTo(retainedAfterFailuresOf(512));
  }

  private static long retainedAfterFailuresOf(int width) throws Exception {
    try (Worker<Integer> worker =
        Worker.<Integer>builder("width")
            .concurrency(1)
            .history(100)
            .maxErrorMessageChars(128)
            .start(
                (job, context) -> {
                  String number = String.valueOf(1_000 + job.payload());
                  throw new IllegalStateException(number + "x".repeat(width - 4));
                })) {
      for (int i = 0; i < 100; i++) {
        worker.offer(Job.of("job-" + (1_000 + i), i));
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
      }
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.outcomes())
          .allSatisfy(
              outcome -> {
                JobError error = ((Outcome.Failed) outcome).error();
                assertThat(error.message()).hasSize(128);
                assertThat(error.messageTruncated()).isTrue();
              });
      return RetainedBytes.of(report);
    }
  }

  private static void offer(Worker<Integer> worker, int i, List<WeakReference<String>> ids) {
    String id = "job-" + i;
    ids.add(new WeakReference<>(id));
    assertThat(worker.offer(Job.of(id, i)).isAccepted()).isTrue();
  }

  /** Returns when the collector has run, as far as it can be seen. */
  private static void collectGarbage() throws InterruptedException {
    CountDownLatch collected = new CountDownLatch(1);
    java.lang.ref.Cleaner cleaner = java.lang.ref.Cleaner.create();
    cleaner.register(new Object(), collected::countDown);
    System.gc();
    assertThat(collected.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static Job<byte[]> job(int i) {
    // As long as an id may be, in the characters that take most of the heap for their bytes.
    String id = "\u00e9".repeat(60) + (10_000 + i);
    return Job.of(id, new byte[64]);
  }
}
