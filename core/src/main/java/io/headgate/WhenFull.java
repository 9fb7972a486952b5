package io.headgate;

import io.headgate.time.Durations;
import java.time.Duration;

/** What {@link Worker#submit} does when there is no room. */
public final class WhenFull {

  /** The four answers to a full backlog. */
  public enum Kind {
    /** See {@link #refuse}. */
    REFUSE,
    /** See {@link #waitUpTo}. */
    WAIT,
    /** See {@link #shedOldest}. */
    SHED_OLDEST,
    /** See {@link #shedLeastCritical}. */
    SHED_LEAST_CRITICAL
  }

  private static final WhenFull REFUSE = new WhenFull(Kind.REFUSE, 0);
  private static final WhenFull SHED_OLDEST = new WhenFull(Kind.SHED_OLDEST, 0);
  private static final WhenFull SHED_LEAST_CRITICAL = new WhenFull(Kind.SHED_LEAST_CRITICAL, 0);

  private final Kind kind;
  private final long patienceNanos;

  private WhenFull(Kind kind, long patienceNanos) {
    this.kind = kind;
    this.patienceNanos = patienceNanos;
  }

  /** Refuse at once. The default. */
  public static WhenFull refuse() {
    return REFUSE;
  }

  /**
   * Wait for room at most this long, counted from the call; {@code
   * Duration.ofSeconds(Long.MAX_VALUE)} waits for ever, zero does not wait.
   *
   * @throws IllegalArgumentException if {@code patience} is negative
   */
  public static WhenFull waitUpTo(Duration patience) {
    return new WhenFull(Kind.WAIT, Durations.nanos("patience", patience));
  }

  /**
   * Make room by ending the oldest waiting jobs that are not more critical than the newcomer, as
   * unstarted(shed). Where that cannot make enough room nothing is shed and the newcomer is refused
   * {@link Reason#SHED}. Running jobs are never shed.
   */
  public static WhenFull shedOldest() {
    return SHED_OLDEST;
  }

  /**
   * Make room by ending waiting jobs of the lowest class strictly below the newcomer's, the oldest
   * first, as unstarted(shed). Where that cannot make enough room nothing is shed and the newcomer
   * is refused {@link Reason#SHED}. Running jobs are never shed.
   */
  public static WhenFull shedLeastCritical() {
    return SHED_LEAST_CRITICAL;
  }

  /** Which of the four answers this is. */
  public Kind kind() {
    return kind;
  }

  /** How long to wait, in nanoseconds; {@link Long#MAX_VALUE} is for ever, zero unless it waits. */
  public long patienceNanos() {
    return patienceNanos;
  }

  @Override
  public String toString() {
    return kind == Kind.WAIT ? "WAIT up to " + Duration.ofNanos(patienceNanos) : kind.name();
  }
}
