package io.headgate.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.limit.RateDecision.Refused;
import io.headgate.limit.RateDecision.Refused.Cause;
import io.headgate.limit.RateDecision.Started;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import io.headgate.waiting.Turn;
import io.headgate.waiting.WaitingLine;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bound on how many things start in a time, with a burst. It does not bound how many run at once:
 * ten starts a second that take a minute each are 600 at once.
 *
 * <p>In any stretch of time {@code t} there are at most {@code burst + t × rate} starts. Idle time
 * is worth the burst and no more. Starts are even: there is no window at whose edge twice the rate
 * could pass.
 *
 * <p>{@link #acquire} waits for its start in order of arrival; nobody overtakes those who wait. A
 * caller that cannot get one within its patience is refused at once with the time that it would
 * have taken. Who is interrupted, or gives up, has taken nothing, and those behind move up.
 *
 * <p>Thread-safe; may be shared by workers and downstreams, which take what is free as they come. A
 * limit that callers of {@code acquire} always wait for leaves those nothing: they stand in no
 * line, and go behind it. Only {@code acquire} blocks. What a caller did before a start does not
 * happen-before what another does after one.
 */
public final class RateLimit {

  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitingLine line;
  private final LongAdder refused = new LongAdder();
  private final String description;

  @GuardedBy("lock")
  private final Gcra gcra;

  @GuardedBy("lock")
  private long started;

  RateLimit(RateLimitBuilder settings) {
    this.ticker = settings.ticker;
    this.gcra = new Gcra(settings.starts, settings.perNanos, settings.burst, ticker.nanoTime());
    this.line = new WaitingLine(lock, ticker, new Starts(), settings.maxWaiting);
    this.description = settings.toString();
  }

  /**
   * Begins a limit of {@code starts} a second, which need not be whole: 0.3 is three in ten
   * seconds. Nine digits behind the point count.
   *
   * @throws IllegalArgumentException if it is not a number above zero, or not one that can be kept
   */
  public static RateLimitBuilder perSecond(double starts) {
    return RateLimitBuilder.perSecond(starts);
  }

  /**
   * Begins a limit of {@code starts} in each {@code per}, evenly over that time.
   *
   * @throws IllegalArgumentException if {@code starts} is below 1 or {@code per} is not above zero
   */
  public static RateLimitBuilder of(int starts, Duration per) {
    return new RateLimitBuilder(starts, per);
  }

  /**
   * Starts now or not at all. Allocates nothing.
   *
   * @return zero if the caller may start, and its start is counted then; else in how many
   *     nanoseconds one would be free for it, if it waited in line
   */
  public long tryStart() {
    long wait = tryStart(ticker.nanoTime());
    if (wait != 0) {
      refused.increment();
    }
    return wait;
  }

  /**
   * {@link #tryStart()} for a limit that is built upon this one, has read the ticker already, and
   * counts its refusals itself.
   *
   * @param now a reading of the ticker of this limit
   */
  public long tryStart(long now) {
    return line.enterNow(now);
  }

  /**
   * Starts, waiting for it at most {@code patience}; zero does not wait.
   *
   * @return started, or refused at once where no start is free within the patience
   * @throws InterruptedException if interrupted before it started; nothing is taken then
   * @throws IllegalArgumentException if {@code patience} is negative
   */
  public RateDecision acquire(Duration patience) throws InterruptedException {
    long wait = line.enter(Durations.nanos("patience", patience));
    if (wait == 0) {
      return Started.INSTANCE;
    }
    refused.increment();
    Cause cause = wait == WaitingLine.TOO_MANY ? Cause.TOO_MANY_WAITING : Cause.RATE;
    boolean isKnown = wait > 0 && wait != Turn.UNKNOWN;
    return new Refused(cause, Duration.ofNanos(isKnown ? wait : nanosUntilStart(0)));
  }

  /**
   * In how many nanoseconds a start would be free for a caller that came now and stood behind
   * {@code ahead} others besides those who wait here; zero is now. A figure for planning: it takes
   * nothing.
   *
   * @throws IllegalArgumentException if {@code ahead} is negative
   */
  public long nanosUntilStart(int ahead) {
    return nanosUntilStart(ahead, ticker.nanoTime());
  }

  /**
   * {@link #nanosUntilStart(int)} for who has read the ticker already.
   *
   * @param now a reading of the ticker of this limit
   */
  public long nanosUntilStart(int ahead, long now) {
    if (ahead < 0) {
      throw new IllegalArgumentException("ahead is " + ahead + ", but it must not be negative");
    }
    lock.lock();
    try {
      return gcra.delay(ahead + Math.min(line.size(), Integer.MAX_VALUE - ahead), now);
    } finally {
      lock.unlock();
    }
  }

  /** Whether this limit reads {@code ticker}. */
  @SuppressWarnings("ReferenceEquality") // only this very ticker is meant
  public boolean isOn(Ticker ticker) {
    return this.ticker == ticker;
  }

  /** How many starts there have been. */
  public long started() {
    lock.lock();
    try {
      return started;
    } finally {
      lock.unlock();
    }
  }

  /** How many callers were refused; those who were interrupted are not among them. */
  public long refused() {
    return refused.sum();
  }

  /** How many callers wait for their start now. */
  public int waiting() {
    lock.lock();
    try {
      return line.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "RateLimit[" + description + "]";
  }

  /** Under the lock, which the line holds when it asks. */
  private final class Starts implements Turn {

    @Override
    @GuardedBy("RateLimit.this.lock")
    public long tryTake(long now) {
      long delay = gcra.tryTake(now);
      if (delay == 0) {
        started++;
      }
      return delay;
    }

    @Override
    @GuardedBy("RateLimit.this.lock")
    public long waitBehind(int ahead, long now) {
      // A start may be free that the first in line has not taken yet: behind it, it is one moment.
      return Math.max(1, gcra.delay(ahead, now));
    }
  }
}
