package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.Worker;
import io.headgate.retry.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What survives what, where no other test says it: see the table of docs/durable-store.md. */
@Tag("K1")
class SurvivalTest extends StoreFixture {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Outage outage = new Outage();
  private final List<String> done = new CopyOnWriteArrayList<>();

  private JdbcBacklog<String> failing() {
    return JdbcBacklog.sqlite(file(), Codec.text()).observed(clock::get, outage);
  }

  private static Admission offer(Worker<String> worker, String id) {
    return worker.offer(Job.of(id, "payload of " + id));
  }

  /** A job that failed once and may be tried again in an hour. */
  private Worker<String> suspended(JdbcBacklog<String> store) {
    Worker<String> worker =
        start(
            store,
            (job, context) -> {
              if (context.attempt() == 1) {
                throw new IllegalStateException("not yet");
              }
              done.add(job.id() + " " + context.attempt());
            },
            builder ->
                builder.retry(RetryPolicy.attempts(3).backoff(HOUR, HOUR).random(new Random(7))));
    submit(worker, "a");
    eventually(() -> worker.report().suspended() == 1);
    return worker;
  }

  private void beginOutage(Worker<String> worker) {
    outage.begin();
    eventually(() -> offer(worker, "probe").equals(Admission.refused(Reason.UNAVAILABLE)));
  }

  @Test
  @Tag("K3")
  @Tag("R7")
  void aCrashNeitherLosesNorHurriesAJobBetweenTwoAttempts() throws Exception {
    Worker<String> first = suspended(store());
    Path crashed = crashImage("crash.db");
    first.drain(LONG); // it lives on beside its image, and is not to run what the next one runs
    Worker<String> next =
        start(store(crashed), (job, context) -> done.add(job.id() + " " + context.attempt()));
    submit(next, "b");
    eventually(() -> done.contains("b 1"));
    assertThat(next.report().suspended()).isEqualTo(1);
    clock.addAndGet(HOUR.toNanos());
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("b 1", "a 2");
  }

  @Test
  void aJobBetweenTwoAttemptsGoesOnWhenTheStoreIsBack() throws Exception {
    Worker<String> worker = suspended(failing());
    beginOutage(worker);
    clock.addAndGet(HOUR.toNanos());
    outage.end();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).contains("a 2");
  }

  @Test
  void whatHadEndedStaysEndedAndItsIdStaysTakenAfterACrash() throws Exception {
    Worker<String> first = start(store(), (job, context) -> done.add(job.id()));
    submit(first, "a");
    assertThat(first.awaitIdle(LONG)).isTrue();
    Worker<String> next =
        start(store(crashImage("crash.db")), (job, context) -> done.add(job.id()));
    assertThat(next.outcome("a")).contains(new Outcome.Completed("a", 1));
    assertThat(offer(next, "a")).isEqualTo(Admission.refused(Reason.DUPLICATE));
    assertThat(done).containsExactly("a");
  }

  @Test
  void whatHadEndedStaysWhileTheStoreIsAwayAndAfter() throws Exception {
    Worker<String> worker = start(failing(), (job, context) -> done.add(job.id()));
    submit(worker, "a");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    beginOutage(worker);
    assertThat(worker.outcome("a")).as("reading goes on").contains(new Outcome.Completed("a", 1));
    assertThat(worker.report().completed()).isEqualTo(1);
    outage.end();
    eventually(worker::isAvailable);
    assertThat(offer(worker, "a")).isEqualTo(Admission.refused(Reason.DUPLICATE));
    assertThat(worker.report().accepted())
        .isEqualTo(worker.report().completed() + worker.report().unfinished());
  }

  @Test
  void aClockThatJumpsTouchesNothingThatRunsHasEndedOrIsCounted() throws Exception {
    Worker<String> worker = start(store(), (job, context) -> {});
    submit(worker, "ended");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    worker.drain(LONG);
    Worker<String> next = start(store(), staying);
    next.setConcurrency(1);
    submit(next, "running");
    entered.acquire();
    for (Duration jump : List.of(HOUR.multipliedBy(48), HOUR.multipliedBy(-96), HOUR)) {
      clock.addAndGet(jump.toNanos());
      assertThat(next.report().running()).isEqualTo(1);
      assertThat(next.outcome("ended")).contains(new Outcome.Completed("ended", 1));
      assertThat(offer(next, "ended")).isEqualTo(Admission.refused(Reason.DUPLICATE));
      assertThat(offer(next, "jump " + jump)).as("and it is answered").isNotNull();
    }
    release.release(10);
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(next.outcome("running")).contains(new Outcome.Completed("running", 1));
    assertThat(next.report().completed()).isEqualTo(next.report().accepted());
  }

  // ---- a producer that waits for room ----

  /** A worker that runs "a" and "b" and has no room, with a producer that waits to submit "c". */
  private FutureTask<Admission> waiting(Worker<String> worker, Duration patience)
      throws InterruptedException {
    worker.setCapacity(0);
    submit(worker, "a", "b");
    entered.acquire(2);
    FutureTask<Admission> offer =
        new FutureTask<>(() -> worker.offer(Job.of("c", "payload of c"), patience));
    Thread.ofPlatform().daemon().start(offer);
    eventually(() -> worker.report().waitingProducers() == 1);
    return offer;
  }

  @Test
  void aProducerThatWaitsForRoomIsToldClosedByAStop() throws Exception {
    Worker<String> worker = start(store(), staying);
    FutureTask<Admission> offer = waiting(worker, LONG);
    worker.stopAdmission();
    assertThat(offer.get()).isEqualTo(Admission.refused(Reason.CLOSED));
    assertThat(worker.report().accepted()).isEqualTo(2);
  }

  @Test
  void aProducerThatWaitedForRoomHadSubmittedNothingWhenItCrashed() throws Exception {
    assertThat(waiting(start(store(), staying), LONG).isDone()).isFalse();
    Worker<String> next =
        start(store(crashImage("crash.db")), (job, context) -> done.add(job.id()));
    assertThat(offer(next, "c")).as("its id is free").isEqualTo(Admission.accepted());
  }

  @Test
  void aProducerThatWaitsForRoomWaitsOnThroughAnOutage() throws Exception {
    Worker<String> worker = start(failing(), staying);
    FutureTask<Admission> offer = waiting(worker, LONG);
    beginOutage(worker);
    outage.end();
    eventually(worker::isAvailable);
    assertThat(offer.isDone()).isFalse();
    release.release(2);
    assertThat(offer.get()).isEqualTo(Admission.accepted());
  }

  @Test
  void aProducerThatWaitsForRoomDoesNotReadTheClockThatJumps() throws Exception {
    Worker<String> worker = start(store(), staying);
    FutureTask<Admission> offer = waiting(worker, LONG);
    clock.addAndGet(HOUR.toNanos());
    worker.pause(); // any event lets the line look at its times
    worker.resume();
    assertThat(offer.isDone()).isFalse();
    clock.addAndGet(HOUR.multipliedBy(-2).toNanos());
    release.release(2);
    assertThat(offer.get()).isEqualTo(Admission.accepted());
  }
}
