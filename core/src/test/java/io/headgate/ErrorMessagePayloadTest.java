package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is kept of a handler's failure, however hostile. */
@Timeout(60)
class ErrorMessagePayloadTest {

  private static final String ISE = "java.lang.IllegalStateException";
  private static final String GRINNING = "\uD83D\uDE00";

  static Stream<Arguments> cuts() {
    return Stream.of(
        Arguments.of("short", 128, "short", false),
        Arguments.of("exactly", 7, "exactly", false),
        Arguments.of("exactly!", 7, "exactly", true),
        Arguments.of("", 7, "", false),
        Arguments.of("", 0, "", false),
        Arguments.of("a", 0, "", true),
        Arguments.of(GRINNING, 1, GRINNING, false),
        Arguments.of(GRINNING + "x", 1, GRINNING, true),
        Arguments.of("a" + GRINNING + GRINNING, 2, "a" + GRINNING, true),
        Arguments.of("ab" + GRINNING, 2, "ab", true),
        Arguments.of(GRINNING.repeat(5), 5, GRINNING.repeat(5), false),
        Arguments.of("e\u0301x", 1, "e", true),
        Arguments.of("\uD83Dx", 1, "\uD83D", true),
        Arguments.of("\uDE00\uD83D", 2, "\uDE00\uD83D", false));
  }

  @ParameterizedTest
  @MethodSource("cuts")
  @Tag("P3")
  @Tag("P4")
  void prefixIsCountedInCodePointsAndTheCutIsAFlagOfItsOwn(
      String message, int cap, String kept, boolean truncated) throws Exception {
    JobError error = fail(cap, null, new IllegalStateException(message));
    assertThat(error).isEqualTo(new JobError(ISE, kept, truncated, false));
  }

  @Test
  @Tag("P3")
  void capOfMaxValueKeepsAll() throws Exception {
    String message = "x".repeat(100_000);
    assertThat(fail(Worker.UNBOUNDED, null, new IllegalStateException(message)))
        .isEqualTo(new JobError(ISE, message, false, false));
  }

  @Test
  @Tag("P4")
  void redactorSeesTheWholeMessageBeforeItIsCut() throws Exception {
    String message = "token=0123456789 rejected";
    JobError error =
        fail(
            12,
            whole -> {
              assertThat(whole).isEqualTo(message);
              return whole.replaceAll("token=\\d+", "token=*");
            },
            new IllegalStateException(message));
    assertThat(error.message()).isEqualTo("token=* reje");
    assertThat(error.messageTruncated()).isTrue();
    assertThat(fail(5, null, new IllegalStateException(message)).message())
        .as("a cut is no redaction")
        .isEqualTo("token");
  }

  @Test
  @Tag("P4")
  @Tag("P5")
  void redactorThatFailsLetsNothingThrough() throws Exception {
    UnaryOperator<String> throwing =
        message -> {
          throw new IllegalStateException("redactor saw " + message);
        };
    UnaryOperator<String> error =
        message -> {
          throw new StackOverflowError();
        };
    List<UnaryOperator<String>> redactors = List.of(throwing, error, message -> null);
    for (UnaryOperator<String> redactor : redactors) {
      JobError kept = fail(100, redactor, new IllegalStateException("secret"));
      assertThat(kept.message()).doesNotContain("secret");
      assertThat(kept.errorType()).isEqualTo(ISE);
    }
  }

  @Test
  @Tag("P5")
  void messageThatIsMissingOrThrowsIsSurvived() throws Exception {
    assertThat(fail(100, null, new IllegalStateException((String) null)))
        .isEqualTo(new JobError(ISE, "", false, false));
    for (Throwable hostile :
        List.of(
            new Hostile(new IllegalStateException("inner")),
            new Hostile(new StackOverflowError()),
            new Hostile(new ThreadDeathLike()))) {
      JobError error = fail(100, null, hostile);
      assertThat(error.errorType()).isEqualTo(Hostile.class.getName());
      assertThat(error.message()).hasSizeLessThanOrEqualTo(100);
    }
  }

  @Test
  @Tag("P5")
  @Tag("L4")
  void cyclicCausesEndAsFailedOfTheOuterError() throws Exception {
    Exception outer = new Exception("outer");
    Exception inner = new Exception("inner");
    outer.initCause(inner);
    inner.initCause(outer);
    assertThat(fail(100, null, outer))
        .isEqualTo(new JobError("java.lang.Exception", "outer", false, false));
    Exception[] ring = new Exception[1_000];
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new Exception("ring " + i);
    }
    for (int i = 0; i < ring.length; i++) {
      ring[i].initCause(ring[(i + 1) % ring.length]);
    }
    assertThat(fail(100, null, ring[0]).message()).isEqualTo("ring 0");
  }

  @Test
  @Tag("P5")
  @Tag("P6")
  void messageOfAHundredMegabytesIsCut() throws Exception {
    JobError error = fail(128, null, new IllegalStateException("m".repeat(100_000_000)));
    assertThat(error.message()).isEqualTo("m".repeat(128));
    assertThat(error.messageTruncated()).isTrue();
  }

  @Test
  @Tag("P5")
  void nameOfTenThousandCharactersIsCut() throws Exception {
    Throwable thrown = classNamed("C" + "x".repeat(9_999));
    assertThat(thrown.getClass().getName()).hasSize(10_000);
    JobError error = fail(100, null, thrown);
    assertThat(error.errorType()).hasSizeLessThanOrEqualTo(256).startsWith("Cxxx");
  }

  @Test
  @Tag("P7")
  void reportJsonEventsAndOutcomeShowTheCappedFormOnly() throws Exception {
    ConcurrentLinkedQueue<WorkerEvent> events = new ConcurrentLinkedQueue<>();
    try (Worker<String> worker =
        Worker.<String>builder("capped")
            .concurrency(1)
            .maxErrorMessageChars(4)
            .listener(events::add)
            .start(
                (job, context) -> {
                  throw new IllegalStateException("keptSECRET");
                })) {
      Submission submission = worker.submitTracked(Job.of("a", ""));
      assertThat(submission.outcome().get(30, TimeUnit.SECONDS).toString())
          .contains("kept")
          .doesNotContain("SECRET");
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.outcomes().toString()).contains("kept").doesNotContain("SECRET");
      assertThat(report.toJson()).contains("kept").doesNotContain("SECRET");
      assertThat(report.toString()).doesNotContain("SECRET");
      Awaitility.await()
          .atMost(LedgerAssert.HANG)
          .until(() -> events.stream().anyMatch(e -> e instanceof WorkerEvent.Ended));
      assertThat(events.toString()).contains("kept").doesNotContain("SECRET");
    }
  }

  @Test
  @Tag("P5")
  @Tag("P7")
  void refusedIdInAnExceptionOrEventIsBounded() throws Exception {
    ConcurrentLinkedQueue<WorkerEvent> events = new ConcurrentLinkedQueue<>();
    try (Worker<String> worker =
        Worker.<String>builder("capped")
            .concurrency(1)
            .maxJobIdBytes(16)
            .listener(events::add)
            .start((job, context) -> {})) {
      Throwable thrown =
          org.assertj.core.api.Assertions.catchThrowable(
              () -> worker.submitOrThrow(Job.of("x".repeat(1_000_000), "")));
      assertThat(thrown).isInstanceOf(RefusedException.class);
      assertThat(thrown.getMessage()).hasSizeLessThan(1_000);
      Awaitility.await()
          .atMost(LedgerAssert.HANG)
          .until(() -> events.stream().anyMatch(e -> e instanceof WorkerEvent.Refused));
      assertThat(events.toString()).hasSizeLessThan(1_000);
    }
  }

  /** Runs one job that throws, and one after it that completes. */
  private static JobError fail(int cap, @Nullable UnaryOperator<String> redactor, Throwable thrown)
      throws Exception {
    WorkerBuilder<String> builder =
        Worker.<String>builder("errors").concurrency(1).maxErrorMessageChars(cap);
    if (redactor != null) {
      builder.redactErrors(redactor);
    }
    try (Worker<String> worker =
        builder.start(
            (job, context) -> {
              if (job.id().equals("fails")) {
                ErrorMessagePayloadTest.<RuntimeException>sneak(thrown);
              }
            })) {
      assertThat(worker.offer(Job.of("fails", "")).isAccepted()).isTrue();
      assertThat(worker.awaitIdle(LedgerAssert.HANG)).isTrue();
      assertThat(worker.offer(Job.of("after", "")).isAccepted()).isTrue();
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.failed()).isOne();
      assertThat(report.completed()).isOne();
      return ((Outcome.Failed) worker.outcome("fails").orElseThrow()).error();
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> void sneak(Throwable thrown) throws X {
    throw (X) thrown;
  }

  /** A class of that name, compiled in memory. */
  private static Throwable classNamed(String name) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    return InMemoryClass.compile(
            compiler, name, "public class " + name + " extends RuntimeException {}")
        .asSubclass(Throwable.class)
        .getConstructor()
        .newInstance();
  }

  private static final class ThreadDeathLike extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw this;
    }
  }

  private static final class Hostile extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Throwable thrown;

    Hostile(Throwable thrown) {
      this.thrown = thrown;
    }

    @Override
    public String getMessage() {
      ErrorMessagePayloadTest.<RuntimeException>sneak(thrown);
      return "never";
    }

    @Override
    public synchronized Throwable getCause() {
      ErrorMessagePayloadTest.<RuntimeException>sneak(thrown);
      return this;
    }

    @Override
    public String toString() {
      return getMessage();
    }
  }
}
