package io.headgate.limit;

import java.time.Duration;

/**
 * The settings of a worker's queue-delay control: see {@link QueueDelayControl} for when it acts
 * and for a rule of thumb for the target, and {@link CriticalityFloors} for whom it serves then.
 * Immutable.
 */
public final class QueueDelay {

  private static final int ONE_PER_CENT = 100;

  private final Duration target;
  private final Duration interval;
  private final int floorOneIn;

  private QueueDelay(Duration target, Duration interval, int floorOneIn) {
    this.target = target;
    this.interval = interval;
    this.floorOneIn = floorOneIn;
    // Whoever makes them later must not find them wrong.
    newControl();
    newFloors();
  }

  /**
   * A target with an interval of twice as long, and a floor of one claim in a hundred for each
   * class that waits.
   *
   * @param target the wait that is fine for as long as it likes
   * @throws IllegalArgumentException if it is not above zero
   */
  public static QueueDelay target(Duration target) {
    return new QueueDelay(target, QueueDelayControl.intervalOf(target), ONE_PER_CENT);
  }

  /**
   * The same with another interval: for how long the wait of the oldest must stay above the target.
   *
   * @throws IllegalArgumentException if it is not above zero
   */
  public QueueDelay interval(Duration interval) {
    return new QueueDelay(target, interval, floorOneIn);
  }

  /**
   * The same with another floor: each class that waits gets one of so many claims at least.
   *
   * @throws IllegalArgumentException if it is less than there are classes
   */
  public QueueDelay floorOneIn(int claims) {
    return new QueueDelay(target, interval, claims);
  }

  /** The wait that is fine for as long as it likes. */
  public Duration target() {
    return target;
  }

  /** For how long the wait of the oldest must stay above the target. */
  public Duration interval() {
    return interval;
  }

  /** Makes a control that has seen nothing. */
  public QueueDelayControl newControl() {
    return QueueDelayControl.of(target, interval);
  }

  /** Makes floors that have served nobody. */
  public CriticalityFloors newFloors() {
    return CriticalityFloors.oneIn(floorOneIn);
  }

  @Override
  public String toString() {
    return "QueueDelay[target %s, interval %s, floor 1 in %d]"
        .formatted(target, interval, floorOneIn);
  }
}
