package io.headgate;

import io.headgate.backlog.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a worker's ledger at one instant, in which accepted = completed + failed +
 * interrupted + unstarted + unfinished, and unfinished = waiting + suspended + held + running.
 * Immutable, safe for use by any thread; the outcomes that it holds are its holder's memory.
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public final class Report {

  private final String worker;
  private final Tally tally;
  private final long external;
  private final Map<Reason, Long> refused;
  private final Overload overload;
  private final StopSequence.@Nullable Stopped stopped;

  Report(
      String worker,
      Tally tally,
      long external,
      Map<Reason, Long> refused,
      Overload overload,
      StopSequence.@Nullable Stopped stopped) {
    this.worker = worker;
    this.tally = tally;
    this.external = external;
    this.refused = refused;
    this.overload = overload;
    this.stopped = stopped;
  }

  /** The name of the worker. */
  public String worker() {
    return worker;
  }

  /** Jobs accepted since the worker started. */
  public long accepted() {
    return tally.accepted();
  }

  /** Jobs whose handler returned normally. */
  public long completed() {
    return tally.completed();
  }

  /** Jobs whose handler threw or exceeded its timeout. */
  public long failed() {
    return tally.failed();
  }

  /** Jobs whose handler was told to stop and stopped because of it; their effects are uncertain. */
  public long interrupted() {
    return tally.interrupted();
  }

  /** Jobs that ended without a handler having been entered. */
  public long unstarted() {
    return tally.unstarted();
  }

  /** Accepted jobs without an outcome: waiting + suspended + held + running. */
  public long unfinished() {
    return tally.unfinished();
  }

  /** Accepted jobs ready to be started. */
  public long waiting() {
    return tally.waiting();
  }

  /** Accepted jobs between attempts or not yet due. */
  public long suspended() {
    return tally.suspended();
  }

  /** Accepted jobs that wait for somebody's decision. */
  public long held() {
    return tally.held();
  }

  /** Jobs held by a handler: executing + external. */
  public long running() {
    return tally.running();
  }

  /** Running jobs whose handler is at work. */
  public long executing() {
    return tally.running() - external;
  }

  /**
   * Running jobs whose handler waits for a downstream, by {@link JobContext#call}. Counted a moment
   * after the other figures, and never as more than run.
   */
  public long external() {
    return external;
  }

  /** Weighed bytes of the jobs that are unfinished and not running. */
  public long waitingBytes() {
    return tally.waitingBytes();
  }

  /** Weighed bytes of the running jobs. */
  public long runningBytes() {
    return tally.runningBytes();
  }

  /** Producers that wait for room. They have submitted nothing yet. */
  public long waitingProducers() {
    return tally.waitingProducers();
  }

  /** Weighed bytes of what waiting producers want to submit. */
  public long waitingProducerBytes() {
    return tally.waitingProducerBytes();
  }

  /** How many jobs were refused for each reason, ever; reasons that never came are absent. */
  public Map<Reason, Long> refused() {
    return refused;
  }

  /** How the worker stands under load, a moment after the other figures. */
  public Overload overload() {
    return overload;
  }

  /** The latest outcomes of all four kinds, oldest first, as many as the history keeps. */
  public List<Outcome> outcomes() {
    return tally.outcomes();
  }

  /** Outcomes recorded and not kept any more. */
  public long omittedOutcomes() {
    return tally.ended() - tally.outcomes().size();
  }

  /**
   * The ids that the stop left unstarted, interrupted or stuck, in admission order, all of them
   * whatever the history keeps. Empty until a stop has ended.
   */
  public List<String> abandoned() {
    return stopped == null ? List.of() : stopped.abandoned();
  }

  /** The jobs whose handlers ignored their cancellation. Empty until a stop has ended. */
  public List<StuckJob> stuck() {
    return stopped == null ? List.of() : stopped.stuck();
  }

  /** How the stop ended; empty until it has. */
  public Optional<Ending> ending() {
    return stopped == null ? Optional.empty() : Optional.of(stopped.ending());
  }

  /**
   * Whether a stop has ended, abandoned nothing and left nothing stuck. What failed or was shed
   * before the stop does not count against it.
   */
  public boolean isClean() {
    return stopped != null && stopped.abandoned().isEmpty() && stopped.stuck().isEmpty();
  }

  /** How long accepted work was left to end by itself. Zero until a stop has ended. */
  public Duration drainTime() {
    return stopped == null ? Duration.ZERO : stopped.drain();
  }

  /** How long cancelled work was awaited after that. Zero until a stop has ended. */
  public Duration cleanupTime() {
    return stopped == null ? Duration.ZERO : stopped.cleanup();
  }

  /**
   * Returns this report as one JSON object whose keys are the names of these methods. Durations are
   * seconds, {@code refused} is an object by reason, {@code outcomes} an array of {@code
   * {"id","outcome","attempts",…}}. What comes from jobs is in it only as far as their caps kept
   * it.
   */
  public String toJson() {
    return ReportJson.of(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Report that
        && worker.equals(that.worker)
        && tally.equals(that.tally)
        && external == that.external
        && refused.equals(that.refused)
        && overload.equals(that.overload)
        && Objects.equals(stopped, that.stopped);
  }

  @Override
  public int hashCode() {
    return Objects.hash(worker, tally, external, refused, overload, stopped);
  }

  @Override
  public String toString() {
    return ("Report[%s: accepted %d = completed %d + failed %d + interrupted %d + unstarted %d"
            + " + unfinished %d, %s]")
        .formatted(
            worker,
            accepted(),
            completed(),
            failed(),
            interrupted(),
            unstarted(),
            unfinished(),
            ending().map(Ending::name).orElse("not stopped"));
  }
}
