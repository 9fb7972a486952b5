package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many jobs are unfinished, how many run, and on how many threads. */
@SuppressWarnings("ThreadPriorityCheck") // yields only make interleavings likelier
@Timeout(60)
class BoundsTest {

  @Test
  @Tag("B1")
  void concurrencyTwoAndCapacityTwoTakeFourAndRefuseTheFifth() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(2, 2, gate)) {
      for (int i = 1; i <= 4; i++) {
        assertThat(worker.offer(job(i)).isAccepted()).isTrue();
      }
      assertThat(worker.offer(job(5))).is(refusedFor(Reason.FULL));
      assertThat(gate.awaitEntered(2, LedgerAssert.HANG)).isTrue();
      Report report = LedgerAssert.assertBalanced(worker.report());
      assertThat(report.running()).isEqualTo(2);
      assertThat(report.waiting()).isEqualTo(2);
      gate.pass(1);
      assertThat(gate.awaitEntered(3, LedgerAssert.HANG)).isTrue();
      assertThat(worker.offer(job(5)).isAccepted()).isTrue();
      assertThat(worker.offer(job(6))).is(refusedFor(Reason.FULL));
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(5);
    }
  }

  @Test
  @Tag("B1")
  void nobodyHoldsAJobInHandBetweenWaitingAndRunning() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(1, 1, gate)) {
      for (int i = 0; i < 2_000; i++) {
        // Whether the handler has been entered yet makes no difference.
        assertThat(worker.offer(Job.of("running-" + i, "")).isAccepted()).isTrue();
        assertThat(worker.offer(Job.of("waiting-" + i, "")).isAccepted()).isTrue();
        assertThat(worker.offer(Job.of("refused-" + i, "")).isAccepted()).isFalse();
        gate.pass(2);
        assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
      }
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.completed()).isEqualTo(4_000);
      assertThat(report.refused()).containsEntry(Reason.FULL, 2_000L);
    }
  }

  @Test
  @Tag("B7")
  void noCapacityMeansNoWaitingRoom() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker = worker(3, 0, gate)) {
      for (int i = 1; i <= 3; i++) {
        assertThat(worker.offer(job(i)).isAccepted()).isTrue();
      }
      assertThat(worker.offer(job(4))).is(refusedFor(Reason.FULL));
      assertThat(gate.awaitEntered(3, LedgerAssert.HANG)).isTrue();
      gate.open();
      LedgerAssert.awaitSettled(worker);
      assertThat(worker.offer(job(4)).isAccepted()).isTrue();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(4);
    }
  }

  @Test
  @Tag("B1")
  @Tag("CASE-4")
  void sixtyFourRacingProducersFillEveryPlaceAndNoMore() throws Exception {
    int rounds = 60;
    CyclicBarrier barrier = new CyclicBarrier(64);
    List<Worker<String>> workers = new ArrayList<>();
    List<AtomicInteger> accepted = new ArrayList<>();
    HandlerGate<String> gate = HandlerGate.closed();
    for (int r = 0; r < rounds; r++) {
      workers.add(worker(3, 4, gate));
      accepted.add(new AtomicInteger());
    }
    List<Thread> producers = new ArrayList<>();
    for (int p = 0; p < 64; p++) {
      String name = "p" + p + "-";
      producers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      for (int r = 0; r < rounds; r++) {
                        barrier.await(30, TimeUnit.SECONDS);
                        for (int i = 0; i < 3; i++) {
                          if (workers.get(r).offer(Job.of(name + i, "")).isAccepted()) {
                            accepted.get(r).incrementAndGet();
                          }
                        }
                      }
                    } catch (Exception e) {
                      throw new AssertionError(e);
                    }
                  }));
    }
    for (Thread producer : producers) {
      assertThat(producer.join(LedgerAssert.HANG)).isTrue();
    }
    gate.open();
    for (int r = 0; r < rounds; r++) {
      assertThat(accepted.get(r)).hasValue(7);
      assertThat(LedgerAssert.awaitSettled(workers.get(r)).accepted()).isEqualTo(7);
      workers.get(r).close();
    }
  }

  @Test
  @Tag("B1")
  @Tag("CASE-4")
  @Tag("CASE-15")
  void boundsHoldInEveryReportWhileProducersRace() throws Exception {
    AtomicInteger inHandlers = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (Worker<String> worker =
        Worker.<String>builder("churn")
            .concurrency(3)
            .capacity(4)
            .history(10)
            .start(
                (job, context) -> {
                  int now = inHandlers.incrementAndGet();
                  most.accumulateAndGet(now, Math::max);
                  Thread.yield();
                  inHandlers.decrementAndGet();
                })) {
      List<Thread> producers = new ArrayList<>();
      for (int p = 0; p < 16; p++) {
        String name = "p" + p + "-";
        producers.add(
            Thread.startVirtualThread(
                () -> {
                  for (int i = 0; i < 1_000; i++) {
                    worker.offer(Job.of(name + i, ""));
                    if (i % 16 == 0) {
                      Thread.yield();
                    }
                  }
                }));
      }
      while (producers.stream().anyMatch(Thread::isAlive)) {
        Report report = LedgerAssert.assertBalanced(worker.report());
        assertThat(report.unfinished()).isLessThanOrEqualTo(7);
        assertThat(report.running()).isLessThanOrEqualTo(3);
        assertThat(report.outcomes()).hasSizeLessThanOrEqualTo(10);
      }
      Report last = LedgerAssert.awaitSettled(worker);
      assertThat(last.accepted() + last.refused().getOrDefault(Reason.FULL, 0L)).isEqualTo(16_000);
      assertThat(most.get()).isBetween(1, 3);
    }
  }

  @Test
  @Tag("B5")
  @Tag("CASE-9")
  void threadsExistOnlyForRunningJobsAndAreUsedAgain() throws Exception {
    AtomicInteger made = new AtomicInteger();
    CountDownLatch together = new CountDownLatch(20);
    try (Worker<Integer> worker =
        Worker.<Integer>builder("crew")
            .concurrency(20)
            .capacity(10_000)
            .threads(
                task -> {
                  made.incrementAndGet();
                  return Thread.ofVirtual().unstarted(task);
                })
            .start(
                (job, context) -> {
                  together.countDown();
                  together.await();
                })) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(worker.offer(Job.of("job-" + i, i)).isAccepted()).isTrue();
      }
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(10_000);
      assertThat(made).hasValue(20);
      assertThat(worker.offer(Job.of("more", 0)).isAccepted()).isTrue();
      LedgerAssert.awaitSettled(worker);
      assertThat(made).as("an idle thread is used again").hasValue(20);
    }
  }

  @Test
  @Tag("B5")
  void workerHasAtMostTwoControlThreads() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Set<String> told = ConcurrentHashMap.newKeySet();
    try (Worker<String> worker =
        Worker.<String>builder("controlled-worker")
            .concurrency(4)
            .capacity(100)
            .timeout(Duration.ofHours(1))
            .listener(event -> told.add(event.toString()))
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      for (int i = 0; i < 50; i++) {
        worker.offer(Job.of("job-" + i, "").timeToLive(Duration.ofHours(1)));
      }
      assertThat(gate.awaitEntered(4, LedgerAssert.HANG)).isTrue();
      org.awaitility.Awaitility.await().atMost(LedgerAssert.HANG).until(() -> !told.isEmpty());
      // Handlers run on virtual threads, which are not among these.
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> thread.getName().contains("controlled-worker"))
          .hasSizeBetween(1, 2)
          .allMatch(Thread::isDaemon);
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("B6")
  void concurrencyLimitIsNoRateLimit() throws Exception {
    // The worker's clock stands still, so whatever starts does so within the same nanosecond.
    ManualTicker ticker = ManualTicker.create();
    try (Worker<Integer> worker =
        Worker.<Integer>builder("starts")
            .concurrency(2)
            .capacity(5_000)
            .ticker(ticker)
            .start((job, context) -> {})) {
      for (int i = 0; i < 5_000; i++) {
        assertThat(worker.offer(Job.of("job-" + i, i)).isAccepted()).isTrue();
      }
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(5_000);
      assertThat(ticker.nanoTime()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1_000_000_000})
  @Tag("B1")
  void hugeCapacityAllocatesNothingAndDoesNotOverflow(int capacity) throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try (Worker<String> worker = worker(2, capacity, gate)) {
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated).as("bytes allocated by the start").isLessThan(1 << 20);
      for (int i = 0; i < 1_000; i++) {
        assertThat(worker.offer(job(i)).isAccepted()).isTrue();
      }
      assertThat(worker.report().unfinished()).isEqualTo(1_000);
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).completed()).isEqualTo(1_000);
    }
  }

  @Test
  @Tag("L11")
  @Tag("CASE-8")
  void attemptBeyondItsTimeoutKeepsItsPlaceUntilItEnds() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Worker<String> worker =
        Worker.<String>builder("timeout")
            .concurrency(1)
            .capacity(0)
            .timeout(Duration.ofSeconds(1))
            .ticker(ticker)
            .start(
                (job, context) -> {
                  context.onCancel(told::countDown);
                  boolean released = false;
                  while (!released) {
                    try {
                      release.await();
                      released = true;
                    } catch (InterruptedException ignored) {
                      // Deaf on purpose.
                    }
                  }
                  throw new IllegalStateException("late");
                })) {
      assertThat(worker.offer(Job.of("slow", "")).isAccepted()).isTrue();
      assertThat(ticker.awaitWaiters(1, LedgerAssert.HANG)).isTrue();
      ticker.advance(Duration.ofSeconds(1));
      assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(worker.report().running()).isOne();
      assertThat(worker.offer(Job.of("next", ""))).is(refusedFor(Reason.FULL));
      release.countDown();
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.failed()).isOne();
      assertThat(worker.offer(Job.of("next", "")).isAccepted()).isTrue();
      LedgerAssert.awaitSettled(worker);
    }
  }

  private static Worker<String> worker(int concurrency, int capacity, HandlerGate<String> gate) {
    return Worker.<String>builder("bounds")
        .concurrency(concurrency)
        .capacity(capacity)
        .grace(Duration.ZERO)
        .start(gate.handler());
  }

  private static Job<String> job(int number) {
    return Job.of("job-" + number, "");
  }
}
