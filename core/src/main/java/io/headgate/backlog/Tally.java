package io.headgate.backlog;

import io.headgate.Outcome;
import java.util.List;

/**
 * The ledger and the places of a backlog at one instant: accepted = completed + failed +
 * interrupted + unstarted + waiting + suspended + held + running.
 *
 * @param accepted jobs accepted, ever
 * @param completed outcomes of that kind, ever
 * @param failed outcomes of that kind, ever
 * @param interrupted outcomes of that kind, ever
 * @param unstarted outcomes of that kind, ever
 * @param waiting jobs ready to be claimed
 * @param suspended jobs between attempts or not yet due
 * @param held jobs that wait for a decision
 * @param running jobs claimed and not settled
 * @param waitingBytes weighed bytes of the jobs not running
 * @param runningBytes weighed bytes of the jobs running
 * @param waitingProducers producers that wait for room
 * @param waitingProducerBytes weighed bytes of what they want to submit
 * @param outcomes the latest outcomes kept, oldest first
 */
public record Tally(
    long accepted,
    long completed,
    long failed,
    long interrupted,
    long unstarted,
    long waiting,
    long suspended,
    long held,
    long running,
    long waitingBytes,
    long runningBytes,
    long waitingProducers,
    long waitingProducerBytes,
    List<Outcome> outcomes) {

  /** Copies the outcomes unless they are immutable already. */
  public Tally {
    outcomes = List.copyOf(outcomes);
  }

  /** Returns this tally with the outcomes kept. */
  public Tally withOutcomes(List<Outcome> kept) {
    return new Tally(
        accepted,
        completed,
        failed,
        interrupted,
        unstarted,
        waiting,
        suspended,
        held,
        running,
        waitingBytes,
        runningBytes,
        waitingProducers,
        waitingProducerBytes,
        kept);
  }

  /** Accepted jobs without an outcome. */
  public long unfinished() {
    return waiting + suspended + held + running;
  }

  /** Outcomes recorded, ever. */
  public long ended() {
    return completed + failed + interrupted + unstarted;
  }
}
