package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stops that race with producers, with other stops, and with interrupts of who waits for them. */
final class WorkerStopFrayTest {

  private final AtomicReference<Admission> first = new AtomicReference<>();
  private final AtomicReference<Admission> second = new AtomicReference<>();
  private final AtomicReference<Report> oneReport = new AtomicReference<>();
  private final AtomicReference<Report> otherReport = new AtomicReference<>();

  @Test
  @Tag("D1")
  @Tag("D2")
  void stopAdmissionOnAFullBacklogWakesEveryProducer() {
    Schedules.explore(
        400,
        () -> {
          Bench bench = Bench.of(1, 0);
          bench.offer("a");
          bench.claim();
          Actor one = Actor.doing(() -> first.set(bench.await("one")));
          Actor two = Actor.doing(() -> second.set(bench.await("two")));
          bench.backlog.stopAdmission();
          one.join();
          two.join();
          assertThat(Bench.reason(first.get())).isEqualTo(Reason.CLOSED);
          assertThat(Bench.reason(second.get())).isEqualTo(Reason.CLOSED);
          assertThat(Bench.reason(bench.offer("late"))).isEqualTo(Reason.CLOSED);
          assertThat(bench.settled().accepted()).isEqualTo(1);
        });
  }

  @Test
  @Tag("D2")
  @Tag("A1")
  void nothingIsAcceptedOnceStopAdmissionHasReturned() {
    Schedules.explore(
        600,
        () -> {
          Bench bench = Bench.of(1, 0);
          bench.offer("a");
          Actor one = Actor.doing(() -> first.set(bench.await("one")));
          Actor two = Actor.doing(() -> second.set(bench.await("two")));
          Actor worker = bench.workOff();
          bench.backlog.stopAdmission();
          long accepted = bench.backlog.tally().accepted();
          one.join();
          two.join();
          assertThat(Bench.reason(first.get())).isIn(null, Reason.CLOSED);
          assertThat(Bench.reason(second.get())).isIn(null, Reason.CLOSED);
          long in = accepted();
          assertThat(accepted).isEqualTo(1 + in);
          assertThat(bench.close(worker).accepted()).isEqualTo(accepted);
        });
  }

  @Test
  @Tag("D2")
  @Tag("L1")
  void drainRacingAWaitingProducerAddsUp() {
    Schedules.explore(
        200,
        () -> {
          Worker<String> worker = Workers.of(1, 0).start((job, context) -> {});
          Actor producer =
              Actor.doing(
                  () -> {
                    first.set(worker.offer(Job.of("a", ""), Workers.FOR_EVER));
                    second.set(worker.offer(Job.of("b", ""), Workers.FOR_EVER));
                  });
          Report report = worker.drain(Workers.FOR_EVER);
          producer.join();
          long in = accepted();
          Workers.assertClean(report);
          assertThat(report.completed()).isEqualTo(in);
          assertThat(Bench.reason(first.get())).isIn(null, Reason.CLOSED);
          assertThat(Bench.reason(second.get())).isIn(null, Reason.CLOSED);
          assertThat(worker.report().accepted()).isEqualTo(in);
        });
  }

  @Test
  @Tag("D9")
  void drainAndAbortAreOneStopAndTheAbortWins() {
    Schedules.explore(
        200,
        () -> {
          CountDownLatch never = new CountDownLatch(1);
          Worker<String> worker = Workers.of(1, 1).start((job, context) -> never.await());
          worker.offer(Job.of("a", ""));
          worker.offer(Job.of("b", ""));
          Actor drain = Actor.doing(() -> oneReport.set(worker.drain(Workers.FOR_EVER)));
          Report report = worker.abort();
          drain.join();
          assertThat(oneReport.get()).isSameAs(report);
          assertThat(report.ending()).contains(Ending.ABORTED);
          assertThat(report.interrupted() + report.unstarted()).isEqualTo(2);
          assertThat(report.abandoned()).containsExactly("a", "b");
          Workers.assertAddsUp(report);
        });
  }

  @Test
  @Tag("D9")
  void shorterDrainTightensALongerOne() {
    Schedules.explore(
        200,
        () -> {
          CountDownLatch never = new CountDownLatch(1);
          Worker<String> worker = Workers.of(1, 0).start((job, context) -> never.await());
          worker.offer(Job.of("a", ""));
          Actor longer = Actor.doing(() -> oneReport.set(worker.drain(Workers.FOR_EVER)));
          Actor shorter = Actor.doing(() -> otherReport.set(worker.drain(Duration.ZERO)));
          longer.join();
          shorter.join();
          assertThat(oneReport.get()).isSameAs(otherReport.get());
          assertThat(oneReport.get().ending()).contains(Ending.DEADLINE);
          assertThat(oneReport.get().abandoned()).containsExactly("a");
          Workers.assertAddsUp(oneReport.get());
        });
  }

  @Test
  @Tag("D11")
  void interruptOfADrainCallerStopsNeitherTheStopNorTheNextCaller() {
    Schedules.explore(
        200,
        () -> {
          CountDownLatch gate = new CountDownLatch(1);
          Worker<String> worker = Workers.of(1, 0).start((job, context) -> gate.await());
          worker.offer(Job.of("a", ""));
          oneReport.set(null);
          Actor caller = Actor.doing(() -> oneReport.set(worker.drain(Workers.FOR_EVER)));
          caller.interrupt();
          gate.countDown();
          boolean thrown = caller.endedByInterrupt();
          Report report = worker.drain(Workers.FOR_EVER);
          if (thrown) {
            assertThat(oneReport.get()).isNull();
          } else {
            assertThat(oneReport.get()).isSameAs(report);
          }
          Workers.assertClean(report);
          assertThat(report.completed()).isEqualTo(1);
        });
  }

  @Test
  @Tag("D4")
  @Tag("L10")
  void deadlineRacingTheEndOfAJobLosesNothing() {
    Schedules.explore(
        200,
        () -> {
          CountDownLatch gate = new CountDownLatch(1);
          Worker<String> worker = Workers.of(1, 1).start((job, context) -> gate.await());
          worker.offer(Job.of("a", ""));
          worker.offer(Job.of("b", ""));
          Actor opener = Actor.doing(gate::countDown);
          Report report = worker.drain(Duration.ZERO);
          opener.join();
          Workers.assertAddsUp(report);
          assertThat(report.unfinished()).isZero();
          assertThat(report.completed() + report.interrupted() + report.unstarted()).isEqualTo(2);
          assertThat(report.abandoned()).hasSize((int) (2 - report.completed()));
          assertThat(report.isClean()).isEqualTo(report.completed() == 2);
        });
  }

  /** How many of the two jobs are in. */
  private long accepted() {
    return Stream.of(first.get(), second.get()).filter(Admission::isAccepted).count();
  }
}
