package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headgate.testing.HandlerGate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Refusals that say when to come again, on a clock moved by hand. */
class RetryAfterTest extends RetryFixture {

  private static final Duration TICK = Duration.ofMillis(100);

  private final HandlerGate<String> gate = HandlerGate.closed();

  /** A worker of two places, both taken, that ends 20 jobs a second while it refuses. */
  private Worker<String> draining() throws InterruptedException {
    Worker<String> worker = start(builder(1, 1), gate.handler());
    accept(worker, "r0");
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
    accept(worker, "r1");
    assertThat(refused(worker, "first").retryAfter()).as("nothing is known yet").isEmpty();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    for (int i = 0; i < 10; i++) {
      gate.pass(2);
      int ended = 2 * i + 2;
      Aside.until(() -> worker.report().completed() == ended);
      accept(worker, "a" + i);
      accept(worker, "b" + i);
      pass(TICK);
      // The watch waits for the next look only after it has looked.
      Aside.until(() -> ticker.waiters() > 0);
    }
    Aside.until(() -> refused(worker, "later").retryAfter().isPresent());
    return worker;
  }

  private static Admission.Refused refused(Worker<String> worker, String id) {
    return (Admission.Refused) worker.offer(Job.of(id, ""));
  }

  @Test
  @Tag("A6")
  @Tag("O6")
  void fullWorkerSaysHowLongWhatItHasTakesToDrainSpreadToTwice() throws Exception {
    Worker<String> worker = draining();
    Set<Duration> told = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      Admission.Refused refused = refused(worker, "late" + i);
      assertThat(refused.reason()).isEqualTo(Reason.FULL);
      told.add(refused.retryAfter().orElseThrow());
    }
    // Two jobs at twenty a second.
    assertThat(told).allMatch(d -> d.compareTo(Duration.ofMillis(100)) >= 0);
    assertThat(told).allMatch(d -> d.compareTo(Duration.ofMillis(250)) <= 0);
    assertThat(told).as("jitter").hasSizeBetween(4, 8);
    gate.open();
  }

  @Test
  @Tag("A6")
  void whatALaterTryCannotHelpSaysNothing() throws Exception {
    Worker<String> worker = draining();
    assertThat(refused(worker, "a9")).isEqualTo(Admission.refused(Reason.DUPLICATE));
    assertThat(refused(worker, "")).isEqualTo(Admission.refused(Reason.INVALID_ID));
    gate.open();
  }

  @Test
  @Tag("A11")
  @Tag("CASE-12")
  void refusalThatSaysWhenAllocatesNothing() throws Exception {
    Worker<String> worker = draining();
    Job<String> job = Job.of("late", "");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().threadId();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 50 && least > 0; round++) {
      long before = threads.getThreadAllocatedBytes(self);
      for (int i = 0; i < 1_000; i++) {
        if (worker.offer(job).isAccepted()) {
          throw new AssertionError("accepted");
        }
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
    }
    assertThat(least).as("bytes of 1,000 refusals").isLessThan(1_000);
    gate.open();
  }

  @Test
  @Tag("O6")
  @Tag("CASE-43")
  void overloadThatIsOverLeavesNothingBehindAndNobodyWatching() throws Exception {
    Worker<String> worker = draining();
    Duration since = worker.report().overload().sinceLastRefusal().orElseThrow();
    assertThat(since).isLessThanOrEqualTo(TICK);
    gate.open();
    LedgerAssert.awaitSettled(worker);
    for (int i = 0; i < 21; i++) {
      ticker.advance(TICK);
      int passed = i;
      Aside.until(() -> ticker.waiters() > 0 || passed >= 19);
    }
    ThreadWatch.awaitNoControlThread("retry");
    assertThat(worker.report().overload().sinceLastRefusal().orElseThrow())
        .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(worker.report().refused().get(Reason.FULL)).isPositive();
    accept(worker, "again");
    LedgerAssert.awaitSettled(worker);
  }

  @Test
  @Tag("O6")
  void workerThatNeverRefusedSaysSo() throws Exception {
    Worker<String> worker = start(builder(1, 1), (job, context) -> {});
    accept(worker, "a");
    LedgerAssert.awaitSettled(worker);
    Overload overload = worker.report().overload();
    assertThat(overload.sinceLastRefusal()).isEmpty();
    assertThat(overload.oldestWaiting()).isEmpty();
    assertThat(overload.loads()).isEmpty();
    assertThat(overload.isOverloaded()).isFalse();
    assertThat(overload.refusedFrom()).isEqualTo(Optional.empty());
  }
}
