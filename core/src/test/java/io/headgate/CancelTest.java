package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancelling one job by its id. */
@Timeout(120)
class CancelTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final HandlerGate<String> gate = HandlerGate.closed();

  private static Worker<String> worker(Handler<String> handler) {
    return Worker.<String>builder("cancel").concurrency(1).capacity(1).cleanup(HANG).start(handler);
  }

  private static void accept(Worker<String> worker, String id) {
    assertThat(worker.offer(Job.of(id, "")).isAccepted()).as(id).isTrue();
  }

  @Test
  @Tag("D6")
  void theAnswerSaysWhereTheJobWas() throws Exception {
    try (Worker<String> worker = worker(gate.handler())) {
      accept(worker, "runs");
      assertThat(gate.awaitEntered(1, HANG)).isTrue();
      accept(worker, "waits");
      Aside<Admission> producer = Aside.call(() -> worker.offer(Job.of("outside", ""), LONG));
      Aside.until(() -> worker.report().waitingProducers() == 1);

      assertThat(worker.cancel("outside")).isEqualTo(CancelResult.UNKNOWN);
      assertThat(worker.cancel("never heard of")).isEqualTo(CancelResult.UNKNOWN);
      assertThat(worker.cancel("waits")).isEqualTo(CancelResult.UNSTARTED);
      assertThat(worker.cancel("waits")).isEqualTo(CancelResult.ENDED);
      assertThat(producer.result().isAccepted()).isTrue();
      assertThat(worker.cancel("outside")).isEqualTo(CancelResult.UNSTARTED);
      assertThat(worker.cancel("runs")).isEqualTo(CancelResult.SIGNALLED);
      Report report = awaitSettled(worker);
      assertThat(worker.cancel("runs")).isEqualTo(CancelResult.ENDED);

      assertThat(report.outcomes())
          .containsExactly(
              new Outcome.Unstarted("waits", Outcome.Unstarted.Cause.CANCELLED),
              new Outcome.Unstarted("outside", Outcome.Unstarted.Cause.CANCELLED),
              new Outcome.Interrupted("runs", 1));
    }
  }

  @Test
  @Tag("L10")
  @Tag("D14")
  void aCancelledJobIsNotAbandonedByALaterStop() throws Exception {
    Worker<String> worker = worker(gate.handler());
    accept(worker, "runs");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    accept(worker, "waits");
    assertThat(worker.cancel("runs")).isEqualTo(CancelResult.SIGNALLED);
    assertThat(gate.awaitEntered(2, HANG)).isTrue();
    assertThat(worker.cancel("waits")).isEqualTo(CancelResult.SIGNALLED);
    assertThat(worker.awaitIdle(HANG)).isTrue();

    Report report = assertSettled(worker.drain(LONG));

    assertThat(report.interrupted()).isEqualTo(2);
    assertThat(report.abandoned()).isEmpty();
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @Tag("D6")
  void aHandlerIsToldByAnInterruptAndByItsContext() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    AtomicBoolean before = new AtomicBoolean(true);
    AtomicBoolean after = new AtomicBoolean();
    try (Worker<String> worker =
        worker(
            (job, context) -> {
              before.set(context.isCancelled());
              entered.countDown();
              try {
                new CountDownLatch(1).await();
              } finally {
                after.set(context.isCancelled());
              }
            })) {
      accept(worker, "a");
      Aside.awaitLatch(entered);

      assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);

      assertThat(awaitSettled(worker).interrupted()).isEqualTo(1);
      assertThat(before).isFalse();
      assertThat(after).isTrue();
    }
  }

  @Test
  @Tag("D6")
  void aHandlerThatPollsAndReturnsIsCompleted() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    try (Worker<String> worker =
        worker(
            (job, context) -> {
              entered.countDown();
              while (!context.isCancelled()) {
                Thread.onSpinWait();
              }
            })) {
      accept(worker, "a");
      Aside.awaitLatch(entered);
      assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
      assertThat(awaitSettled(worker).completed()).isEqualTo(1);
    }
  }

  @Test
  @Tag("D6")
  void onCancelRunsOnceAndNotOnTheThreadOfTheHandler() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch unblocked = new CountDownLatch(1);
    AtomicReference<Thread> handlerThread = new AtomicReference<>();
    List<Thread> runs = new CopyOnWriteArrayList<>();
    try (Worker<String> worker =
        worker(
            (job, context) -> {
              handlerThread.set(Thread.currentThread());
              context.onCancel(
                  () -> {
                    runs.add(Thread.currentThread());
                    unblocked.countDown();
                  });
              entered.countDown();
              while (unblocked.getCount() > 0) {
                // An interrupt does not reach this wait.
                Thread.onSpinWait();
              }
            })) {
      accept(worker, "a");
      Aside.awaitLatch(entered);
      assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
      assertThat(awaitSettled(worker).completed()).isEqualTo(1);
    }
    assertThat(runs).hasSize(1).doesNotContain(handlerThread.get(), Thread.currentThread());
  }

  @Test
  @Tag("D6")
  void onCancelOfAJobThatWasToldRunsAtOnceInTheCallingThread() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    List<Thread> runs = new CopyOnWriteArrayList<>();
    AtomicReference<Thread> handlerThread = new AtomicReference<>();
    try (Worker<String> worker =
        worker(
            (job, context) -> {
              handlerThread.set(Thread.currentThread());
              entered.countDown();
              while (!context.isCancelled()) {
                Thread.onSpinWait();
              }
              context.onCancel(() -> runs.add(Thread.currentThread()));
              assertThat(runs).hasSize(1);
            })) {
      accept(worker, "a");
      Aside.awaitLatch(entered);
      assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
      assertThat(awaitSettled(worker).completed()).isEqualTo(1);
    }
    assertThat(runs).containsExactly(handlerThread.get());
  }

  @Test
  @Tag("D6")
  void anActionThatThrowsHarmsNeitherTheOthersNorTheWorker() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    try (Worker<String> worker =
        worker(
            (job, context) -> {
              if (job.id().equals("next")) {
                return;
              }
              context.onCancel(
                  () -> {
                    throw new AssertionError("an action that throws");
                  });
              context.onCancel(second::countDown);
              entered.countDown();
              while (second.getCount() > 0) {
                Thread.onSpinWait();
              }
            })) {
      accept(worker, "a");
      Aside.awaitLatch(entered);
      assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
      assertThat(awaitSettled(worker).completed()).isEqualTo(1);
      accept(worker, "next");
      assertThat(awaitSettled(worker).completed()).isEqualTo(2);
    }
  }

  @Test
  @Tag("D6")
  void anActionOfAJobThatHasEndedIsNeverRun() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (Worker<String> worker =
        worker(
            (job, context) -> {
              if (job.id().equals("first")) {
                context.onCancel(runs::incrementAndGet);
              } else {
                gate.handler().handle(job, context);
              }
            })) {
      accept(worker, "first");
      assertThat(worker.awaitIdle(HANG)).isTrue();
      accept(worker, "second");
      assertThat(gate.awaitEntered(1, HANG)).isTrue();
      assertThat(worker.cancel("first")).isEqualTo(CancelResult.ENDED);
      assertThat(worker.cancel("second")).isEqualTo(CancelResult.SIGNALLED);
      assertThat(awaitSettled(worker).interrupted()).isEqualTo(1);
    }
    assertThat(runs).hasValue(0);
  }

  @Test
  @Tag("D18")
  @Tag("L3")
  void aCancelThatRacesTheStartAgreesWithTheLedger() throws Exception {
    AtomicInteger entries = new AtomicInteger();
    try (Worker<String> worker =
        worker(
            (job, context) -> {
              entries.incrementAndGet();
              if (job.payload().equals("awaits cancel")) {
                // Must come: the cancel below was answered SIGNALLED or UNSTARTED.
                new CountDownLatch(1).await();
              }
            })) {
      int unstarted = 0;
      int signalled = 0;
      for (int i = 0; i < 5_000; i++) {
        String id = "j" + i;
        assertThat(worker.offer(Job.of(id, "awaits cancel")).isAccepted()).isTrue();
        CancelResult result = worker.cancel(id);
        assertThat(worker.awaitIdle(HANG)).isTrue();
        if (result == CancelResult.UNSTARTED) {
          unstarted++;
          assertThat(worker.outcome(id))
              .contains(new Outcome.Unstarted(id, Outcome.Unstarted.Cause.CANCELLED));
        } else {
          signalled++;
          assertThat(result).isEqualTo(CancelResult.SIGNALLED);
          assertThat(worker.outcome(id)).contains(new Outcome.Interrupted(id, 1));
        }
      }
      Report report = awaitSettled(worker);
      assertThat(report.unstarted()).isEqualTo(unstarted);
      assertThat(report.interrupted()).isEqualTo(signalled);
      assertThat(entries).hasValue(signalled);
    }
  }

  @Test
  @Tag("L8")
  void aCancelThatRacesTheEndNeverReachesTheNextJob() throws Exception {
    AtomicInteger leaks = new AtomicInteger();
    AtomicReference<String> running = new AtomicReference<>("");
    try (Worker<String> worker =
        Worker.<String>builder("flag")
            .concurrency(1)
            .capacity(64)
            .history(0)
            .start(
                (job, context) -> {
                  // Told without a cancel of this very id: the flag of the one before.
                  boolean told = Thread.currentThread().isInterrupted() || context.isCancelled();
                  if (told && job.payload().equals("never cancelled")) {
                    leaks.incrementAndGet();
                  }
                  running.set(job.id());
                })) {
      Aside<Boolean> canceller =
          Aside.run(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  String id = running.get();
                  if (id.startsWith("c")) {
                    CancelResult unused = worker.cancel(id);
                  }
                }
              });
      for (int i = 0; i < 20_000; i++) {
        assertThat(worker.offer(Job.of("c" + i, "cancelled"), HANG).isAccepted()).isTrue();
        assertThat(worker.offer(Job.of("n" + i, "never cancelled"), HANG).isAccepted()).isTrue();
      }
      Report report = awaitSettled(worker);
      canceller.interrupt();
      canceller.result();
      assertThat(leaks).hasValue(0);
      assertThat(report.accepted()).isEqualTo(40_000);
      assertThat(report.failed()).isZero();
    }
  }

  @Test
  @Tag("L4")
  @Tag("D9")
  void aJobThatWasCancelledAndThenStoppedHasOneOutcome() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Worker<String> worker =
        worker(
            (job, context) -> {
              context.onCancel(told::countDown);
              while (release.getCount() > 0) {
                Thread.onSpinWait();
              }
              throw new InterruptedException("told");
            });
    accept(worker, "a");
    // A job that still waits would end there and then.
    Aside.until(() -> worker.report().running() == 1);
    assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
    Aside.awaitLatch(told);
    Aside<Report> drain = Aside.call(() -> worker.drain(Duration.ZERO));
    Aside.until(() -> worker.state() == WorkerState.CANCELLING);
    assertBalanced(worker.report());
    release.countDown();

    assertThat(assertSettled(drain.result()).interrupted()).isEqualTo(1);
  }
}
