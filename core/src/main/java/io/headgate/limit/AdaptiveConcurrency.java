package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.headgate.time.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * A limit of concurrency that finds its own value from the latency and the refusals of calls. It
 * only computes: whoever bounds the calls asks for {@link #limit()}, or listens to its changes, and
 * reports every call with {@link #onSample}.
 *
 * <p>In both kinds the limit grows only while it is used up, every refusal counts however fast it
 * came, and a latency above the absolute ceiling lowers the limit whatever was usual before. It
 * recovers by itself: at the floor, calls still go through and are samples.
 *
 * <p>Thread-safe. Nothing here blocks for longer than the lock is held; listeners run in the thread
 * that reported the sample, outside the lock, one at a time and always with the latest limit.
 */
public final class AdaptiveConcurrency {

  private static final System.Logger LOGGER = System.getLogger(AdaptiveConcurrency.class.getName());

  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final CopyOnWriteArrayList<IntConsumer> listeners = new CopyOnWriteArrayList<>();

  @GuardedBy("lock")
  private final LimitAlgorithm algorithm;

  @GuardedBy("lock")
  private int limit;

  @GuardedBy("lock")
  private int told;

  @GuardedBy("lock")
  private boolean isTelling;

  @GuardedBy("lock")
  private long samples;

  @GuardedBy("lock")
  private long drops;

  AdaptiveConcurrency(AdaptiveConcurrencyBuilder settings) {
    this.ticker = settings.ticker;
    this.algorithm =
        switch (settings.kind) {
          case AIMD -> new Aimd(settings);
          case GRADIENT -> new Gradient(settings, ticker.nanoTime());
        };
    this.limit = algorithm.limit();
    this.told = limit;
  }

  /**
   * Begins a limit by additive increase and multiplicative decrease: for calls whose usual latency
   * is known well enough to say from where on it is too much.
   *
   * @param latencyCeiling a call that takes longer is a sign of overload
   * @throws IllegalArgumentException if it is not above zero
   */
  public static AdaptiveConcurrencyBuilder aimd(Duration latencyCeiling) {
    return new AdaptiveConcurrencyBuilder(AdaptiveConcurrencyBuilder.Kind.AIMD, latencyCeiling);
  }

  /**
   * Begins a limit by the gradient of latency: it compares the latency with the shortest one seen,
   * so it reacts long before the ceiling.
   *
   * @param latencyCeiling above this the limit falls whatever the baseline; so an incident that
   *     lasts cannot become the usual case
   * @throws IllegalArgumentException if it is not above zero
   */
  public static AdaptiveConcurrencyBuilder gradient(Duration latencyCeiling) {
    return new AdaptiveConcurrencyBuilder(AdaptiveConcurrencyBuilder.Kind.GRADIENT, latencyCeiling);
  }

  /** How many calls may be in flight at once now. */
  public int limit() {
    lock.lock();
    try {
      return limit;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reports one call at its end. What was given up on this side says nothing about the dependency
   * and is not to be reported.
   *
   * @param rttNanos how long it took; below zero counts as zero
   * @param inflight how many were in flight at its end, itself included
   * @param dropped whether it was refused for overload, or timed out
   */
  public void onSample(long rttNanos, int inflight, boolean dropped) {
    long now = ticker.nanoTime();
    lock.lock();
    try {
      samples++;
      if (dropped) {
        drops++;
      }
      limit = algorithm.onSample(Math.max(0, rttNanos), inflight, dropped, now);
      if (limit == told || isTelling) {
        return;
      }
      isTelling = true;
    } finally {
      lock.unlock();
    }
    tell();
  }

  /**
   * Adds a listener that is told each new limit, higher or lower, so that it can let in those who
   * now fit. It must not block; what it throws is logged. Told at once of the limit of now.
   */
  public void onChange(IntConsumer listener) {
    requireNonNull(listener, "listener");
    listeners.add(listener);
    lock.lock();
    try {
      // The others hear it twice, which tells them nothing new.
      told = 0;
      if (isTelling) {
        return;
      }
      isTelling = true;
    } finally {
      lock.unlock();
    }
    tell();
  }

  /** Whether this limit reads {@code ticker}. */
  @SuppressWarnings("ReferenceEquality") // only this very ticker is meant
  public boolean isOn(Ticker ticker) {
    return this.ticker == ticker;
  }

  /** How many calls were reported. */
  public long samples() {
    lock.lock();
    try {
      return samples;
    } finally {
      lock.unlock();
    }
  }

  /** How many of them were dropped. */
  public long drops() {
    lock.lock();
    try {
      return drops;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "AdaptiveConcurrency[limit " + limit() + "]";
  }

  /** Tells until what was told is what is; only one thread is ever here. */
  private void tell() {
    while (true) {
      int latest;
      lock.lock();
      try {
        if (limit == told) {
          isTelling = false;
          return;
        }
        told = limit;
        latest = limit;
      } finally {
        lock.unlock();
      }
      for (IntConsumer listener : listeners) {
        try {
          listener.accept(latest);
        } catch (RuntimeException | Error e) {
          LOGGER.log(Level.WARNING, "A listener of a concurrency limit failed at " + latest, e);
        }
      }
    }
  }
}
