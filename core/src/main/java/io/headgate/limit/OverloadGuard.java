package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.Criticality;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Says which work to refuse while a resource runs out: the most loaded of its {@link
 * OverloadSignal}s decides from which {@link Criticality} on. While somebody uses it a thread
 * samples regularly, away from those who submit work; {@link #admits} only looks at what came of
 * it.
 *
 * <p>Least critical first, with hysteresis, one class at a time on the way back; a small share
 * always passes; and it recovers by itself, also if nobody samples any more.
 *
 * <p>Thread-safe. {@link #admits} takes no lock while nothing is overloaded.
 */
public final class OverloadGuard {

  private static final System.Logger LOGGER = System.getLogger(OverloadGuard.class.getName());

  private static final Criticality[] CLASSES = Criticality.values();

  private final Ticker ticker;
  private final List<OverloadSignal> signals;
  private final Sampling users;
  private final long holdNanos;
  private final boolean asksForAges;

  /** Orders samples; signals are read under it and nothing else. */
  private final ReentrantLock sampling = new ReentrantLock();

  /** Names of the signals that threw when they were last read. */
  @GuardedBy("sampling")
  private final Set<String> unreadable = new HashSet<>();

  private final ReentrantLock lock = new ReentrantLock();

  /** Used under the lock only. */
  @GuardedBy("lock")
  private final RandomGenerator random;

  @GuardedBy("lock")
  private final OverloadState state;

  @GuardedBy("lock")
  private Map<String, Double> loads = Map.of();

  @GuardedBy("lock")
  private long refusals;

  @GuardedBy("lock")
  private long lastRefusal;

  /** Whether anything may be refused; written under the lock, read without. */
  private volatile boolean isOverloaded;

  OverloadGuard(OverloadGuardBuilder settings) {
    this.ticker = settings.ticker;
    this.users = new Sampling(ticker, settings.periodNanos, this::sample);
    this.signals = settings.signals(users);
    this.holdNanos = settings.holdNanos;
    this.asksForAges = settings.asksForAges;
    this.random = settings.random;
    this.state =
        new OverloadState(settings.step, settings.holdNanos, settings.share, ticker.nanoTime());
  }

  /** Begins a guard without signals. */
  public static OverloadGuardBuilder builder() {
    return new OverloadGuardBuilder();
  }

  /**
   * Has the guard sampled until {@link #endUse}, by a daemon thread that all who use it share. A
   * worker that is given the guard does this by itself.
   */
  public void beginUse(LoadSource source) {
    users.begin(requireNonNull(source, "source"));
  }

  /** Ends what {@link #beginUse} began; does nothing if that has ended. Blocks for nothing. */
  public void endUse(LoadSource source) {
    users.end(source);
  }

  /**
   * Reads all signals and decides anew; blocks as long as they do. For who wants to sample by
   * himself, a few times a second. A signal that throws counts as nothing, and is logged.
   */
  public void sample() {
    Map<String, Double> read = new LinkedHashMap<>();
    sampling.lock();
    try {
      for (OverloadSignal signal : signals) {
        read.put(signal.name(), read(signal));
      }
      double most = read.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
      long now = ticker.nanoTime();
      lock.lock();
      try {
        loads = read;
        isOverloaded = state.onSample(most, now) > 0;
      } finally {
        lock.unlock();
      }
    } finally {
      sampling.unlock();
    }
  }

  /** Whether anything may be refused now. Takes no lock. */
  public boolean isOverloaded() {
    return isOverloaded;
  }

  /** Whether a signal asks how long jobs have waited. */
  public boolean asksForAges() {
    return asksForAges;
  }

  /**
   * Whether work of this criticality is to be let in; a refusal is counted and allocates nothing.
   */
  public boolean admits(Criticality criticality) {
    requireNonNull(criticality, "criticality");
    if (!isOverloaded) {
      return true;
    }
    long now = ticker.nanoTime();
    lock.lock();
    try {
      boolean admits = state.admits(criticality, random.nextDouble(), now);
      isOverloaded = state.refused(now) > 0;
      if (!admits) {
        refusals++;
        lastRefusal = now;
      }
      return admits;
    } finally {
      lock.unlock();
    }
  }

  /** The most critical class that is refused now, and with it every lower one; empty if none is. */
  public Optional<Criticality> refusedFrom() {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      int refused = state.refused(now);
      return refused == 0 ? Optional.empty() : Optional.of(CLASSES[CLASSES.length - refused]);
    } finally {
      lock.unlock();
    }
  }

  /**
   * In how many nanoseconds work of this criticality will be let in at the earliest, as far as that
   * is known; zero if it is let in now.
   */
  @SuppressWarnings("EnumOrdinal") // the order of the classes is their meaning
  public long nanosUntilLetIn(Criticality criticality) {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      int admitted = CLASSES.length - state.refused(now);
      int above = criticality.ordinal() - admitted + 1;
      return above <= 0 ? 0 : above * holdNanos;
    } finally {
      lock.unlock();
    }
  }

  /** The load of each signal at the last sample, by name; 1 is its threshold. */
  public Map<String, Double> loads() {
    lock.lock();
    try {
      return Map.copyOf(loads);
    } finally {
      lock.unlock();
    }
  }

  /** How many were refused. */
  public long refusals() {
    lock.lock();
    try {
      return refusals;
    } finally {
      lock.unlock();
    }
  }

  /** How long ago the last refusal was; empty if there was none. */
  public Optional<Duration> sinceLastRefusal() {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      return refusals == 0
          ? Optional.empty()
          : Optional.of(Duration.ofNanos(Math.max(0, now - lastRefusal)));
    } finally {
      lock.unlock();
    }
  }

  /** An Error of a signal is caught, too: it must not end the sampling. */
  @GuardedBy("sampling")
  private double read(OverloadSignal signal) {
    try {
      double load = signal.load();
      unreadable.remove(signal.name());
      return load > 0 ? load : 0;
    } catch (Throwable t) {
      if (unreadable.add(signal.name())) {
        LOGGER.log(
            Level.WARNING,
            "The overload signal " + signal.name() + " cannot be read (said once, until it can)",
            t);
      }
      return 0;
    }
  }
}
