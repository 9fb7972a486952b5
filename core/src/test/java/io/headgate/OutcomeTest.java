package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which of the four outcomes a job gets. */
@Timeout(60)
class OutcomeTest {

  private static Named<Supplier<Exception>> named(String name, Supplier<Exception> thrown) {
    return Named.of(name, thrown);
  }

  private static List<Named<Supplier<Exception>>> interruptions() {
    return List.of(
        named("InterruptedException", InterruptedException::new),
        named("CancellationException", CancellationException::new),
        named("ClosedByInterruptException", ClosedByInterruptException::new),
        named("caused by one", () -> new IllegalStateException(new InterruptedException())),
        named("caused by a cancel", () -> new ExecutionException(new CancellationException())),
        named(
            "caused by a closed channel",
            () -> new UncheckedIOException(new ClosedByInterruptException())),
        named(
            "five causes deep",
            () ->
                new RuntimeException(
                    new IOException(
                        new RuntimeException(
                            new IllegalArgumentException(
                                new Exception(new InterruptedException())))))));
  }

  private static List<Named<Supplier<Exception>>> otherFailures() {
    return List.of(
        named("IllegalStateException", () -> new IllegalStateException("interrupted")),
        named("IOException", () -> new IOException("told to stop")),
        named("one that suppressed an interruption", OutcomeTest::suppressing),
        named("one named alike", OwnInterruptedException::new));
  }

  static Stream<Arguments> interruptionsOfEachKind() {
    return interruptions().stream().map(Arguments::of);
  }

  static Stream<Arguments> otherFailuresOfEachKind() {
    return otherFailures().stream().map(Arguments::of);
  }

  private static Exception suppressing() {
    Exception failure = new IOException("by itself");
    failure.addSuppressed(new InterruptedException());
    return failure;
  }

  private static final class OwnInterruptedException extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** Runs a handler that waits until it is told to stop by {@code how}, and then throws. */
  private static Report toldThenThrowing(boolean byCancel, Supplier<Exception> thrown)
      throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("told")
            .concurrency(1)
            .start(
                (job, context) -> {
                  entered.countDown();
                  while (!context.isCancelled()) {
                    Thread.onSpinWait();
                  }
                  throw thrown.get();
                });
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);
    if (byCancel) {
      assertThat(worker.cancel("a")).isEqualTo(CancelResult.SIGNALLED);
      assertThat(worker.awaitIdle(HANG)).isTrue();
    }
    return assertSettled(worker.drain(Duration.ZERO));
  }

  @ParameterizedTest
  @MethodSource("interruptionsOfEachKind")
  @Tag("L4")
  void toldToStopAndEndedByAnInterruptionIsInterrupted(Supplier<Exception> thrown)
      throws Exception {
    Report cancelled = toldThenThrowing(true, thrown);
    assertThat(cancelled.outcomes()).containsExactly(new Outcome.Interrupted("a", 1));
    assertThat(cancelled.isClean()).isTrue();

    Report stopped = toldThenThrowing(false, thrown);
    assertThat(stopped.outcomes()).containsExactly(new Outcome.Interrupted("a", 1));
    assertThat(stopped.abandoned()).containsExactly("a");
    assertThat(stopped.isClean()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("otherFailuresOfEachKind")
  @Tag("L4")
  @Tag("CASE-17")
  void toldToStopButFailedByItselfIsFailed(Supplier<Exception> thrown) throws Exception {
    for (boolean byCancel : List.of(true, false)) {
      Report report = toldThenThrowing(byCancel, thrown);
      assertThat(report.failed()).isEqualTo(1);
      assertThat(report.outcomes())
          .singleElement()
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> {
                assertThat(failed.error().errorType()).isEqualTo(thrown.get().getClass().getName());
                assertThat(failed.effectsUncertain()).isFalse();
              });
      assertThat(report.abandoned()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("interruptionsOfEachKind")
  @Tag("L4")
  void anInterruptionThatNobodyAskedForIsFailed(Supplier<Exception> thrown) throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("untold")
            .concurrency(1)
            .start(
                (job, context) -> {
                  throw thrown.get();
                })) {
      assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
      Report report = awaitSettled(worker);
      assertThat(report.failed()).isEqualTo(1);
      assertThat(((Outcome.Failed) report.outcomes().getFirst()).error().errorType())
          .isEqualTo(thrown.get().getClass().getName());
    }
  }

  @Test
  @Tag("L4")
  @Tag("L8")
  void aHandlerThatSwallowsItsInterruptAndReturnsIsCompleted() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("swallows")
            .concurrency(1)
            .start(
                (job, context) -> {
                  entered.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    assertThat(context.isCancelled()).isTrue();
                  }
                });
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);

    Report report = assertSettled(worker.drain(Duration.ZERO));

    assertThat(report.outcomes()).containsExactly(new Outcome.Completed("a", 1));
    assertThat(report.abandoned()).isEmpty();
  }

  @Test
  @Tag("L4")
  @Tag("L8")
  void aHandlerThatInterruptsItselfIsJudgedByItsEndAndLeavesNoFlag() throws Exception {
    Map<String, Boolean> flags = new ConcurrentHashMap<>();
    try (Worker<String> worker =
        Worker.<String>builder("self")
            .concurrency(1)
            .capacity(10)
            .start(
                (job, context) -> {
                  flags.put(job.id(), Thread.currentThread().isInterrupted());
                  Thread.currentThread().interrupt();
                  if (job.id().startsWith("blocks")) {
                    new CountDownLatch(1).await();
                  } else if (job.id().startsWith("throws")) {
                    throw new IllegalStateException();
                  }
                })) {
      for (String id : List.of("returns1", "blocks1", "throws1", "returns2", "blocks2")) {
        assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
      }
      Report report = awaitSettled(worker);
      assertThat(report.completed()).isEqualTo(2);
      assertThat(report.failed()).isEqualTo(3);
      assertThat(report.interrupted()).isZero();
      assertThat(flags).hasSize(5).doesNotContainValue(true);
    }
  }

  @Test
  @Tag("L2")
  @Tag("L6")
  @Tag("A8")
  void theOutcomeIsInTheLedgerWhenAwaitIdleReturns() throws Exception {
    try (Worker<Integer> worker =
        Worker.<Integer>builder("idle")
            .concurrency(2)
            .start(
                (job, context) -> {
                  if (job.payload() % 2 == 0) {
                    throw new IllegalStateException();
                  }
                })) {
      for (int i = 1; i <= 3_000; i++) {
        assertThat(worker.offer(Job.of("j" + i, i)).isAccepted()).isTrue();
        assertThat(worker.awaitIdle(HANG)).isTrue();
        assertThat(worker.outcome("j" + i)).isPresent();
      }
      Report report = assertSettled(worker.report());
      // Idle says that all is accounted for, not that it succeeded.
      assertThat(report.completed()).isEqualTo(1_500);
      assertThat(report.failed()).isEqualTo(1_500);
    }
  }

  @Test
  @Tag("L2")
  void aPlaceIsFreeOnlyOnceTheOutcomeIsRecorded() throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("order")
            .concurrency(1)
            .capacity(0)
            .history(2)
            .start((job, context) -> {})) {
      assertThat(worker.offer(Job.of("j0", "")).isAccepted()).isTrue();
      for (int i = 1; i < 3_000; i++) {
        assertThat(worker.offer(Job.of("j" + i, ""), HANG).isAccepted()).isTrue();
        // There was room, so the one before must have ended.
        assertThat(worker.outcome("j" + (i - 1))).isPresent();
      }
      assertThat(awaitSettled(worker).completed()).isEqualTo(3_000);
    }
  }
}
