package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which threads there are, and that none is left. */
@Timeout(120)
class ThreadsTest {

  enum Flavour {
    VIRTUAL,
    PLATFORM,
    VIRTUAL_PER_JOB,
    PLATFORM_PER_JOB;

    ThreadWatch watch() {
      return this == VIRTUAL || this == VIRTUAL_PER_JOB
          ? ThreadWatch.virtual()
          : ThreadWatch.platform();
    }

    WorkerBuilder<String> builder(ThreadWatch watch) {
      WorkerBuilder<String> builder = Worker.<String>builder("threads-" + this).threads(watch);
      return this == VIRTUAL_PER_JOB || this == PLATFORM_PER_JOB ? builder.threadPerJob() : builder;
    }

    boolean perJob() {
      return this == VIRTUAL_PER_JOB || this == PLATFORM_PER_JOB;
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("D12")
  void noThreadOutlivesADrain(Flavour flavour) throws Exception {
    ThreadWatch watch = flavour.watch();
    Worker<String> worker =
        flavour
            .builder(watch)
            .concurrency(3)
            .capacity(100)
            .timeout(Duration.ofHours(1))
            .listener(event -> {})
            .start((job, context) -> context.onCancel(() -> {}));
    for (int i = 0; i < 50; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }

    assertThat(assertSettled(worker.drain(Duration.ofHours(1))).completed()).isEqualTo(50);

    assertThat(watch.made()).isNotEmpty();
    watch.awaitGone();
    ThreadWatch.awaitNoControlThread("threads-" + flavour);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("D12")
  @Tag("D7")
  void noThreadOutlivesAnAbort(Flavour flavour) throws Exception {
    ThreadWatch watch = flavour.watch();
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        flavour
            .builder(watch)
            .concurrency(3)
            .capacity(10)
            .listener(event -> {})
            .start(
                (job, context) -> {
                  context.onCancel(() -> {});
                  gate.handler().handle(job, context);
                });
    for (int i = 0; i < 13; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    assertThat(gate.awaitEntered(3, HANG)).isTrue();

    Report report = assertSettled(worker.abort());

    assertThat(report.interrupted()).isEqualTo(3);
    assertThat(report.unstarted()).isEqualTo(10);
    watch.awaitGone();
    ThreadWatch.awaitNoControlThread("threads-" + flavour);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("B5")
  void atMostConcurrencyThreadsAreMadeAndReusedUnlessEachJobHasItsOwn(Flavour flavour)
      throws Exception {
    ThreadWatch watch = flavour.watch();
    Set<Thread> ran = ConcurrentHashMap.newKeySet();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (Worker<String> worker =
        flavour
            .builder(watch)
            .concurrency(3)
            .capacity(20)
            .start(
                (job, context) -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  ran.add(Thread.currentThread());
                  running.decrementAndGet();
                })) {
      for (int i = 0; i < 1_000; i++) {
        assertThat(worker.offer(Job.of("j" + i, ""), HANG).isAccepted()).isTrue();
      }
      assertThat(awaitSettled(worker).completed()).isEqualTo(1_000);
    }
    assertThat(most.get()).isBetween(1, 3);
    if (flavour.perJob()) {
      assertThat(ran).hasSize(1_000);
    } else {
      assertThat(watch.made()).hasSizeBetween(1, 3);
    }
  }

  @Test
  @Tag("B5")
  void thereAreAtMostTwoControlThreads() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("control")
            .concurrency(4)
            .timeout(Duration.ofHours(1))
            .listener(event -> {})
            .listener(event -> {})
            .start(
                (job, context) -> {
                  context.onCancel(() -> {});
                  gate.handler().handle(job, context);
                });
    for (int i = 0; i < 8; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    assertThat(gate.awaitEntered(4, HANG)).isTrue();
    assertThat(ThreadWatch.controlThreads("control")).hasSizeBetween(1, 2);
    Aside<Report> drain = Aside.call(() -> worker.drain(Duration.ofHours(1)));
    drain.awaitParked();
    assertThat(ThreadWatch.controlThreads("control")).hasSizeBetween(1, 2);
    gate.open();
    assertThat(assertSettled(drain.result()).completed()).isEqualTo(8);
  }

  @Test
  @Tag("B5")
  @Tag("CASE-9")
  void tenThousandWaitingJobsMakeNoMoreThreadsThanRun() throws Exception {
    ThreadWatch watch = ThreadWatch.virtual();
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("many")
            .concurrency(200)
            .capacity(10_000)
            .threads(watch)
            .start(gate.handler());
    for (int i = 0; i < 10_200; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    assertThat(gate.awaitEntered(200, HANG)).isTrue();
    assertThat(watch.made()).hasSize(200);
    gate.open();

    assertThat(assertSettled(worker.drain(Duration.ofHours(1))).completed()).isEqualTo(10_200);
    assertThat(watch.made()).hasSize(200);
    watch.awaitGone();
  }

  @Test
  @Tag("B5")
  @Tag("L3")
  void aThreadThatCannotBeMadeCostsNoJob() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Worker<String> worker =
        Worker.<String>builder("barren")
            .concurrency(2)
            .capacity(3)
            .threads(
                task -> {
                  int time = asked.incrementAndGet();
                  if (time == 1) {
                    throw new OutOfMemoryError("thrown, not provoked");
                  } else if (time == 2) {
                    throw new IllegalStateException("no thread");
                  }
                  return Thread.ofVirtual().unstarted(task);
                })
            .start((job, context) -> {});
    for (int i = 0; i < 5; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }

    assertThat(assertSettled(worker.drain(Duration.ofHours(1))).completed()).isEqualTo(5);
    assertThat(asked.get()).isGreaterThan(2);
  }

  @Test
  @Tag("B6")
  @Tag("R6")
  void concurrencyBoundsWhatRunsAtOnceAndNotStartsPerSecond() throws Exception {
    ManualTicker standing = ManualTicker.create();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Worker<String> worker =
        Worker.<String>builder("rate")
            .concurrency(10)
            .capacity(5_000)
            .ticker(standing)
            .start(
                (job, context) -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  Thread.onSpinWait();
                  running.decrementAndGet();
                });
    // Thousands start while not a nanosecond passes.
    for (int i = 0; i < 5_000; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    assertThat(worker.awaitIdle(HANG)).isTrue();

    assertThat(assertSettled(worker.drain(Duration.ofHours(1))).completed()).isEqualTo(5_000);
    assertThat(standing.nanoTime()).isZero();
    assertThat(most.get()).isBetween(1, 10);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("D12")
  @Tag("D9")
  void startingAndStoppingOftenLeavesNothing(Flavour flavour) throws Exception {
    ThreadWatch watch = flavour.watch();
    StartStopStress.check(
        () ->
            flavour
                .builder(watch)
                .concurrency(2)
                .timeout(Duration.ofHours(1))
                .listener(event -> {})
                .start((job, context) -> {}),
        worker -> {
          for (int i = 0; i < 5; i++) {
            Admission unused = worker.offer(Job.of("j" + i, ""));
          }
        },
        Worker::close);
    watch.awaitGone();
  }
}
