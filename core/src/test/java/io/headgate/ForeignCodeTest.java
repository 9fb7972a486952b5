package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What foreign code around a job may do, and must not: each of these once did. */
@Timeout(60)
class ForeignCodeTest {

  private static final Duration LONG = Duration.ofHours(1);

  private static CompletableFuture<Outcome> track(Worker<String> worker, String id)
      throws InterruptedException {
    Submission submission = worker.submitTracked(Job.of(id, ""));
    assertThat(submission.admission().isAccepted()).isTrue();
    return submission.outcome();
  }

  /** Slot.tellUncaughtHandler runs after the flag was cleared and after the next claim. */
  @Test
  @Tag("L8")
  void aFlagThatTheUncaughtHandlerLeavesNeverReachesTheNextJob() throws Exception {
    List<Boolean> flags = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        Worker.<String>builder("rude")
            .concurrency(1)
            .capacity(3)
            .threads(
                Thread.ofVirtual()
                    .uncaughtExceptionHandler((thread, thrown) -> thread.interrupt())
                    .factory())
            .start(
                (job, context) -> {
                  flags.add(Thread.currentThread().isInterrupted());
                  throw new OutOfMemoryError("thrown, not provoked");
                });
    for (int i = 0; i < 4; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    assertSettled(worker.drain(LONG));
    assertThat(flags).containsExactly(false, false, false, false);
  }

  /** Observers.ended completes the future on the slot's thread, after the flag was cleared. */
  @Test
  @Tag("L8")
  void aFlagThatADependentActionLeavesNeverReachesTheNextJob() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    List<Boolean> flags = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        Worker.<String>builder("dependent")
            .concurrency(1)
            .capacity(3)
            .start(
                (job, context) -> {
                  flags.add(Thread.currentThread().isInterrupted());
                  if (job.id().equals("first")) {
                    gate.handler().handle(job, context);
                  }
                });
    CompletableFuture<Void> unused =
        track(worker, "first").thenRun(() -> Thread.currentThread().interrupt());
    assertThat(worker.offer(Job.of("second", "")).isAccepted()).isTrue();
    gate.open();
    assertThat(awaitSettled(worker).completed()).isEqualTo(2);
    assertSettled(worker.drain(LONG));
    assertThat(flags).containsExactly(false, false);
  }

  /** The timekeeper completes the futures of what it discards, so a dependent holds up the stop. */
  @Test
  @Tag("D5")
  @Tag("D16")
  void aDependentActionThatBlocksDoesNotHoldUpTheDeadlines() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("blocked-stop")
            .concurrency(1)
            .capacity(1)
            .cleanup(Duration.ofMillis(100))
            .start(gate.handler());
    assertThat(worker.offer(Job.of("runs", "")).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    CompletableFuture<Void> unused =
        track(worker, "waits")
            .thenRun(
                () -> {
                  while (release.getCount() > 0) {
                    try {
                      release.await();
                    } catch (InterruptedException e) {
                      // Ignored on purpose.
                    }
                  }
                });
    Aside<Report> drain = Aside.call(() -> worker.drain(Duration.ofMillis(10)));
    try {
      Aside.until(() -> worker.report().unstarted() == 1);
      Aside.until(drain::isDone);
    } finally {
      release.countDown();
    }
    assertThat(drain.result().interrupted()).isEqualTo(1);
  }

  /** StopSequence.request ends the pause before it discards what waits, so that it is claimed. */
  @Test
  @Tag("D7")
  void anAbortOfAPausedWorkerStartsNothing() throws Exception {
    for (int round = 0; round < 200; round++) {
      AtomicInteger entered = new AtomicInteger();
      Worker<String> worker =
          Worker.<String>builder("paused-abort")
              .concurrency(2)
              .capacity(2)
              .start((job, context) -> entered.incrementAndGet());
      worker.pause();
      assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("b", "")).isAccepted()).isTrue();

      Report report = assertSettled(worker.abort());

      assertThat(report.unstarted()).as("round %d: %s", round, report).isEqualTo(2);
      assertThat(report.abandoned()).containsExactly("a", "b");
      assertThat(entered).hasValue(0);
    }
  }

  /** ManualTicker.parkNanos takes a lock, and a contended lock eats the permit of a wake-up. */
  @Test
  @Tag("T3")
  void aWakeUpThatComesJustBeforeAParkOnTheManualTickerIsNotLost() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    AtomicBoolean over = new AtomicBoolean();
    List<Aside<Boolean>> readers = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(
          Aside.run(
              () -> {
                while (!over.get()) {
                  assertThat(ticker.nanoTime()).isNotNegative();
                }
              }));
    }
    AtomicInteger rounds = new AtomicInteger();
    AtomicReference<Thread> parker = new AtomicReference<>();
    Aside<Boolean> parking =
        Aside.run(
            () -> {
              parker.set(Thread.currentThread());
              for (int i = 0; i < 20_000; i++) {
                LockSupport.unpark(Thread.currentThread());
                ticker.parkNanos(this, Long.MAX_VALUE);
                rounds.incrementAndGet();
              }
            });
    try {
      assertThat(parking.result()).isTrue();
    } finally {
      over.set(true);
      LockSupport.unpark(parker.get());
    }
    for (Aside<Boolean> reader : readers) {
      assertThat(reader.result()).isTrue();
    }
  }

  /** JobContext.onCancel: "An action that throws is logged", also when it runs at once. */
  @Test
  @Tag("D6")
  void anActionThatThrowsWhenItRunsAtOnceIsLoggedToo() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("at-once")
            .concurrency(1)
            .start(
                (job, context) -> {
                  entered.countDown();
                  while (!context.isCancelled()) {
                    Thread.onSpinWait();
                  }
                  context.onCancel(
                      () -> {
                        throw new IllegalStateException("an action");
                      });
                });
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);
    assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
    assertThat(awaitSettled(worker).completed()).isEqualTo(1);
  }

  /** Submission: "completed for every end, by a thread of the worker". */
  @Test
  void aFutureIsCompletedByAThreadOfTheWorkerWhoeverEndsTheJob() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    Worker<String> worker =
        Worker.<String>builder("whose").concurrency(1).capacity(2).start(gate.handler());
    assertThat(worker.offer(Job.of("runs", "")).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    List<Thread> by = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> cancelled =
        track(worker, "cancelled").thenRun(() -> by.add(Thread.currentThread()));
    CompletableFuture<Void> aborted =
        track(worker, "aborted").thenRun(() -> by.add(Thread.currentThread()));
    assertThat(worker.cancel("cancelled")).isEqualTo(CancelResult.UNSTARTED);
    assertSettled(worker.abort());
    cancelled.get();
    aborted.get();
    assertThat(by).hasSize(2).doesNotContain(Thread.currentThread());
  }
}
