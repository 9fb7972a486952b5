package io.headgate;

import static io.headgate.LedgerAssert.HANG;
import static io.headgate.LedgerAssert.assertSettled;
import static io.headgate.LedgerAssert.awaitSettled;
import static io.headgate.LedgerAssert.refusedFor;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testing.HandlerGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners are told what happens, and can harm nothing. */
@Timeout(60)
class ListenerTest {

  private final List<WorkerEvent> told = new CopyOnWriteArrayList<>();

  private <E extends WorkerEvent> List<E> toldOf(Class<E> kind) {
    return told.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private void awaitStopTold() {
    Aside.until(() -> told.contains(new WorkerEvent.StateChanged(WorkerState.STOPPED)));
  }

  @Test
  @Tag("L3")
  @Tag("D4")
  void everyJobIsToldWithItsOneEndAndEveryStateInOrder() throws Exception {
    HandlerGate<String> gate =
        HandlerGate.before(
            (job, context) -> {
              if (job.id().equals("fails")) {
                throw new IllegalStateException();
              }
            });
    Worker<String> worker =
        Worker.<String>builder("told")
            .concurrency(1)
            .capacity(4)
            .listener(told::add)
            .start(gate.handler());
    for (String id : List.of("completes", "fails", "interrupted", "cancelled", "drained")) {
      assertThat(worker.offer(Job.of(id, "")).isAccepted()).isTrue();
    }
    assertThat(worker.offer(Job.of("more", ""))).is(refusedFor(Reason.FULL));
    assertThat(worker.cancel("cancelled")).isEqualTo(CancelResult.UNSTARTED);
    gate.pass(2);
    assertThat(gate.awaitEntered(3, HANG)).isTrue();
    Report report = assertSettled(worker.drain(Duration.ZERO));
    awaitStopTold();

    assertThat(toldOf(WorkerEvent.Accepted.class))
        .extracting(WorkerEvent.Accepted::jobId)
        .containsExactly("completes", "fails", "interrupted", "cancelled", "drained");
    assertThat(toldOf(WorkerEvent.Refused.class))
        .containsExactly(new WorkerEvent.Refused("more", Reason.FULL));
    assertThat(toldOf(WorkerEvent.Started.class))
        .containsExactly(
            new WorkerEvent.Started("completes", 1),
            new WorkerEvent.Started("fails", 1),
            new WorkerEvent.Started("interrupted", 1));
    assertThat(toldOf(WorkerEvent.Ended.class))
        .extracting(WorkerEvent.Ended::outcome)
        .containsExactlyInAnyOrderElementsOf(report.outcomes())
        .hasSize(5);
    assertThat(toldOf(WorkerEvent.StateChanged.class))
        .extracting(WorkerEvent.StateChanged::state)
        .containsExactly(WorkerState.DRAINING, WorkerState.CANCELLING, WorkerState.STOPPED);
    for (String id : List.of("completes", "fails", "interrupted")) {
      int started = told.indexOf(new WorkerEvent.Started(id, 1));
      assertThat(told.subList(0, started))
          .noneMatch(
              event ->
                  event instanceof WorkerEvent.Ended ended && ended.outcome().jobId().equals(id));
    }
    assertThat(worker.eventsDropped()).isZero();
  }

  @Test
  @Tag("CASE-3")
  void aListenerThatThrowsHarmsNeitherTheOthersNorTheLedger() throws Exception {
    Worker<String> worker =
        Worker.<String>builder("throws")
            .concurrency(1)
            .capacity(0)
            .listener(
                event -> {
                  Thread.currentThread().interrupt();
                  throw new IllegalStateException("a listener that throws");
                })
            .listener(
                event -> {
                  throw new StackOverflowError("a listener that overflows");
                })
            .listener(told::add)
            .start((job, context) -> {});
    for (int i = 0; i < 3; i++) {
      assertThat(worker.offer(Job.of("j" + i, ""), HANG).isAccepted()).isTrue();
    }
    assertThat(assertSettled(worker.drain(Duration.ofHours(1))).completed()).isEqualTo(3);
    awaitStopTold();

    assertThat(toldOf(WorkerEvent.Ended.class)).hasSize(3);
    ThreadWatch.awaitNoControlThread("throws");
  }

  @Test
  @Tag("CASE-3")
  @Tag("D16")
  void aListenerThatHangsSlowsNothingAndWhatFindsNoPlaceIsCounted() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicLong heard = new AtomicLong();
    AtomicReference<WorkerEvent> last = new AtomicReference<>();
    Worker<String> worker =
        Worker.<String>builder("hangs")
            .concurrency(2)
            .capacity(1_000)
            .listener(
                event -> {
                  hanging.countDown();
                  while (release.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                  last.set(event);
                  heard.incrementAndGet();
                })
            .start((job, context) -> {});
    for (int i = 0; i < 1_000; i++) {
      assertThat(worker.offer(Job.of("j" + i, "")).isAccepted()).isTrue();
    }
    Aside.awaitLatch(hanging);

    Report report = assertSettled(worker.drain(Duration.ofHours(1)));

    assertThat(report.completed()).isEqualTo(1_000);
    assertThat(report.isClean()).isTrue();
    // Accepted, started and ended for each, and two changes of state: one is held, 1,024 wait.
    long emitted = 3 * 1_000 + 2;
    Aside.until(() -> worker.eventsDropped() == emitted - 1_025);
    release.countDown();
    Aside.until(() -> heard.get() == 1_025);
    assertThat(last.get()).isNotNull();
    ThreadWatch.awaitNoControlThread("hangs");
  }

  @Test
  @Tag("D12")
  void aListenerMayAskAndStopTheWorker() throws Exception {
    AtomicReference<Worker<String>> self = new AtomicReference<>();
    AtomicReference<Report> stopped = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Worker<String> worker =
        Worker.<String>builder("asks")
            .concurrency(1)
            .listener(
                event -> {
                  if (event instanceof WorkerEvent.Ended) {
                    try {
                      Aside.awaitLatch(ready);
                      stopped.set(self.get().drain(Duration.ofHours(1)));
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    } finally {
                      done.countDown();
                    }
                  }
                })
            .start((job, context) -> {});
    self.set(worker);
    assertThat(worker.offer(Job.of("a", "")).isAccepted()).isTrue();
    awaitSettled(worker);
    ready.countDown();
    Aside.awaitLatch(done);

    assertThat(stopped.get().isClean()).isTrue();
    assertThat(worker.drain(Duration.ZERO)).isSameAs(stopped.get());
    ThreadWatch.awaitNoControlThread("asks");
  }
}
