package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** The settings of an {@link OverloadGuard}. Not thread-safe. */
public final class OverloadGuardBuilder {
  /** Made for one guard each, which knows who uses it. */
  private final List<Function<Sampling, OverloadSignal>> signals = new ArrayList<>();

  double step = 0.1;
  boolean asksForAges;
  long holdNanos = Duration.ofMillis(400).toNanos();
  long periodNanos = Duration.ofMillis(250).toNanos();
  double share = 0.01;
  Ticker ticker = Ticker.system();
  RandomGenerator random = new SplittableRandom();

  OverloadGuardBuilder() {}

  /** Adds a signal. At least one is needed; names must differ. */
  public OverloadGuardBuilder signal(OverloadSignal signal) {
    requireNonNull(signal, "signal");
    signals.add(users -> signal);
    return this;
  }

  /**
   * Adds the signal {@link OverloadSignal#executorLoad} of the workers that use the guard: their
   * runnable handlers over the processors of this machine, smoothed over a second.
   */
  public OverloadGuardBuilder executorLoad() {
    signals.add(
        users ->
            OverloadSignal.executorLoad(
                users::runnableHandlers,
                Runtime.getRuntime().availableProcessors(),
                Duration.ofSeconds(1),
                ticker));
    return this;
  }

  /**
   * Adds the signal {@link OverloadSignal#queueDelay} of the workers that use the guard.
   *
   * @throws IllegalArgumentException if {@code threshold} is not above zero
   */
  public OverloadGuardBuilder queueDelay(Duration threshold) {
    OverloadSignal.queueDelay(() -> Duration.ZERO, threshold); // says now what is wrong with it
    signals.add(users -> OverloadSignal.queueDelay(users::oldestWaiting, threshold));
    asksForAges = true;
    return this;
  }

  /**
   * How often to sample while somebody uses the guard: every 250 ms unless given.
   *
   * @throws IllegalArgumentException if it is not above zero
   */
  public OverloadGuardBuilder period(Duration period) {
    this.periodNanos = Durations.nanos("period", period);
    if (periodNanos == 0) {
      throw new IllegalArgumentException("period is zero, but it must be above");
    }
    return this;
  }

  /**
   * How much more load refuses one more class, and how much less lets it in again: 0.1 unless
   * given.
   *
   * @throws IllegalArgumentException if it is not a number above 0 and below 1; from 1 on the last
   *     class could never come back
   */
  public OverloadGuardBuilder step(double step) {
    if (!(step > 0 && step < 1)) {
      throw new IllegalArgumentException(
          "step is " + step + ", but it must be above 0 and below 1");
    }
    this.step = step;
    return this;
  }

  /**
   * How long to stay before letting one more class in: 400 ms unless given, so that all four are
   * let in again within two seconds.
   *
   * @throws IllegalArgumentException if it is not above zero
   */
  public OverloadGuardBuilder hold(Duration hold) {
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
  public OverloadGuardBuilder share(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share is " + share + ", but it must be above 0 and at most 1");
    }
    this.share = share;
    return this;
  }

  /** The source of time: that of the machine unless given. For tests and simulations. */
  public OverloadGuardBuilder ticker(Ticker ticker) {
    this.ticker = requireNonNull(ticker, "ticker");
    return this;
  }

  /** The source of chance, used under a lock: it must not call back. For tests and simulations. */
  public OverloadGuardBuilder random(RandomGenerator random) {
    this.random = requireNonNull(random, "random");
    return this;
  }

  /**
   * Makes the guard, which refuses nothing until it is sampled.
   *
   * @throws IllegalArgumentException if there is no signal, two have one name, or the hold is
   *     shorter than the period
   */
  public OverloadGuard build() {
    if (holdNanos < periodNanos) {
      throw new IllegalArgumentException(
          "hold is %s, but it must not be shorter than the period of the samples, which is %s"
              .formatted(Duration.ofNanos(holdNanos), Duration.ofNanos(periodNanos)));
    }
    return new OverloadGuard(this);
  }

  List<OverloadSignal> signals(Sampling users) {
    List<OverloadSignal> made =
        signals.stream()
            .map(signal -> signal.apply(users))
            // Its name is asked for once: one that changes or throws later does no harm.
            .map(signal -> OverloadSignal.of(signal.name(), signal::load))
            .toList();
    List<String> names = made.stream().map(OverloadSignal::name).toList();
    if (names.isEmpty() || names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException(
          "signals are " + names + ", but there must be some, with different names");
    }
    return made;
  }
}
