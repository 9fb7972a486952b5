package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Outcome;
import io.headgate.Report;
import io.headgate.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is made of a store whose process is gone: the files are copied while a handler runs, which
 * is what a kill would leave. Real kills are in {@link KillTest}.
 */
class CrashTest extends StoreFixture {

  private final List<String> done = new CopyOnWriteArrayList<>();

  /** The files as they are while "running" runs and "waiting" waits. */
  private Path crash() throws Exception {
    Worker<String> worker = start(store(), staying, builder -> builder.maxJobIdBytes(64));
    worker.setConcurrency(1);
    submit(worker, "running", "waiting");
    entered.acquire();
    return crashImage("crash.db");
  }

  @Test
  @Tag("K1")
  @Tag("K3")
  @Tag("CASE-44")
  void whatWaitedWaitsAndWhatHadStartedRunsAgainAsTheSecondAttempt() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    AtomicInteger uncertain = new AtomicInteger();
    Path crashed = crash();
    Worker<String> next =
        start(
            store(crashed),
            (job, context) -> {
              done.add(job.id());
              attempts.addAndGet(context.attempt());
              uncertain.addAndGet(context.uncertainStarts());
            });
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactlyInAnyOrder("running", "waiting");
    assertThat(attempts).as("2 of the crashed, 1 of the other").hasValue(3);
    assertThat(uncertain).as("its handler is told").hasValue(1);
    assertThat(next.outcome("running")).contains(new Outcome.Completed("running", 2));
  }

  @Test
  @Tag("K4")
  void aCrashedStartIsHeldUnderHold() throws Exception {
    Worker<String> next =
        start(store(crash()).uncertain(Uncertain.HOLD), (job, context) -> done.add(job.id()));
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("waiting");
    assertThat(next.report().held()).isEqualTo(1);
  }

  @Test
  @Tag("K4")
  void aCrashedStartHasFailedUnderFail() throws Exception {
    Worker<String> next =
        start(store(crash()).uncertain(Uncertain.FAIL), (job, context) -> done.add(job.id()));
    assertThat(next.awaitIdle(LONG)).isTrue();
    Outcome.Failed failed = (Outcome.Failed) next.outcome("running").orElseThrow();
    assertThat(failed.error().errorType()).isEqualTo("UncertainStart");
    assertThat(failed.effectsUncertain()).isTrue();
    assertThat(failed.attempts()).isEqualTo(1);
  }

  @Test
  @Tag("CASE-49")
  void aJobThatKillsItsProcessIsHeldAfterSoManyStarts() throws Exception {
    Path image = crash();
    for (int crash = 2; crash <= 3; crash++) {
      Worker<String> next = start(store(image).maxStarts(3), staying, b -> b.maxJobIdBytes(64));
      entered.acquire(2);
      assertThat(next.report().running()).isEqualTo(2);
      Path copy = folder.resolve("crash-" + crash + ".db");
      Files.copy(image, copy);
      Files.copy(
          image.resolveSibling(image.getFileName() + "-wal"),
          copy.resolveSibling(copy.getFileName() + "-wal"));
      image = copy;
    }
    Worker<String> last = start(store(image).maxStarts(3), (job, context) -> done.add(job.id()));
    assertThat(last.awaitIdle(LONG)).isTrue();
    assertThat(done).as("its starts are fewer").containsExactly("waiting");
    assertThat(last.report().held()).isEqualTo(1);
  }

  @Test
  @Tag("CASE-45")
  void recoveryReachesEveryRow() throws Exception {
    int many = 1_203;
    Worker<String> worker =
        start(
            store(),
            (job, context) -> {
              entered.release();
              release.acquire();
            },
            builder -> builder.maxWaitingProducers(1));
    worker.setConcurrency(many);
    for (int i = 0; i < many; i++) {
      submit(worker, "job-" + i);
    }
    entered.acquire(many);
    Path image = crashImage("many.db");
    Worker<String> next =
        start(store(image).uncertain(Uncertain.HOLD), (job, context) -> done.add(job.id()));
    assertThat(next.report().held()).isEqualTo(many);
    assertThat(next.report().running()).isZero();
  }

  @Test
  @Tag("CASE-50")
  void afterARecoveryClaimsRampUpInsteadOfBursting() throws Exception {
    Worker<String> worker = start(store(), staying);
    worker.setConcurrency(20);
    worker.setCapacity(100);
    for (int i = 0; i < 40; i++) {
      submit(worker, "job-" + i);
    }
    entered.acquire(20);
    Path image = crashImage("ramp.db");
    AtomicInteger most = new AtomicInteger();
    AtomicInteger now = new AtomicInteger();
    List<Integer> seen = new CopyOnWriteArrayList<>();
    Worker<String> next =
        start(
            store(image),
            (job, context) -> {
              seen.add(now.incrementAndGet());
              most.accumulateAndGet(now.get(), Math::max);
              now.decrementAndGet();
            },
            builder -> builder.history(100));
    next.setConcurrency(20);
    assertThat(next.awaitIdle(LONG)).isTrue();
    assertThat(seen).hasSize(40);
    assertThat(seen.getFirst()).as("one at first").isEqualTo(1);
    Report report = next.report();
    assertThat(report.completed()).isEqualTo(40);
  }
}
