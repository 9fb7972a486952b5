package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.downstream.Downstream;
import io.headgate.downstream.DownstreamRefusedException;
import io.headgate.downstream.Entry;
import io.headgate.downstream.Permit;
import io.headgate.limit.ClientThrottle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handlers that call a downstream within its budget, and what their jobs count as meanwhile. */
class ContextCallTest extends RetryFixture {

  private final Downstream payments =
      Downstream.builder("payments").concurrency(1).maxWaiting(4).ticker(ticker).build();

  private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

  @AfterEach
  void noPermitIsLeftBehind() {
    assertThat(payments.report().inUse()).isZero();
    assertThat(payments.report().waiting()).isZero();
  }

  private Worker<String> calling(WorkerBuilder<String> builder) {
    return start(
        builder,
        (job, context) -> {
          try {
            assertThat(context.<String>call(payments, () -> "paid " + job.id()))
                .isEqualTo("paid " + job.id());
          } catch (Exception e) {
            thrown.add(e);
            throw e;
          }
        });
  }

  private Permit permit() throws InterruptedException {
    return (Permit) payments.acquire(Duration.ZERO);
  }

  private static void awaitExternal(Worker<String> worker, int jobs) {
    Aside.until(() -> worker.report().external() == jobs);
    assertBalanced(worker.report());
  }

  @Test
  @Tag("R6")
  void aJobThatWaitsForAPermitIsExternalAndStillRuns() throws Exception {
    Worker<String> worker = calling(builder(2, 0));
    try (Permit held = permit()) {
      assertThat(held.isPermitted()).isTrue();
      accept(worker, "a");
      accept(worker, "b");
      awaitExternal(worker, 2);
      Report report = worker.report();
      assertThat(report.running()).isEqualTo(2);
      assertThat(report.executing()).isZero();
      assertThat(worker.offer(Job.of("c", "")))
          .as("it holds its place")
          .is(refusedFor(Reason.FULL));
    }
    Report report = awaitSettled(worker);
    assertThat(report.completed()).isEqualTo(2);
    assertThat(report.external()).isZero();
  }

  @Test
  @Tag("R6")
  void theCallItselfIsExecutedAndAnErrorGivesThePermitBack() throws Exception {
    List<Long> external = new CopyOnWriteArrayList<>();
    AtomicReference<Worker<String>> itself = new AtomicReference<>();
    itself.set(
        start(
            builder(1, 0),
            (job, context) ->
                context.call(
                    payments,
                    () -> {
                      external.add(itself.get().report().external());
                      throw new AssertionError("thrown by the call");
                    })));
    accept(itself.get(), "a");
    assertThat(awaitSettled(itself.get()).failed()).isEqualTo(1);
    assertThat(external).containsExactly(0L);
    assertThat(payments.report().granted()).isEqualTo(1);
  }

  @Test
  @Tag("R6")
  void theWaitEndsWithWhatRemainsOfTheAttempt() throws Exception {
    Worker<String> worker = calling(builder(1, 0).timeout(SECOND));
    try (Permit held = permit()) {
      assertThat(held.isPermitted()).isTrue();
      accept(worker, "a");
      awaitExternal(worker, 1);
      assertThat(ticker.awaitWaiters(2, HANG)).as("the handler and the timekeeper").isTrue();
      ticker.advance(SECOND);
      awaitSettled(worker);
    }
    assertThat(worker.report().failed()).isEqualTo(1);
    assertThat(thrown).hasSize(1);
    assertThat(payments.report().granted()).as("the permit held by the test").isEqualTo(1);
  }

  @Test
  @Tag("D6")
  @Tag("R6")
  void aCancelAndAStopEndTheWaitAtOnce() throws Exception {
    Worker<String> worker = calling(builder(2, 0));
    try (Permit held = permit()) {
      assertThat(held.isPermitted()).isTrue();
      accept(worker, "a");
      accept(worker, "b");
      awaitExternal(worker, 2);
      assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
      awaitExternal(worker, 1);
      assertThat(assertSettled(worker.abort()).interrupted()).isEqualTo(2);
    }
    assertThat(thrown).hasSize(2).allMatch(InterruptedException.class::isInstance);
  }

  @Test
  @Tag("D6")
  void whoWasToldToStopGetsOnlyWhatIsFree() throws Exception {
    List<Object> answers = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        start(
            builder(1, 0),
            (job, context) -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                answers.add(context.call(payments, () -> "undone"));
                try (Permit held = permit()) {
                  answers.add(held.isPermitted());
                  context.call(payments, () -> "never");
                } catch (DownstreamRefusedException refused) {
                  answers.add(refused.reason());
                }
                throw e;
              }
            });
    accept(worker, "a");
    awaitCalls(1);
    worker.cancel("a");
    assertThat(awaitSettled(worker).interrupted()).isEqualTo(1);
    assertThat(answers).containsExactly("undone", true, Entry.Cause.BUSY);
  }

  @Test
  @Tag("R6")
  void theThreadsOfOneHandlerAreOneJob() throws Exception {
    Worker<String> worker =
        start(
            builder(1, 0),
            (job, context) -> {
              List<Aside<String>> asides = new ArrayList<>();
              for (int i = 0; i < 3; i++) {
                asides.add(Aside.call(() -> context.call(payments, () -> "paid")));
              }
              for (Aside<String> aside : asides) {
                assertThat(aside.result()).isEqualTo("paid");
              }
            });
    try (Permit held = permit()) {
      assertThat(held.isPermitted()).isTrue();
      accept(worker, "a");
      Aside.until(() -> payments.report().waiting() == 3);
      assertThat(assertBalanced(worker.report()).external()).isEqualTo(1);
    }
    assertThat(awaitSettled(worker).completed()).isEqualTo(1);
  }

  @Test
  @Tag("O5")
  void theCriticalityOfTheJobGoesWithTheCall() throws Exception {
    ClientThrottle throttle = ClientThrottle.builder().ticker(ticker).build();
    Downstream throttled =
        Downstream.builder("throttled").concurrency(1).throttle(throttle).ticker(ticker).build();
    Worker<String> worker =
        start(builder(1, 1), (job, context) -> context.call(throttled, () -> "called"));
    worker.submit(Job.of("a", "").criticality(Criticality.SHEDDABLE));
    worker.submit(Job.of("b", ""));
    assertThat(awaitSettled(worker).completed()).isEqualTo(2);
    assertThat(throttle.accepts(Criticality.SHEDDABLE)).isEqualTo(1);
    assertThat(throttle.accepts(Criticality.CRITICAL)).isEqualTo(1);
  }

  @Test
  void aWorkerWithMoreJobsThanItsDownstreamTakesIsWarnedOfAtItsStart() {
    List<String> warnings =
        logged(
            Level.WARNING,
            () -> {
              calling(builder(5, 0).downstream(payments));
              calling(builder(6, 0).downstream(payments));
            });
    assertThat(warnings)
        .containsExactly(
            "worker retry runs 6 jobs at once, but downstream payments takes 1 calls and lets 4"
                + " wait: the others are refused in normal operation");
  }

  @Test
  @Tag("CASE-42")
  void aWorkerOnASharedStoreSaysThatItsBudgetsAreThoseOfOneProcess() {
    Backlog.Factory<String> shared =
        new Backlog.Factory<>() {
          @Override
          public Backlog<String> open(Backlog.Settings settings, BacklogListener<String> listener) {
            return Backlogs.<String>memory().open(settings, listener);
          }

          @Override
          public boolean isShared() {
            return true;
          }
        };
    List<String> said =
        logged(
            Level.INFO,
            () -> {
              calling(builder(1, 0).downstream(payments));
              calling(builder(1, 0).backlog(shared));
              calling(builder(1, 0).backlog(shared).downstream(payments));
            });
    assertThat(said)
        .containsExactly(
            "worker retry shares its store: each process has its own downstream payments: 1 calls"
                + " at once; n of them add up to n times that");
  }

  private static List<String> logged(Level level, Runnable action) {
    List<String> messages = new CopyOnWriteArrayList<>();
    Handler keeper =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            if (logged.getLevel().equals(level)) {
              messages.add(logged.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(CalledDownstreams.class.getName());
    logger.addHandler(keeper);
    try {
      action.run();
    } finally {
      logger.removeHandler(keeper);
    }
    return messages;
  }
}
