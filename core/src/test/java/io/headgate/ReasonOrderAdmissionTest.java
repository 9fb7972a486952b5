package io.headgate;

import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which reason is told where several are true, and what is told before any wait. */
@Timeout(60)
class ReasonOrderAdmissionTest {

  private static final int MAX_ID_BYTES = 8;
  private static final long BUDGET = 100;
  private static final long NEGATIVE = -1;

  /** A payload is its own weight. */
  enum Id {
    FRESH("fresh"),
    TAKEN("holder"),
    ILL_FORMED("\uD800"),
    LONG("123456789");

    final String text;

    Id(String text) {
      this.text = text;
    }
  }

  record Faults(Id id, long weight, boolean expired, boolean closed, boolean full) {

    Job<Long> job() {
      Job<Long> job = Job.of(id.text, weight);
      return expired ? job.timeToLive(Duration.ZERO) : job;
    }

    /** The job itself in the order of the enum, then CLOSED, then DUPLICATE, then overload. */
    List<Reason> told(Reason overload) {
      List<Reason> told = new ArrayList<>();
      addIf(told, id == Id.ILL_FORMED, Reason.INVALID_ID);
      addIf(told, id == Id.LONG, Reason.ID_TOO_LONG);
      addIf(told, weight == NEGATIVE, Reason.INVALID_SIZE);
      addIf(told, weight > BUDGET, Reason.TOO_LARGE);
      addIf(told, expired, Reason.EXPIRED);
      addIf(told, closed, Reason.CLOSED);
      addIf(told, id == Id.TAKEN, Reason.DUPLICATE);
      addIf(told, full, overload);
      return told;
    }

    private static void addIf(List<Reason> told, boolean holds, Reason reason) {
      if (holds) {
        told.add(reason);
      }
    }
  }

  static Stream<Faults> everyCombination() {
    List<Faults> all = new ArrayList<>();
    for (Id id : Id.values()) {
      for (long weight : new long[] {1, NEGATIVE, BUDGET + 1}) {
        for (int bits = 0; bits < 8; bits++) {
          all.add(new Faults(id, weight, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("everyCombination")
  @Tag("A7")
  void severalReasonsAreToldInOneOrder(Faults faults) throws Exception {
    check(faults, WhenFull.refuse(), faults.told(Reason.FULL));
    check(faults, WhenFull.shedLeastCritical(), faults.told(Reason.SHED));
    // None may wait here, so whoever would have to wait is told so at once.
    check(faults, null, faults.told(Reason.TOO_MANY_WAITERS));
  }

  /** With {@code answer} null the job is offered with patience without end. */
  private static void check(Faults faults, WhenFull answer, List<Reason> expected)
      throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("order")
            .concurrency(1)
            .capacity(faults.full() ? 0 : 1)
            .capacityBytes(BUDGET, weight -> weight)
            .maxJobIdBytes(MAX_ID_BYTES)
            .maxWaitingProducers(0)
            .whenFull(answer == null ? WhenFull.refuse() : answer)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      assertThat(worker.offer(Job.of("holder", 1L)).isAccepted()).isTrue();
      if (faults.closed()) {
        worker.stopAdmission();
      }
      Admission told =
          answer == null
              ? worker.offer(faults.job(), WaitingProducer.FOR_EVER)
              : worker.submit(faults.job());
      if (expected.isEmpty()) {
        assertThat(told.isAccepted()).as("%s", faults).isTrue();
      } else {
        assertThat(told).as("%s", faults).isEqualTo(Admission.refused(expected.getFirst()));
        assertThat(worker.report().refused()).containsExactly(Map.entry(expected.getFirst(), 1L));
      }
      gate.open();
      assertThat(LedgerAssert.awaitSettled(worker).accepted())
          .isEqualTo(expected.isEmpty() ? 2 : 1);
    }
  }

  @Test
  @Tag("A7")
  void lackOfPlacesIsToldBeforeLackOfBytes() throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("both")
            .concurrency(1)
            .capacity(0)
            .capacityBytes(BUDGET, weight -> weight)
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      assertThat(worker.offer(Job.of("holder", BUDGET)).isAccepted()).isTrue();
      assertThat(worker.offer(Job.of("next", 1L))).is(refusedFor(Reason.FULL));
      worker.setCapacity(1);
      assertThat(worker.offer(Job.of("next", 1L))).is(refusedFor(Reason.FULL_BYTES));
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  /** What can never be admitted, on a full worker, with patience without end. */
  enum Hopeless {
    INVALID_ID,
    ID_TOO_LONG,
    INVALID_SIZE,
    TOO_LARGE,
    EXPIRED,
    CLOSED,
    DUPLICATE
  }

  @ParameterizedTest
  @EnumSource(Hopeless.class)
  @Tag("A7")
  @Tag("CASE-6")
  @Tag("CASE-7")
  void whatCannotBeAdmittedIsRefusedInsteadOfWaiting(Hopeless hopeless) throws Exception {
    HandlerGate<Long> gate = HandlerGate.closed();
    try (Worker<Long> worker =
        Worker.<Long>builder("hopeless")
            .concurrency(1)
            .capacity(0)
            .capacityBytes(BUDGET, weight -> weight)
            .maxJobIdBytes(MAX_ID_BYTES)
            .whenFull(WhenFull.waitUpTo(WaitingProducer.FOR_EVER))
            .grace(Duration.ZERO)
            .start(gate.handler())) {
      assertThat(worker.offer(Job.of("holder", 1L)).isAccepted()).isTrue();
      if (hopeless == Hopeless.CLOSED) {
        worker.stopAdmission();
      }
      Job<Long> job =
          switch (hopeless) {
            case INVALID_ID -> Job.of("", 1L);
            case ID_TOO_LONG -> Job.of("123456789", 1L);
            case INVALID_SIZE -> Job.of("a", -5L);
            case TOO_LARGE -> Job.of("a", BUDGET + 1);
            case EXPIRED -> Job.of("a", 1L).timeToLive(Duration.ZERO);
            case CLOSED -> Job.of("a", 1L);
            case DUPLICATE -> Job.of("holder", 1L);
          };
      Admission expected = Admission.refused(Reason.valueOf(hopeless.name()));
      // A call that waited would never return: nothing here ever makes room.
      assertThat(worker.submit(job)).isEqualTo(expected);
      assertThat(worker.offer(job, WaitingProducer.FOR_EVER)).isEqualTo(expected);
      assertThat(worker.offer(job)).isEqualTo(expected);
      gate.open();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A7")
  @Tag("CASE-6")
  void jobLargerThanTheWholeBudgetIsRefusedByAnIdleWorker() throws Exception {
    try (Worker<Long> worker =
        Worker.<Long>builder("idle")
            .concurrency(1)
            .capacityBytes(BUDGET, weight -> weight)
            .start((job, context) -> {})) {
      assertThat(worker.offer(Job.of("a", BUDGET + 1), WaitingProducer.FOR_EVER))
          .isEqualTo(Admission.refused(Reason.TOO_LARGE));
      assertThat(worker.offer(Job.of("a", BUDGET)).isAccepted()).isTrue();
      LedgerAssert.awaitSettled(worker);
    }
  }

  @Test
  @Tag("A7")
  void nullIsAProgrammingErrorAndCountsNothing() throws Exception {
    try (Worker<Long> worker =
        Worker.<Long>builder("nulls").concurrency(1).start((job, context) -> {})) {
      assertThatThrownBy(() -> worker.offer(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> Job.of(null, 1L)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> Job.of("a", null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> worker.offer(Job.of("a", 1L), null))
          .isInstanceOf(NullPointerException.class);
      Report report = LedgerAssert.awaitSettled(worker);
      assertThat(report.accepted()).isZero();
      assertThat(report.refused()).isEmpty();
    }
  }
}
