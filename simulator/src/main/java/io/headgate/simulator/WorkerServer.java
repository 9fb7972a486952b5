package io.headgate.simulator;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.MemoryBacklogs;
import io.headgate.Outcome;
import io.headgate.WhenFull;
import io.headgate.backlog.Backlog;
import io.headgate.backlog.BacklogListener;
import io.headgate.backlog.Claim;
import io.headgate.backlog.Claimant;
import io.headgate.backlog.Discipline;
import io.headgate.backlog.Settlement;
import io.headgate.backlog.Tally;
import io.headgate.limit.QueueDelay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server that is a Headgate worker: admission, order, expiry, shedding and the control of the
 * queue's delay are those of its backlog; the threads are played.
 */
final class WorkerServer implements Callee, BacklogListener<Work> {
  private final Simulation simulation;
  private final Machine machine;
  private final WhenFull.Kind whenFull;
  private final Measures measures;
  private final Backlog<Work> backlog;
  private long number;

  /**
   * @param queueDelay null for first come, first served, however long that takes
   */
  WorkerServer(
      Simulation simulation,
      Machine machine,
      int capacity,
      WhenFull.Kind whenFull,
      @Nullable QueueDelay queueDelay,
      Measures measures) {
    this.simulation = simulation;
    this.machine = machine;
    this.whenFull = whenFull;
    this.measures = measures;
    this.backlog =
        MemoryBacklogs.<Work>factory()
            .open(
                new Backlog.Settings(
                    machine.processors,
                    capacity,
                    Long.MAX_VALUE,
                    0,
                    0,
                    0,
                    new Discipline(null, queueDelay, true),
                    simulation),
                this);
    for (int i = 0; i < machine.processors; i++) {
      backlog.enrol(new PlayedThread());
    }
  }

  @Override
  public void call(Work work) {
    long now = simulation.nanoTime();
    // A job is of no use to anybody once its caller has given up.
    Job<Work> job =
        Job.of(Long.toString(number++), work)
            .criticality(work.criticality)
            .timeToLive(Duration.ofNanos(Math.max(0, work.deadline - now)));
    if (backlog.admit(job, 0, now, whenFull) instanceof Admission.Refused) {
      measures.refused(work.asked);
      work.failed(Failures.OVERLOADED);
    }
  }

  @Override
  public void unstarted(Job<Work> job, Outcome.Unstarted outcome) {
    measures.shed(job.payload().asked);
    job.payload().failed(Failures.OVERLOADED);
  }

  @Override
  public void failed(Job<Work> job, Outcome.Failed outcome) {
    throw new IllegalStateException("no job is retried inside of the server");
  }

  @Override
  public void idle() {
    throw new IllegalStateException("admission is never stopped here");
  }

  Duration oldestWaiting() {
    return Duration.ofNanos(backlog.load().oldestNanos());
  }

  Tally tally() {
    return backlog.tally();
  }

  /** A thread of the worker: claims, works, settles and claims again. */
  private final class PlayedThread implements Claimant {
    @Override
    public void wake() {
      simulation.after(0, () -> begin(backlog.claim(this)));
    }

    private void begin(@Nullable Claim<Work> claim) {
      if (claim != null) {
        Work work = claim.job().payload();
        measures.started(work.asked);
        machine.serve(
            () -> {
              work.done();
              begin(backlog.settleAndClaim(claim, Settlement.completed(), this));
            });
      }
    }

    @Override
    public void dismiss() {
      throw new IllegalStateException("nobody stops the server");
    }

    @Override
    public void cancelClaimed() {
      throw new IllegalStateException("nobody cancels");
    }
  }
}
