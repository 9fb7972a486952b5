package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Handlers that throw what nobody should throw. */
@Timeout(60)
class NastyHandlerTest {

  /** As the JDK's own ThreadDeath: an Error that means to end the thread. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1;
  }

  /** A failure of the machine that the JDK does not know. */
  private static final class MachineFault extends VirtualMachineError {
    private static final long serialVersionUID = 1;
  }

  /** Neither an Exception nor an Error. */
  private static final class Bare extends Throwable {
    private static final long serialVersionUID = 1;
  }

  /** Everything that is asked of it fails. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new StackOverflowError("getMessage");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new OutOfMemoryError("getCause");
    }

    @Override
    public String toString() {
      throw new IllegalStateException("toString");
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      throw new IllegalStateException("getStackTrace");
    }
  }

  private static final class Cyclic extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Throwable other = new RuntimeException(this);

    @Override
    public synchronized Throwable getCause() {
      return other;
    }
  }

  @SuppressWarnings("InfiniteRecursion") // on purpose
  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> void sneak(Throwable thrown) throws X {
    throw (X) thrown;
  }

  private static Arguments nasty(Throwable thrown) {
    Supplier<Throwable> supplier = () -> thrown;
    return Arguments.of(Named.of(thrown.getClass().getSimpleName(), supplier));
  }

  static Stream<Arguments> everyKind() {
    return Stream.of(
        nasty(new AssertionError("assertion")),
        nasty(new StackOverflowError("thrown")),
        nasty(new OutOfMemoryError("thrown, not provoked")),
        nasty(new InternalError("internal")),
        nasty(new UnknownError("unknown")),
        nasty(new MachineFault()),
        nasty(new NoClassDefFoundError("io/missing/Type")),
        nasty(new ExceptionInInitializerError(new IllegalStateException())),
        nasty(new Death()),
        nasty(new Error((String) null)),
        nasty(new Bare()),
        nasty(new Hostile()),
        nasty(new Cyclic()),
        nasty(new NullPointerException()));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  @Tag("L7")
  @Tag("P5")
  @Tag("CASE-3")
  void isFailedAndTheWorkerGoesOnWithItsFullCapacity(Supplier<Throwable> nasty) throws Exception {
    Worker<String> worker =
        Worker.<String>builder("nasty")
            .concurrency(2)
            .capacity(0)
            .threads(quietly(new CopyOnWriteArrayList<>()))
            .start(
                (job, context) -> {
                  if (job.id().startsWith("nasty")) {
                    NastyHandlerTest.<RuntimeException>sneak(nasty.get());
                  }
                });
    for (int i = 0; i < 20; i++) {
      assertThat(worker.offer(Job.of("nasty" + i, ""), HANG).isAccepted()).isTrue();
    }
    assertThat(worker.awaitIdle(HANG)).isTrue();
    // Both places are still there.
    assertThat(worker.offer(Job.of("good1", "")).isAccepted()).isTrue();
    assertThat(worker.offer(Job.of("good2", ""), HANG).isAccepted()).isTrue();

    Report report = assertSettled(worker.drain(Duration.ofHours(1)));

    assertThat(report.failed()).isEqualTo(20);
    assertThat(report.completed()).isEqualTo(2);
    assertThat(report.isClean()).isTrue();
    assertThat(report.outcomes())
        .first()
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.error().errorType()).isEqualTo(nasty.get().getClass().getName()));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  @Tag("L7")
  @Tag("D6")
  void isFailedAlsoWhenThrownAfterACancel(Supplier<Throwable> nasty) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("told-nasty")
            .concurrency(1)
            .threads(quietly(new CopyOnWriteArrayList<>()))
            .start(
                (job, context) -> {
                  entered.countDown();
                  while (!context.isCancelled()) {
                    Thread.onSpinWait();
                  }
                  NastyHandlerTest.<RuntimeException>sneak(nasty.get());
                });
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    Aside.awaitLatch(entered);

    Report report = assertSettled(worker.drain(Duration.ZERO));

    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.stuck()).isEmpty();
  }

  @Test
  @Tag("L7")
  void aRealStackOverflowIsFailed() throws Exception {
    try (Worker<String> worker =
        Worker.<String>builder("overflow")
            .concurrency(1)
            .start((job, context) -> assertThat(overflow(0)).isPositive())) {
      for (int i = 0; i < 5; i++) {
        assertThat(worker.offer(Job.of("j" + i, ""), HANG).isAccepted()).isTrue();
      }
      Report report = awaitSettled(worker);
      assertThat(report.failed()).isEqualTo(5);
      assertThat(((Outcome.Failed) report.outcomes().getFirst()).error().errorType())
          .isEqualTo("java.lang.StackOverflowError");
    }
  }

  private static ThreadFactory quietly(List<Throwable> uncaught) {
    return Thread.ofVirtual()
        .uncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown))
        .factory();
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  @Tag("L7")
  void theUncaughtHandlerIsToldOfAFailingMachineAndOfNothingElse(Supplier<Throwable> nasty)
      throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        Worker.<String>builder("uncaught")
            .concurrency(1)
            .capacity(1)
            .threads(quietly(uncaught))
            .start(
                (job, context) -> {
                  if (job.id().equals("nasty")) {
                    NastyHandlerTest.<RuntimeException>sneak(nasty.get());
                  }
                });
    assertThat(worker.offer(Job.of("nasty", "")).isAccepted()).isTrue();
    assertThat(worker.offer(Job.of("good", "")).isAccepted()).isTrue();

    Report report = assertSettled(worker.drain(Duration.ofHours(1)));

    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.completed()).isEqualTo(1);
    boolean told =
        nasty.get() instanceof VirtualMachineError && !(nasty.get() instanceof StackOverflowError);
    if (told) {
      assertThat(uncaught).singleElement().isSameAs(nasty.get());
    } else {
      assertThat(uncaught).isEmpty();
    }
  }

  @Test
  @Tag("L7")
  void anUncaughtHandlerThatThrowsHarmsNothing() throws Exception {
    Worker<String> worker =
        Worker.<String>builder("rude")
            .concurrency(1)
            .capacity(3)
            .threads(
                Thread.ofPlatform()
                    .daemon()
                    .uncaughtExceptionHandler(
                        (thread, thrown) -> {
                          throw new IllegalStateException("the uncaught handler throws");
                        })
                    .factory())
            .start(
                (job, context) -> {
                  throw new OutOfMemoryError("thrown, not provoked");
                });
    for (int i = 0; i < 4; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }

    assertThat(assertSettled(worker.drain(Duration.ofHours(1))).failed()).isEqualTo(4);
  }

  @Test
  @Tag("L3")
  @Tag("D12")
  void aHandlerThatStartsThreadsIsJudgedByItsOwnEnd() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    List<Thread> started = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        Worker.<String>builder("starts")
            .concurrency(1)
            .start(
                (job, context) ->
                    started.add(
                        Thread.ofPlatform()
                            .daemon()
                            .start(
                                () -> {
                                  while (release.getCount() > 0) {
                                    Thread.onSpinWait();
                                  }
                                })));
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();

    Report report = assertSettled(worker.drain(Duration.ofHours(1)));

    assertThat(report.completed()).isEqualTo(1);
    assertThat(report.isClean()).isTrue();
    assertThat(started).hasSize(1).allMatch(Thread::isAlive);
    release.countDown();
    started.getFirst().join();
  }
}
