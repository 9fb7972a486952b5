package io.headgate.lifecycle;

import io.headgate.time.Durations;

/**
 * What has been asked of a lifecycle so far. Orders only tighten: the strongest demand and the
 * earliest deadline win, whoever comes when.
 *
 * @param demand the strongest so far
 * @param deadline the earliest end of the drain, a reading of the ticker; means nothing without a
 *     demand
 * @param signals how many signals have arrived. Counted apart from the program's own calls, so that
 *     the TERM after a stop by an HTTP call is the first, which drains
 * @param haltStatus the exit status of a halt, 0 without one
 * @param closed nothing is taken any more
 */
record Orders(Demand demand, long deadline, int signals, int haltStatus, boolean closed) {

  private static final int SIGNALLED = 128;

  static final Orders NONE = new Orders(Demand.NONE, 0, 0, 0, false);

  boolean isStop() {
    return demand != Demand.NONE;
  }

  boolean isHalt() {
    return demand == Demand.HALT;
  }

  /** Whether more signals came than a halt needs: somebody has lost patience with it. */
  boolean isHaltAtOnce() {
    return signals > 3;
  }

  Orders stop(Demand wanted, long until) {
    return closed ? this : tightened(wanted, until, signals, haltStatus);
  }

  /** The first signal drains, the second cancels, the third halts. */
  Orders signal(int number, long until) {
    if (closed) {
      return this;
    }
    int count = signals + 1;
    Demand wanted = count == 1 ? Demand.DRAIN : count == 2 ? Demand.ABORT : Demand.HALT;
    int status = count == 3 ? SIGNALLED + number : haltStatus;
    return tightened(wanted, until, count, status);
  }

  private Orders tightened(Demand wanted, long until, int count, int status) {
    Demand strongest = wanted.compareTo(demand) > 0 ? wanted : demand;
    long earliest = isStop() ? Durations.earlier(until, deadline) : until;
    return new Orders(strongest, earliest, count, status, false);
  }

  Orders close() {
    return new Orders(demand, deadline, signals, haltStatus, true);
  }

  /** Closes, unless a stop was asked for: that one is carried out first. */
  Orders closeUnlessStopping() {
    return isStop() ? this : close();
  }
}
