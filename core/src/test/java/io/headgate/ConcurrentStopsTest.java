package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertBalanced;
import static io.headgate.LedgerAssert.assertSettled;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several stops at once are one stop, and it is only ever tightened. */
@Timeout(60)
class ConcurrentStopsTest {

  private static final Duration SHORT = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofHours(1);

  private final ManualTicker ticker = ManualTicker.create();
  private final HandlerGate<String> gate = HandlerGate.closed();
  private final Worker<String> worker =
      Worker.<String>builder("stops")
          .concurrency(1)
          .capacity(2)
          .ticker(ticker)
          .start(gate.handler());

  private Aside<Report> stop(Callable<Report> stop) throws Exception {
    Aside<Report> caller = Aside.call(stop);
    caller.awaitParked();
    assertThat(ticker.awaitWaiters(1, HANG)).isTrue();
    return caller;
  }

  private void fill() throws InterruptedException {
    for (String id : List.of("a", "b", "c")) {
      assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
    }
    assertThat(gate.awaitEntered(1, HANG)).isTrue();
  }

  @Test
  @Tag("D9")
  void tenDrainsAndAbortsGetOneReport() throws Exception {
    for (int round = 0; round < 100; round++) {
      Worker<String> contended =
          Worker.<String>builder("ten")
              .concurrency(2)
              .capacity(8)
              .start(
                  (job, context) -> {
                    if (job.id().startsWith("blocks")) {
                      new CountDownLatch(1).await();
                    }
                  });
      for (int i = 0; i < 10; i++) {
        assertThat(contended.offer(Job.of((i % 3 == 0 ? "blocks" : "quick") + i, "")).isAccepted())
            .isTrue();
      }
      List<Aside<Report>> callers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        boolean aborts = i == 5;
        callers.add(
            Aside.call(
                () -> aborts ? contended.abort(Duration.ofMillis(1)) : contended.drain(LONG)));
      }
      Report report = assertSettled(callers.getFirst().result());
      for (Aside<Report> caller : callers) {
        assertThat(caller.result()).isSameAs(report);
      }
      assertThat(report.accepted()).isEqualTo(10);
      assertThat(report.ending()).contains(Ending.ABORTED);
    }
  }

  @Test
  @Tag("D9")
  void aShorterLaterDeadlineWins() throws Exception {
    fill();
    Aside<Report> first = stop(() -> worker.drain(LONG));
    Aside<Report> second = stop(() -> worker.drain(SHORT));

    ticker.advance(SHORT);

    Report report = assertSettled(first.result());
    assertThat(second.result()).isSameAs(report);
    assertThat(report.ending()).contains(Ending.DEADLINE);
    assertThat(report.drainTime()).isEqualTo(SHORT);
  }

  @Test
  @Tag("D9")
  void aLongerLaterDeadlineRelaxesNothing() throws Exception {
    fill();
    Aside<Report> first = stop(() -> worker.drain(SHORT));
    Aside<Report> second = stop(() -> worker.drain(LONG));

    ticker.advance(SHORT);

    Report report = assertSettled(second.result());
    assertThat(first.result()).isSameAs(report);
    assertThat(report.drainTime()).isEqualTo(SHORT);
  }

  @Test
  @Tag("D9")
  void aLaterDeadlineIsCountedFromItsOwnCall() throws Exception {
    fill();
    Aside<Report> first = stop(() -> worker.drain(LONG));
    ticker.advance(Duration.ofSeconds(5));
    Aside<Report> second = stop(() -> worker.drain(SHORT));
    ticker.advance(SHORT.minusNanos(1));
    assertThat(assertBalanced(worker.report()).unfinished()).isEqualTo(3);
    assertThat(worker.state()).isEqualTo(WorkerState.DRAINING);

    ticker.advance(Duration.ofSeconds(1));

    Report report = assertSettled(second.result());
    assertThat(first.result()).isSameAs(report);
    assertThat(report.drainTime()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  @Tag("D9")
  @Tag("D7")
  void anAbortDuringADrainDiscardsAtOnceAndEscalates() throws Exception {
    fill();
    Aside<Report> drain = stop(() -> worker.drain(LONG));
    Aside<Report> abort = stop(() -> worker.abort(SHORT));

    Report during = assertBalanced(worker.report());
    assertThat(during.unstarted()).isEqualTo(2);
    assertThat(during.running()).isEqualTo(1);
    ticker.advance(SHORT);

    Report report = assertSettled(drain.result());
    assertThat(abort.result()).isSameAs(report);
    assertThat(report.ending()).contains(Ending.ABORTED);
    assertThat(report.outcomes())
        .containsExactly(
            new Outcome.Unstarted("b", Outcome.Unstarted.Cause.ABORTED),
            new Outcome.Unstarted("c", Outcome.Unstarted.Cause.ABORTED),
            new Outcome.Interrupted("a", 1));
    assertThat(report.abandoned()).containsExactly("a", "b", "c");
  }

  @Test
  @Tag("D9")
  void aDrainDuringAnAbortRelaxesNothing() throws Exception {
    fill();
    Aside<Report> abort = stop(() -> worker.abort(SHORT));
    Aside<Report> drain = stop(() -> worker.drain(LONG));

    ticker.advance(SHORT);

    Report report = assertSettled(drain.result());
    assertThat(abort.result()).isSameAs(report);
    assertThat(report.ending()).contains(Ending.ABORTED);
    assertThat(report.drainTime()).isEqualTo(SHORT);
  }

  @Test
  @Tag("D9")
  void closeTightensADrain() throws Exception {
    HandlerGate<String> held = HandlerGate.closed();
    Worker<String> closed =
        Worker.<String>builder("close")
            .concurrency(1)
            .ticker(ticker)
            .grace(SHORT)
            .start(held.handler());
    assertThat(closed.offer(Job.of("a", "")).isAccepted()).isTrue();
    assertThat(held.awaitEntered(1, HANG)).isTrue();
    Aside<Report> drain = Aside.call(() -> closed.drain(LONG));
    drain.awaitParked();
    Aside<Boolean> close = Aside.run(closed::close);
    close.awaitParked();

    ticker.advance(SHORT);

    assertThat(assertSettled(drain.result()).ending()).contains(Ending.DEADLINE);
    close.result();
  }
}
