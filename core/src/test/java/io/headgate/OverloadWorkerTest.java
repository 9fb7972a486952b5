package io.headgate;

import static io.headgate.Criticality.CRITICAL;
import static io.headgate.Criticality.CRITICAL_PLUS;
import static io.headgate.Criticality.SHEDDABLE;
import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.limit.OverloadGuard;
import io.headgate.limit.OverloadGuardBuilder;
import io.headgate.limit.OverloadSignal;
import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers with an overload guard, on a clock moved by hand. */
class OverloadWorkerTest extends RetryFixture {

  private static final Duration PERIOD = Duration.ofMillis(250);

  /** Never among the small share that passes. */
  private static final RandomGenerator UNLUCKY =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return -1;
        }
      };

  private volatile double load;

  private OverloadGuardBuilder guard() {
    return OverloadGuard.builder()
        .signal(OverloadSignal.of("connections", () -> load))
        .ticker(ticker)
        .random(UNLUCKY);
  }

  private Worker<String> started(OverloadGuard guard) {
    return start(builder(2, 8).overload(guard), (job, context) -> {});
  }

  private static Admission offer(Worker<String> worker, String id, Criticality criticality) {
    return worker.offer(Job.of(id, "").criticality(criticality));
  }

  private static Reason refusal(Admission admission) {
    return ((Admission.Refused) admission).reason();
  }

  private void sampled(OverloadGuard guard, double sampledLoad) {
    load = sampledLoad;
    Aside.until(
        () -> {
          ticker.advance(PERIOD);
          return guard.loads().getOrDefault("connections", -1.0) == sampledLoad;
        });
  }

  /** One sample refuses one class more. */
  private void refusing(OverloadGuard guard, double sampledLoad, Criticality from) {
    sampled(guard, sampledLoad);
    Aside.until(
        () -> {
          ticker.advance(PERIOD);
          return guard.refusedFrom().equals(Optional.of(from));
        });
  }

  /** A worker that remembers one job, and admits no other. */
  private Worker<String> refusingAll(OverloadGuard guard, String remembered) throws Exception {
    Worker<String> worker = started(guard);
    accept(worker, remembered);
    awaitSettled(worker);
    refusing(guard, 9, CRITICAL_PLUS);
    return worker;
  }

  @Test
  @Tag("O3")
  @Tag("O5")
  @Tag("A6")
  @Tag("CASE-40")
  @Tag("CASE-43")
  void overloadRefusesTheLeastCriticalFirstAndSaysWhenToComeAgain() throws Exception {
    OverloadGuard guard = guard().build();
    Worker<String> worker = started(guard);
    assertThat(offer(worker, "before", SHEDDABLE).isAccepted()).isTrue();
    sampled(guard, 1.0);
    Admission refused = offer(worker, "low", SHEDDABLE);
    assertThat(refusal(refused)).isEqualTo(Reason.OVERLOADED);
    assertThat(((Admission.Refused) refused).retryAfter().orElseThrow())
        .isBetween(Duration.ofMillis(400), Duration.ofSeconds(1));
    assertThat(offer(worker, "high", CRITICAL).isAccepted()).isTrue();
    refusing(guard, 1.2, CRITICAL);
    assertThat(refusal(offer(worker, "middle", CRITICAL))).isEqualTo(Reason.OVERLOADED);
    assertThat(offer(worker, "highest", CRITICAL_PLUS).isAccepted()).isTrue();
    Report report = awaitSettled(worker);
    assertThat(report.refused()).containsEntry(Reason.OVERLOADED, 2L);
    assertThat(report.overload().refusedFrom()).contains(CRITICAL);
    assertThat(report.overload().loads()).containsEntry("connections", 1.2);
    assertThat(report.overload().isOverloaded()).isTrue();
    assertThat(report.toJson())
        .contains("\"overload\":{\"loads\":{\"connections\":1.200},\"refusedFrom\":\"CRITICAL\"");
  }

  @Test
  @Tag("A7")
  void duplicateAndClosedAreToldBeforeOverload() throws Exception {
    OverloadGuard guard = guard().build();
    Worker<String> worker = refusingAll(guard, "known");
    assertThat(refusal(offer(worker, "known", SHEDDABLE))).isEqualTo(Reason.DUPLICATE);
    assertThat(refusal(worker.offer(Job.of("late", "").timeToLive(Duration.ZERO))))
        .isEqualTo(Reason.EXPIRED);
    assertThat(refusal(offer(worker, "", SHEDDABLE))).isEqualTo(Reason.INVALID_ID);
    worker.stopAdmission();
    assertThat(refusal(offer(worker, "new", SHEDDABLE))).isEqualTo(Reason.CLOSED);
  }

  @Test
  @Tag("A4")
  void overloadIsNeverWaitedFor() throws Exception {
    OverloadGuard guard = guard().build();
    Worker<String> worker = started(guard);
    refusing(guard, 9, CRITICAL_PLUS);
    assertThat(refusal(worker.offer(Job.of("a", ""), LONG))).isEqualTo(Reason.OVERLOADED);
    assertThat(worker.report().waitingProducers()).isZero();
  }

  @Test
  @Tag("O6")
  @Tag("CASE-40")
  void afterTenSecondsOfOverloadAllIsBackAtRestWithinTwo() throws Exception {
    HandlerGate<String> gate = HandlerGate.closed();
    OverloadGuard guard = guard().queueDelay(LONG).build();
    Worker<String> worker = start(builder(1, 1).overload(guard), gate.handler());
    accept(worker, "running");
    accept(worker, "waiting");
    for (int i = 0; i < 40; i++) {
      sampled(guard, 1.3 + i / 1_000.0);
      assertThat(offer(worker, "more" + i, CRITICAL).isAccepted()).isFalse();
    }
    assertThat(worker.report().overload().refusedFrom()).contains(CRITICAL_PLUS);
    gate.open();
    awaitSettled(worker);
    load = 0;
    for (int i = 0; i < 8; i++) {
      ticker.advance(PERIOD);
      guard.sample(); // the guard's own thread may be late
    }
    Overload overload = worker.report().overload();
    assertThat(overload.isOverloaded()).isFalse();
    assertThat(overload.oldestWaiting()).contains(Duration.ZERO);
    assertThat(overload.sinceLastRefusal().orElseThrow())
        .isGreaterThanOrEqualTo(Duration.ofMillis(1_900));
    assertThat(offer(worker, "after", SHEDDABLE).isAccepted()).isTrue();
    awaitSettled(worker);
  }

  @Test
  @Tag("O3")
  void guardIsToldHowManyHandlersAreRunnableAndHowLongTheOldestJobWaits() throws Exception {
    CountDownLatch parked = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(2);
    boolean[] spins = {true};
    OverloadGuard guard = guard().executorLoad().queueDelay(Duration.ofSeconds(10)).build();
    Worker<String> worker =
        start(
            builder(2, 8).threads(Thread.ofPlatform().daemon().factory()).overload(guard),
            (job, context) -> {
              entered.countDown();
              if (job.id().equals("spins")) {
                while (spinsOn(spins)) {
                  Thread.onSpinWait();
                }
              } else {
                parked.await();
              }
            });
    accept(worker, "spins");
    accept(worker, "parks");
    Aside.awaitLatch(entered);
    accept(worker, "waits");
    double oneOfThem = 1.0 / Runtime.getRuntime().availableProcessors();
    Aside.until(
        () -> {
          ticker.advance(PERIOD);
          double smoothed = guard.loads().getOrDefault("executor load", 0.0);
          return smoothed > 0.95 * oneOfThem && smoothed <= oneOfThem + 1e-9;
        });
    assertThat(guard.loads().get("queue delay")).isPositive();
    synchronized (spins) {
      spins[0] = false;
    }
    parked.countDown();
    awaitSettled(worker);
  }

  private static boolean spinsOn(boolean[] spins) {
    synchronized (spins) {
      return spins[0];
    }
  }

  @Test
  @Tag("D12")
  @Tag("B5")
  void oneThreadSamplesForAllWorkersAndEndsWithTheLast() throws Exception {
    OverloadGuard guard = guard().build();
    Worker<String> one = started(guard);
    Worker<String> other = started(guard);
    Aside.until(() -> samplers() == 1);
    one.drain(Duration.ZERO);
    sampled(guard, 0.5);
    assertThat(samplers()).isEqualTo(1);
    other.abort();
    Aside.until(() -> samplers() == 0);
    Worker<String> third = started(guard);
    sampled(guard, 0.25);
    third.abort();
    Aside.until(() -> samplers() == 0);
  }

  private static long samplers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("headgate-overload"))
        .count();
  }

  @Test
  @Tag("O5")
  void floorsAreOfServiceSoOverloadRefusesAllOfAClass() throws Exception {
    OverloadGuard guard = guard().build();
    Worker<String> worker = started(guard);
    sampled(guard, 1.0);
    accept(worker, "critical is offered, too");
    for (int i = 0; i < 500; i++) {
      assertThat(offer(worker, "low" + i, SHEDDABLE).isAccepted()).isFalse();
    }
    assertThat(guard.refusals()).isEqualTo(500);
    assertThat(worker.awaitIdle(HANG)).isTrue();
  }

  @Test
  @Tag("CASE-40")
  @Tag("L7")
  void signalThatThrowsAnErrorDoesNotEndTheSampling() throws Exception {
    boolean[] broken = {true};
    OverloadGuard guard =
        guard()
            .signal(
                OverloadSignal.of(
                    "broken",
                    () -> {
                      if (broken[0]) {
                        throw new NoClassDefFoundError("made up");
                      }
                      return 0.7;
                    }))
            .build();
    started(guard);
    sampled(guard, 0.25);
    assertThat(guard.loads()).containsEntry("broken", 0.0);
    broken[0] = false;
    sampled(guard, 0.5);
    Aside.until(
        () -> {
          ticker.advance(PERIOD);
          return guard.loads().get("broken") == 0.7;
        });
  }

  @Test
  @Tag("O3")
  @Tag("A5")
  void pausedWorkerTellsNoAgeAndHurtsNobodyWhoSharesItsGuard() throws Exception {
    OverloadGuard guard = guard().queueDelay(SECOND).build();
    Worker<String> paused = started(guard);
    Worker<String> other = started(guard);
    paused.pause();
    accept(paused, "old");
    ticker.advance(LONG);
    sampled(guard, 0.5);
    assertThat(guard.loads()).containsEntry("queue delay", 0.0);
    assertThat(offer(other, "a", SHEDDABLE).isAccepted()).isTrue();
    assertThat(offer(paused, "b", SHEDDABLE).isAccepted()).isTrue();
    paused.resume();
    awaitSettled(paused);
  }

  @Test
  @Tag("A6")
  @Tag("CASE-43")
  void guardCountsOnlyWhatItIsTheCauseOf() throws Exception {
    OverloadGuard guard = guard().build();
    Worker<String> worker = refusingAll(guard, "known");
    for (int i = 0; i < 100; i++) {
      assertThat(refusal(offer(worker, "known", CRITICAL))).isEqualTo(Reason.DUPLICATE);
    }
    assertThat(guard.refusals()).isZero();
    assertThat(guard.sinceLastRefusal()).isEmpty();
    assertThat(refusal(offer(worker, "new", CRITICAL))).isEqualTo(Reason.OVERLOADED);
    assertThat(guard.refusals()).isEqualTo(1);
  }

  @Test
  @Tag("CASE-42")
  void guardThatAsksForAgesOfABacklogThatKnowsNoneIsRefusedAtTheStart() {
    WorkerBuilder<String> builder =
        builder(1, 1)
            .overload(guard().queueDelay(SECOND).build())
            .backlog((settings, listener) -> Backlogs.<String>memory().open(settings, listener));
    assertThatThrownBy(() -> builder.start((job, context) -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("overload has a signal for how long jobs wait")
        .hasMessageContaining("knows no ages");
  }
}
