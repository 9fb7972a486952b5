package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Reason;
import io.headgate.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An Error in the one thread that writes: such as one of memory, which comes anywhere. */
@Tag("K1")
class WriterErrorTest extends StoreFixture {

  private final AtomicBoolean armed = new AtomicBoolean();
  private final List<String> done = new CopyOnWriteArrayList<>();

  private static boolean isBetweenGroups() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().equals(Desk.class.getName())
                            && frame.getMethodName().equals("take")));
  }

  @Test
  void oneBetweenTwoGroupsDoesNotEndTheWriter() throws Exception {
    Worker<String> worker =
        start(
            JdbcBacklog.sqlite(file(), Codec.text())
                .observed(
                    () -> {
                      if (isBetweenGroups() && armed.compareAndSet(true, false)) {
                        throw new OutOfMemoryError("for a test");
                      }
                      return clock.get();
                    },
                    Signals.NONE),
            (job, context) -> done.add(job.id()));
    armed.set(true);
    assertThat(worker.offer(Job.of("later", "x").delay(Duration.ofHours(1))))
        .isEqualTo(Admission.accepted());
    eventually(() -> !armed.get());
    assertThat(OwnerProbe.ask(file())).contains("in use by process");
    submit(worker, "a");
    clock.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(worker.awaitIdle(LONG)).isTrue();
    assertThat(done).containsExactly("a", "later");
    assertThat(worker.isAvailable()).isTrue();
  }

  @Test
  void oneAfterACommitTakesTheStoreAwayForGoodAndKeepsItsLock() throws Exception {
    Worker<String> worker =
        start(
            JdbcBacklog.sqlite(file(), Codec.text())
                .observed(
                    clock::get,
                    point -> {
                      if (point == Signals.Point.COMMITTED && armed.compareAndSet(true, false)) {
                        throw new OutOfMemoryError("for a test");
                      }
                    }),
            staying);
    workers.remove(worker); // its end cannot be recorded any more: only the process ends it
    submit(worker, "running");
    entered.acquire();
    armed.set(true);
    assertThat(worker.offer(Job.of("a", "x"))).isEqualTo(Admission.accepted());
    eventually(() -> !worker.isAvailable());
    assertThat(worker.offer(Job.of("b", "x"))).isEqualTo(Admission.refused(Reason.UNAVAILABLE));
    assertThat(worker.report().accepted()).as("committed once").isEqualTo(2);
    assertThat(OwnerProbe.ask(file())).as("a handler runs").contains("in use by process");
  }
}
