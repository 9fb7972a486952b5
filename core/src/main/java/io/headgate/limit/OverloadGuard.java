package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.Criticality;
import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Says which work to refuse while a resource runs out: the most loaded of its {@link
 * OverloadSignal}s decides from which {@link Criticality} on. Somebody calls {@link #sample()}
 * regularly, away from those who submit work; {@link #admits} only looks at what came of it.
 *
 * <p>Least critical first, with hysteresis, one class at a time on the way back; a small share
 * always passes; and it recovers by itself, also if nobody samples any more.
 *
 * <p>Thread-safe. {@link #admits} takes no lock while nothing is overloaded.
 */
public final class OverloadGuard {

  private static final System.Logger LOGGER = System.getLogger(OverloadGuard.class.getName());

  private final Ticker ticker;
  private final List<OverloadSignal> signals;

  /** Orders samples; signals are read under it and nothing else. */
  private final ReentrantLock sampling = new ReentrantLock();

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

  private OverloadGuard(Builder settings) {
    this.ticker = settings.ticker;
    this.signals = List.copyOf(settings.signals);
    this.random = settings.random;
    this.state =
        new OverloadState(settings.step, settings.holdNanos, settings.share, ticker.nanoTime());
  }

  /** Begins a guard without signals. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads all signals and decides anew. To be called a few times a second; blocks as long as the
   * signals do. A signal that throws counts as nothing, and is logged.
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
      Criticality[] classes = Criticality.values();
      int refused = state.refused(now);
      return refused == 0 ? Optional.empty() : Optional.of(classes[classes.length - refused]);
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

  private static double read(OverloadSignal signal) {
    try {
      double load = signal.load();
      return load > 0 ? load : 0;
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "The overload signal " + signal.name() + " cannot be read", e);
      return 0;
    }
  }

  /** The settings of an {@link OverloadGuard}. Not thread-safe. */
  public static final class Builder {
    private final List<OverloadSignal> signals = new ArrayList<>();
    private double step = 0.1;
    private long holdNanos = Duration.ofSeconds(1).toNanos();
    private double share = 0.01;
    private Ticker ticker = Ticker.system();
    private RandomGenerator random = new SplittableRandom();

    private Builder() {}

    /** Adds a signal. At least one is needed; names must differ. */
    public Builder signal(OverloadSignal signal) {
      signals.add(requireNonNull(signal, "signal"));
      return this;
    }

    /**
     * How much more load refuses one more class, and how much less lets it in again: 0.1 unless
     * given.
     *
     * @throws IllegalArgumentException if it is not a number above 0
     */
    public Builder step(double step) {
      if (!(step > 0) || Double.isInfinite(step)) {
        throw new IllegalArgumentException("step is " + step + ", but it must be above 0");
      }
      this.step = step;
      return this;
    }

    /**
     * How long to stay before letting one more class in: 1 s unless given.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public Builder hold(Duration hold) {
      this.holdNanos = Math.min(Durations.nanos("hold", hold), Long.MAX_VALUE >> 5);
      if (holdNanos == 0) {
        throw new IllegalArgumentException("hold is zero, but it must be above");
      }
      return this;
    }

    /**
     * The share that passes where all that is offered is refused: 0.01 unless given.
     *
     * @throws IllegalArgumentException if it is not above 0 and at most 1
     */
    public Builder share(double share) {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException(
            "share is " + share + ", but it must be above 0 and at most 1");
      }
      this.share = share;
      return this;
    }

    /** The source of time: that of the machine unless given. For tests and simulations. */
    public Builder ticker(Ticker ticker) {
      this.ticker = requireNonNull(ticker, "ticker");
      return this;
    }

    /**
     * The source of chance, used under a lock: it must not call back. For tests and simulations.
     */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /**
     * Makes the guard, which refuses nothing until it is sampled.
     *
     * @throws IllegalArgumentException if there is no signal, or two have one name
     */
    public OverloadGuard build() {
      long names = signals.stream().map(OverloadSignal::name).distinct().count();
      if (signals.isEmpty() || names < signals.size()) {
        throw new IllegalArgumentException(
            "signals are %s, but there must be some, with different names"
                .formatted(signals.stream().map(OverloadSignal::name).toList()));
      }
      return new OverloadGuard(this);
    }
  }
}
