package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.Criticality;
import io.headgate.time.Ticker;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls before they are made to a dependency that has lately refused too many: each with
 * the probability max(0, (requests − K × accepts) / (requests + 1)) over a sliding window, which is
 * the adaptive throttling of the overload chapter of the Site Reliability Engineering book.
 *
 * <p>{@code requests} are all attempts of the window, counted when they are attempted and with
 * those that this throttle refused; {@code accepts} are those that the dependency took on, whether
 * or not they then succeeded. So the throttle follows a slow outage while its calls still hang, and
 * lets go by itself: a small share of attempts always passes, what passes and is accepted raises
 * the share, and what is older than the window is forgotten. Each {@link Criticality} has counts of
 * its own.
 *
 * <pre>{@code
 * switch (throttle.attempt()) {
 *   case ClientThrottle.Throttled no -> …;        // overloaded, as far as we know: do not retry
 *   case ClientThrottle.Passed call -> {
 *     try (call) {
 *       send();
 *       call.accepted();                          // closed without: withdrawn, as if never attempted
 *     } catch (OverloadedByPeer e) {
 *       call.rejected();
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Thread-safe, and never blocks for longer than its lock is held.
 */
@SuppressWarnings("exports") // the annotations of nullness are optional for users
public final class ClientThrottle {

  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();

  /** Used under the lock only, so that a generator that is not thread-safe will do. */
  @GuardedBy("lock")
  private final RandomGenerator random;

  @GuardedBy("lock")
  private final Map<Criticality, ThrottleWindow> windows = new EnumMap<>(Criticality.class);

  @GuardedBy("lock")
  private long throttled;

  @GuardedBy("lock")
  private long answeredTwice;

  ClientThrottle(ClientThrottleBuilder settings) {
    this.ticker = settings.ticker;
    this.random = settings.random;
    long now = ticker.nanoTime();
    for (Criticality criticality : Criticality.values()) {
      windows.put(
          criticality,
          new ThrottleWindow(settings.k, settings.windowNanos, settings.probeShare, now));
    }
  }

  /** Begins a throttle with K = 2, a window of two minutes and one probe in a hundred attempts. */
  public static ClientThrottleBuilder builder() {
    return new ClientThrottleBuilder();
  }

  /** Attempts a {@link Criticality#CRITICAL} call. */
  public Attempt attempt() {
    return attempt(Criticality.CRITICAL);
  }

  /**
   * Attempts a call: counts it, and says whether it may be made. A refusal allocates nothing.
   *
   * @return passed, to be told how it went; or throttled
   */
  public Attempt attempt(Criticality criticality) {
    requireNonNull(criticality, "criticality");
    long now = ticker.nanoTime();
    ThrottleWindow window;
    long bucket;
    lock.lock();
    try {
      window = window(criticality);
      double rejection = window.rejection(now);
      bucket = window.request(now);
      // Drawn also where nothing is rejected: a run with one seed stays the same when it differs.
      if (random.nextDouble() < rejection) {
        throttled++;
        return Throttled.INSTANCE;
      }
    } finally {
      lock.unlock();
    }
    return new Passed(this, window, bucket);
  }

  /** The probability with which the next attempt of this criticality would be refused here. */
  public double rejectionProbability(Criticality criticality) {
    requireNonNull(criticality, "criticality");
    long now = ticker.nanoTime();
    lock.lock();
    try {
      return window(criticality).rejection(now);
    } finally {
      lock.unlock();
    }
  }

  /** How many attempts of this criticality the window holds, refused ones included. */
  public long requests(Criticality criticality) {
    requireNonNull(criticality, "criticality");
    long now = ticker.nanoTime();
    lock.lock();
    try {
      return window(criticality).requests(now);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How many attempts of this criticality in the window the dependency is known to have accepted.
   */
  public long accepts(Criticality criticality) {
    requireNonNull(criticality, "criticality");
    long now = ticker.nanoTime();
    lock.lock();
    try {
      return window(criticality).accepts(now);
    } finally {
      lock.unlock();
    }
  }

  /** How many attempts have ever been refused here. */
  public long throttled() {
    lock.lock();
    try {
      return throttled;
    } finally {
      lock.unlock();
    }
  }

  /** How often an attempt was answered that had been answered before; nothing else came of it. */
  public long answeredTwice() {
    lock.lock();
    try {
      return answeredTwice;
    } finally {
      lock.unlock();
    }
  }

  private void answer(Passed attempt, Answer answer) {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      ThrottleWindow window = attempt.window;
      if (window == null) {
        if (answer != Answer.CLOSED) {
          answeredTwice++;
        }
        return;
      }
      attempt.window = null;
      switch (answer) {
        case ACCEPTED -> window.accept(now, attempt.bucket);
        case REJECTED -> {
          // It was counted when it was attempted; that it has no accept is all there is to know.
        }
        case CLOSED -> window.withdraw(now, attempt.bucket);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private ThrottleWindow window(Criticality criticality) {
    return requireNonNull(windows.get(criticality));
  }

  private enum Answer {
    ACCEPTED,
    REJECTED,
    CLOSED
  }

  /** What becomes of an attempt: {@link Passed} or {@link Throttled}. */
  public sealed interface Attempt {

    /** Whether the call may be made. */
    boolean isPassed();
  }

  /** The call is refused here; the dependency heard nothing of it. One shared instance. */
  public enum Throttled implements Attempt {
    /** The one instance. */
    INSTANCE;

    @Override
    public boolean isPassed() {
      return false;
    }
  }

  /**
   * The call may be made. It is answered once, by any thread: accepted, rejected, or closed before
   * either, which takes the attempt back. Later answers change nothing but a counter; a close after
   * an answer is no answer.
   */
  public static final class Passed implements Attempt, AutoCloseable {
    private final ClientThrottle throttle;
    private final long bucket;

    /** Null once answered; guarded by the throttle's lock. */
    private @Nullable ThrottleWindow window;

    private Passed(ClientThrottle throttle, ThrottleWindow window, long bucket) {
      this.throttle = throttle;
      this.window = window;
      this.bucket = bucket;
    }

    @Override
    public boolean isPassed() {
      return true;
    }

    /** The dependency took the call on. Whether it then succeeded does not matter here. */
    public void accepted() {
      throttle.answer(this, Answer.ACCEPTED);
    }

    /** The dependency said that it is overloaded, or said nothing in time. */
    public void rejected() {
      throttle.answer(this, Answer.REJECTED);
    }

    /**
     * The call was given up on this side, before the dependency had a say: as if never attempted.
     * Without effect after an answer.
     */
    @Override
    public void close() {
      throttle.answer(this, Answer.CLOSED);
    }
  }
}
