package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a refusal says, what it changes and what it costs. */
@SuppressWarnings("ReferenceEquality") // one shared value is what is claimed
@Timeout(60)
class RefusalTest {

  private static final Duration LONG_PATIENCE = Duration.ofHours(1);

  @Test
  @Tag("A6")
  void refusalSaysWhetherTryingAgainCanHelp() {
    Set<Reason> hopeful =
        EnumSet.of(
            Reason.FULL,
            Reason.FULL_BYTES,
            Reason.RATE_LIMITED,
            Reason.TIMED_OUT,
            Reason.TOO_MANY_WAITERS,
            Reason.SHED,
            Reason.OVERLOADED,
            Reason.UNAVAILABLE);
    for (Reason reason : Reason.values()) {
      assertThat(reason.retryCanHelp()).as("%s", reason).isEqualTo(hopeful.contains(reason));
      assertThat(Admission.refused(reason).reason()).isEqualTo(reason);
      assertThat(Admission.refused(reason).isAccepted()).isFalse();
    }
  }

  @Test
  @Tag("A6")
  @Tag("H6")
  @Tag("CASE-15")
  void refusalChangesNothingButItsCounter() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker = fullWorker(gate)) {
      Report before = worker.report();
      Map<Reason, Long> counted = new LinkedHashMap<>();
      for (Map.Entry<Reason, Callable<Admission>> way : ways(worker).entrySet()) {
        if (way.getKey() == Reason.CLOSED) {
          worker.stopAdmission();
        }
        assertThat(way.getValue().call()).isEqualTo(Admission.refused(way.getKey()));
        counted.put(way.getKey(), 1L);
        Report after = LedgerAssert.assertBalanced(worker.report());
        assertThat(after.refused()).containsExactlyInAnyOrderEntriesOf(counted);
        assertThat(after)
            .usingRecursiveComparison()
            .ignoringFields("refused", "overload")
            .isEqualTo(before);
      }
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A11")
  @Tag("CASE-12")
  @Tag("O4")
  void refusalAllocatesNothing() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Worker<Long> worker = fullWorker(gate)) {
      for (Map.Entry<Reason, Callable<Admission>> way : ways(worker).entrySet()) {
        if (way.getKey() == Reason.TOO_MANY_WAITERS) {
          continue;
        }
        if (way.getKey() == Reason.CLOSED) {
          worker.stopAdmission();
        }
        Admission expected = Admission.refused(way.getKey());
        Callable<Admission> call = way.getValue();
        long best = Long.MAX_VALUE;
        // A count, not a time. The JVM may charge a thread for work of its own once; a refusal
        // that allocates is charged in every round.
        for (int round = 0; round < 20 && best > 0; round++) {
          long before = threads.getCurrentThreadAllocatedBytes();
          boolean same = true;
          for (int i = 0; i < 2_000; i++) {
            same &= call.call() == expected;
          }
          long allocated = threads.getCurrentThreadAllocatedBytes() - before;
          best = Math.min(best, allocated);
          assertThat(same).as("%s is a shared value", way.getKey()).isTrue();
        }
        assertThat(best).as("bytes allocated by 2,000 × %s", way.getKey()).isZero();
      }
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A11")
  void sheddingThatFindsNoVictimAllocatesNothing() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Worker<Long> worker =
        Worker.<Long>builder("shed")
            .concurrency(1)
            .capacity(8)
            .whenFull(WhenFull.shedLeastCritical())
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      for (long i = 0; i < 9; i++) {
        assertThat(worker.offer(Job.of("job-" + i, i)).isAccepted()).isTrue();
      }
      Job<Long> late = Job.of("late", 1L);
      long best = Long.MAX_VALUE;
      for (int round = 0; round < 20 && best > 0; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 2_000; i++) {
          if (worker.submit(late).isAccepted()) {
            throw new AssertionError("there was no room");
          }
        }
        best = Math.min(best, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(best).isZero();
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A11")
  void throwingTwinSaysReasonWaitedTimeLimitAndDepth() throws Exception {
    ManualTicker ticker = ManualTicker.create();
    HandlerGate<String> gate = HandlerGate.closed();
    try (Worker<String> worker =
        Worker.<String>builder("twin")
            .concurrency(1)
            .capacity(2)
            .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(5)))
            .ticker(ticker)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      for (int i = 0; i < 3; i++) {
        worker.submitOrThrow(Job.of("job-" + i, ""));
      }
      RefusedException duplicate =
          catchThrowableOfType(
              RefusedException.class, () -> worker.submitOrThrow(Job.of("job-1", "")));
      assertThat(duplicate.reason()).isEqualTo(Reason.DUPLICATE);
      assertThat(duplicate.waited()).isZero();
      assertThat(duplicate.limit()).isEqualTo(3);
      assertThat(duplicate.depth()).isEqualTo(3);

      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                worker.submitOrThrow(Job.of("late", ""));
                return null;
              });
      Thread.startVirtualThread(task);
      WaitingProducer.awaitWaiting(worker, 1);
      ticker.advance(Duration.ofSeconds(5));
      ExecutionException thrown =
          catchThrowableOfType(ExecutionException.class, () -> task.get(30, TimeUnit.SECONDS));
      assertThat(thrown.getCause()).isInstanceOf(RefusedException.class);
      RefusedException late = (RefusedException) thrown.getCause();
      assertThat(late.reason()).isEqualTo(Reason.TIMED_OUT);
      assertThat(late.waited()).isEqualTo(Duration.ofSeconds(5));
      assertThat(late.getMessage()).contains("twin", "late", "TIMED_OUT", "3 of 3");
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  /** Each reason that this worker can give, with a call that is refused for it; CLOSED last. */
  private static Map<Reason, Callable<Admission>> ways(Worker<Long> worker) {
    Job<Long> invalid = Job.of("", 1L);
    Job<Long> tooLong = Job.of("x".repeat(129), 1L);
    Job<Long> negative = Job.of("a", -1L);
    Job<Long> tooLarge = Job.of("a", 101L);
    Job<Long> expired = Job.of("a", 1L).timeToLive(Duration.ZERO);
    Job<Long> duplicate = Job.of("holder", 1L);
    Job<Long> fresh = Job.of("a", 1L);
    Map<Reason, Callable<Admission>> ways = new LinkedHashMap<>();
    ways.put(Reason.INVALID_ID, () -> worker.offer(invalid));
    ways.put(Reason.ID_TOO_LONG, () -> worker.offer(tooLong));
    ways.put(Reason.INVALID_SIZE, () -> worker.offer(negative));
    ways.put(Reason.TOO_LARGE, () -> worker.offer(tooLarge));
    ways.put(Reason.EXPIRED, () -> worker.offer(expired));
    ways.put(Reason.DUPLICATE, () -> worker.offer(duplicate));
    ways.put(Reason.FULL, () -> worker.offer(fresh));
    ways.put(Reason.TOO_MANY_WAITERS, () -> worker.offer(fresh, LONG_PATIENCE));
    ways.put(Reason.CLOSED, () -> worker.offer(fresh));
    return ways;
  }

  private static Worker<Long> fullWorker(HandlerGate<Long> gate) throws InterruptedException {
    Worker<Long> worker =
        Worker.<Long>builder("full")
            .concurrency(1)
            .capacity(0)
            .capacityBytes(100, weight -> weight)
            .maxWaitingProducers(0)
            .grace(Duration.ZERO)
            .start(gate.handler());
    assertThat(worker.offer(Job.of("holder", 1L)).isAccepted()).isTrue();
    assertThat(gate.awaitEntered(1, LedgerAssert.HANG)).isTrue();
    return worker;
  }
}
