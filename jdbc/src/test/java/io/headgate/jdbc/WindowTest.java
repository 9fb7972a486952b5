package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.Worker;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ids of the window, who owns a start, and what leaves the history, as far as one node goes. */
class WindowTest extends StoreFixture {

  private static final int RACERS = 16;

  @Test
  @Tag("K5")
  @Tag("CASE-53")
  void ofRacingSubmissionsOfAnIdOneIsAcceptedAndAllOthersAreToldDuplicate() throws Exception {
    Worker<String> worker = start(store(), (job, context) -> {});
    worker.setCapacity(1_000);
    worker.pause();
    for (int round = 0; round < 20; round++) {
      String id = "job-" + round;
      List<FutureTask<Admission>> offers = new ArrayList<>();
      for (int i = 0; i < RACERS; i++) {
        String payload = "payload " + i;
        FutureTask<Admission> offer = new FutureTask<>(() -> worker.offer(Job.of(id, payload)));
        offers.add(offer);
        Thread.ofPlatform().daemon().start(offer);
      }
      int accepted = 0;
      for (FutureTask<Admission> offer : offers) {
        if (offer.get().isAccepted()) {
          accepted++;
        } else {
          assertThat(offer.get()).isEqualTo(Admission.refused(Reason.DUPLICATE));
        }
      }
      assertThat(accepted).isEqualTo(1);
    }
    assertThat(worker.report().accepted()).isEqualTo(20);
  }

  @Test
  @Tag("K5")
  @Tag("CASE-53")
  void aGroupWithDuplicatesTakesAllOthersAndLeavesNoIdBehind() throws Exception {
    Outage outage = new Outage();
    List<String> done = new CopyOnWriteArrayList<>();
    Worker<String> worker =
        start(
            JdbcBacklog.sqlite(file(), Codec.text()).observed(clock::get, outage),
            (job, context) -> done.add(job.id()));
    submit(worker, "old");
    assertThat(worker.awaitIdle(LONG)).isTrue();
    worker.pause();
    outage.hang();
    List<FutureTask<Admission>> offers = new ArrayList<>();
    for (String id : List.of("first", "a", "old", "b", "a", "c")) {
      FutureTask<Admission> offer = new FutureTask<>(() -> worker.offer(Job.of(id, id)));
      offers.add(offer);
      Thread thread = Thread.ofPlatform().daemon().start(offer);
      eventually(() -> thread.getState() == Thread.State.WAITING);
    }
    outage.letGo();
    List<Boolean> answers = new ArrayList<>();
    for (FutureTask<Admission> offer : offers) {
      answers.add(offer.get().isAccepted());
    }
    assertThat(answers).containsExactly(true, true, false, true, false, true);
    worker.resume();
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactlyInAnyOrder("old", "first", "a", "b", "c");
  }

  @Test
  @Tag("K6")
  @Tag("CASE-46")
  void aRestartedProcessIsAnotherOwnerWhateverItsNameIs() throws Exception {
    Worker<String> first = start(store(), staying);
    submit(first, "a");
    entered.acquire();
    var crashed = crashImage("crash.db");
    long before = token(crashed);
    Worker<String> next = start(store(crashed), staying);
    entered.acquire();
    assertThat(token(crashed)).as("a start of its own, with a newer token").isGreaterThan(before);
    assertThat(Files.readString(folder.resolve("crash.db.owner")).strip())
        .isEqualTo(Long.toString(ProcessHandle.current().pid()));
    release.release(1_000);
    assertThat(next.awaitIdle(LONG)).isTrue();
  }

  private static long token(java.nio.file.Path file) throws Exception {
    try (StoreAudit audit = StoreAudit.of(file)) {
      return audit.number("SELECT token FROM job WHERE state = 1");
    }
  }

  @Test
  @Tag("CASE-55")
  void whatLeavesInOneTransactionIsBoundedAlsoUnderAReaderThatHoldsItsSnapshot() throws Exception {
    Worker<String> first =
        start(store(), (job, context) -> {}, builder -> builder.history(Worker.UNBOUNDED));
    first.setCapacity(1_000);
    for (int i = 0; i < 500; i++) {
      submit(first, "job-" + i);
    }
    assertThat(first.awaitIdle(LONG)).isTrue();
    first.drain(LONG);

    AtomicLong latest = new AtomicLong(1);
    Set<Long> steps = new HashSet<>();
    try (StoreAudit snapshot = StoreAudit.of(file());
        StoreAudit looking = StoreAudit.of(file())) {
      snapshot.execute("BEGIN");
      assertThat(snapshot.number("SELECT count(*) FROM outcome")).isEqualTo(500);
      Signals signals =
          point -> {
            if (point == Signals.Point.COMMITTED) {
              long now = firstOutcome(looking);
              steps.add(now - latest.getAndSet(now));
            }
          };
      Worker<String> second =
          start(
              store().observed(clock::get, signals),
              (job, context) -> {},
              builder -> builder.history(10));
      for (int i = 0; i < 30; i++) {
        submit(second, "more-" + i);
        assertThat(second.awaitIdle(LONG)).isTrue();
      }
      second.drain(LONG);
      assertThat(snapshot.number("SELECT count(*) FROM outcome")).as("as it was").isEqualTo(500);
      snapshot.execute("COMMIT");
    }
    assertThat(latest.get()).as("all but ten have left").isEqualTo(521);
    assertThat(steps).allMatch(step -> step <= 70);
  }

  private static long firstOutcome(StoreAudit looking) {
    try {
      return looking.number("SELECT first_outcome FROM counter");
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
