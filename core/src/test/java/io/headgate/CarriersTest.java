package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.ManualTicker;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that hold every carrier of the virtual threads. */
@Timeout(60)
class CarriersTest {

  private static final int CARRIERS =
      Integer.getInteger(
          "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
  private static final int JOBS = CARRIERS + 4;
  private static final Duration GRACE = Duration.ofMillis(100);
  private static final Duration CLEANUP = Duration.ofMillis(300);

  private final StepTicker ticker = new StepTicker();
  private final AtomicBoolean release = new AtomicBoolean();
  private final Set<String> spinning = ConcurrentHashMap.newKeySet();

  /** Time moves only once the timekeeper has seen where it stands. */
  private static final class StepTicker implements Ticker {
    private final ManualTicker manual = ManualTicker.create();
    private final AtomicInteger parks = new AtomicInteger();

    @Override
    public long nanoTime() {
      return manual.nanoTime();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      if (!Thread.currentThread().isVirtual()) {
        parks.incrementAndGet();
      }
      manual.parkNanos(blocker, nanos);
    }

    void step(Duration by, Aside<?> stop) throws InterruptedException {
      assertThat(manual.awaitWaiters(1, HANG)).isTrue();
      int before = parks.get();
      manual.advance(by);
      Aside.until(() -> parks.get() > before || stop.isDone());
    }
  }

  @AfterEach
  void freeTheCarriers() {
    release.set(true);
  }

  private Worker<String> allCarriersSpinning(WorkerBuilder<String> builder, Handler<String> spin) {
    Worker<String> worker =
        builder.concurrency(CARRIERS + 2).capacity(2).ticker(ticker).start(spin);
    for (int i = 0; i < JOBS; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    Aside.until(() -> spinning.size() == CARRIERS);
    return worker;
  }

  @Test
  @Tag("D16")
  @Tag("D5")
  void aStopKeepsItsDeadlinesAndNamesWhoIsStuck() throws Exception {
    Worker<String> worker =
        allCarriersSpinning(
            Worker.<String>builder("carriers").cleanup(CLEANUP),
            (job, context) -> {
              spinning.add(job.id());
              while (!release.get()) {
                Thread.onSpinWait();
              }
            });
    Set<String> held = Set.copyOf(spinning);
    assertBalanced(worker.report());
    assertThat(worker.isLive()).isTrue();
    Aside<Report> drain = Aside.call(() -> worker.drain(GRACE));

    ticker.step(GRACE, drain);
    assertThat(worker.state()).isEqualTo(WorkerState.CANCELLING);
    ticker.step(CLEANUP, drain);
    if (!drain.isDone()) {
      ticker.step(Duration.ofMillis(200), drain);
    }
    Report report = assertBalanced(drain.result());

    assertThat(report.drainTime()).isEqualTo(GRACE);
    assertThat(report.cleanupTime()).isBetween(CLEANUP, CLEANUP.plusMillis(200));
    assertThat(report.ending()).contains(Ending.STUCK);
    assertThat(report.stuck()).extracting(StuckJob::jobId).containsAll(held);
    assertThat(report.unfinished()).isEqualTo(report.stuck().size());
    assertThat(report.unstarted()).isEqualTo(JOBS - report.unfinished());
    assertThat(report.abandoned()).hasSize(JOBS);
    assertThat(worker.state()).isEqualTo(WorkerState.STOPPED);
    release.set(true);
    Aside.until(() -> worker.report().unfinished() == 0);
    assertSettled(worker.report());
  }

  @Test
  @Tag("D16")
  void timeoutsCancelsAndListenersReachThroughSpinningHandlers() throws Exception {
    CountDownLatch heardRefusal = new CountDownLatch(1);
    Worker<String> worker =
        allCarriersSpinning(
            Worker.<String>builder("told")
                .timeout(Duration.ofSeconds(1))
                .listener(
                    event -> {
                      if (event instanceof WorkerEvent.Refused) {
                        heardRefusal.countDown();
                      }
                    }),
            (job, context) -> {
              spinning.add(job.id());
              while (!context.isCancelled() && !release.get()) {
                Thread.onSpinWait();
              }
            });
    assertThat(worker.offer(Job.of("more", ""))).is(refusedFor(Reason.FULL));
    Aside.awaitLatch(heardRefusal);
    assertThat(worker.cancel(spinning.iterator().next())).isEqualTo(CancelResult.SIGNALLED);
    Aside.until(() -> spinning.size() > CARRIERS);

    while (worker.report().unfinished() > 0) {
      int seen = spinning.size();
      ticker.manual.advance(Duration.ofSeconds(1));
      Aside.until(() -> spinning.size() > seen || spinning.size() == JOBS);
    }

    assertThat(assertSettled(worker.drain(Duration.ofHours(1))).completed()).isEqualTo(JOBS);
  }
}
