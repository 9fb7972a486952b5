package io.headgate.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Reason;
import io.headgate.Report;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.WorkerState;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The seam under a backlog whose commit takes long: what is under way when admission stops may
 * still be accepted, and then it is drained, not lost. Also a real worker on such a backlog.
 */
@Timeout(60)
class GroupCommitBacklogTest {

  private static final Duration LONG = Duration.ofSeconds(50);

  /** The commit waits here while the gate is closed. */
  private static final class Gate implements Runnable {
    private final Semaphore commits = new Semaphore(0);
    private volatile boolean open = true;
    private volatile boolean blocked;

    @Override
    public void run() {
      if (!open) {
        blocked = true;
        commits.acquireUninterruptibly();
        blocked = false;
      }
    }

    void close() {
      open = false;
    }

    void open() {
      open = true;
      commits.release(1_000);
    }
  }

  private static final BacklogListener<String> DEAF =
      new BacklogListener<>() {
        @Override
        public void unstarted(Job<String> job, Outcome.Unstarted outcome) {}

        @Override
        public void failed(Job<String> job, Outcome.Failed outcome) {}

        @Override
        public void idle() {}
      };

  private final Gate gate = new Gate();

  private GroupCommitBacklog<String> backlog(int concurrency, int capacity) {
    return new GroupCommitBacklog<>(
        new Backlog.Settings(
            concurrency, capacity, Long.MAX_VALUE, 10, Long.MAX_VALUE, 100, Ticker.system()),
        DEAF,
        gate);
  }

  private Worker<String> worker(List<String> done) {
    return Worker.<String>builder("on a group commit")
        .concurrency(2)
        .capacity(6)
        .backlog((settings, listener) -> new GroupCommitBacklog<>(settings, listener, gate))
        .start(
            (job, context) -> {
              synchronized (done) {
                done.add(job.id());
              }
            });
  }

  private Call<Admission> offeredIntoTheCommit(Worker<String> worker, String id) {
    Call<Admission> call = Call.of(() -> worker.offer(Job.of(id, "payload")));
    Call.eventually(() -> gate.blocked);
    return call;
  }

  @Test
  void aProducerIsAnsweredOnlyOnceTheCommitIsOverAndNothingIsSeenBefore() throws Exception {
    GroupCommitBacklog<String> backlog = backlog(1, 1);
    gate.close();
    Call<Admission> call =
        Call.of(() -> backlog.admit(Job.of("a", "payload"), 0, 0, WhenFull.Kind.REFUSE));
    Call.eventually(() -> gate.blocked);
    assertThat(call.isDone()).isFalse();
    assertThat(backlog.tally().accepted()).isZero();
    assertThat(backlog.isIdle()).as("it may still be accepted").isFalse();
    gate.open();
    assertThat(call.result()).isEqualTo(Admission.accepted());
    assertThat(backlog.tally().waiting()).isEqualTo(1);
  }

  @Test
  void stoppingAdmissionDoesNotWaitForTheCommitUnderWay() throws Exception {
    GroupCommitBacklog<String> backlog = backlog(1, 3);
    gate.close();
    Call<Admission> inTheGroup =
        Call.of(() -> backlog.admit(Job.of("a", "payload"), 0, 0, WhenFull.Kind.REFUSE));
    Call.eventually(() -> gate.blocked);
    backlog.stopAdmission();
    assertThat(backlog.admit(Job.of("b", "payload"), 0, 0, WhenFull.Kind.REFUSE))
        .isEqualTo(Admission.refused(Reason.CLOSED));
    gate.open();
    assertThat(inTheGroup.result()).isEqualTo(Admission.accepted());
    assertThat(backlog.tally().accepted()).isEqualTo(1);
  }

  @Test
  @Tag("L1")
  void aWorkerRunsAndDrainsOnIt() throws Exception {
    List<String> done = new ArrayList<>();
    Worker<String> worker = worker(done);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ids.add("job-" + i);
      assertThat(worker.offer(Job.of("job-" + i, "payload"), LONG)).isEqualTo(Admission.accepted());
    }
    Report report = worker.drain(LONG);
    assertThat(done).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(report.completed()).isEqualTo(40);
    assertThat(report.unfinished()).isZero();
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @Tag("D1")
  @Tag("D4")
  void whatTheCommitUnderWayAcceptsAfterTheStopIsDrainedAndNotLost() throws Exception {
    List<String> done = new ArrayList<>();
    Worker<String> worker = worker(done);
    gate.close();
    Call<Admission> offered = offeredIntoTheCommit(worker, "late");
    worker.stopAdmission();
    assertThat(worker.offer(Job.of("too late", "payload")))
        .isEqualTo(Admission.refused(Reason.CLOSED));
    Call<Report> drain = Call.of(() -> worker.drain(LONG));
    Call.eventually(() -> worker.state() == WorkerState.DRAINING);
    gate.open();
    assertThat(offered.result()).isEqualTo(Admission.accepted());
    Report report = drain.result();
    assertThat(done).containsExactly("late");
    assertThat(report.accepted()).isEqualTo(1);
    assertThat(report.completed()).isEqualTo(1);
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @Tag("D7")
  void whatTheCommitUnderWayAcceptsAfterAnAbortEndsUnstartedAndIsNamed() throws Exception {
    List<String> done = new ArrayList<>();
    Worker<String> worker = worker(done);
    gate.close();
    Call<Admission> offered = offeredIntoTheCommit(worker, "late");
    Call<Report> abort = Call.of(worker::abort);
    Call.eventually(() -> worker.state() != WorkerState.OPEN);
    gate.open();
    assertThat(offered.result()).isEqualTo(Admission.accepted());
    Report report = abort.result();
    assertThat(report.accepted()).isEqualTo(1);
    assertThat(report.unfinished()).isZero();
    assertThat(report.abandoned().size() + done.size()).isEqualTo(1);
  }
}
