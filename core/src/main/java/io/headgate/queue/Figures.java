package io.headgate.queue;

/** The numbers of a {@link BoundedQueue} at one instant. */
record Figures(
    int size,
    int remainingCapacity,
    long weight,
    long unfinished,
    int waitingPutters,
    int waitingTakers,
    int waitingJoiners,
    boolean shutDown) {

  /** The same for people to read. */
  @Override
  public String toString() {
    return "size "
        + size
        + ", remaining capacity "
        + remainingCapacity
        + ", weight "
        + weight
        + ", unfinished "
        + unfinished
        + ", waiting putters "
        + waitingPutters
        + ", waiting takers "
        + waitingTakers
        + ", waiting joiners "
        + waitingJoiners
        + (shutDown ? ", shut down" : ", open");
  }
}
