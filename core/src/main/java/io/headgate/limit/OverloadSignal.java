package io.headgate.limit;

import static java.util.Objects.requireNonNull;

import io.headgate.time.Durations;
import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * One measure of how much of a resource is used, in parts of what is still fine. Sampled now and
 * then by one thread, never by those who submit work. Requests per second is deliberately none of
 * them: what a request costs differs by orders of magnitude.
 */
public interface OverloadSignal {

  /** What is measured, such as {@code cpu}; the name of a cause of overload. */
  String name();

  /**
   * How much is used now: 1 is the threshold, 0 nothing. Not a number counts as nothing. Called by
   * one thread at a time.
   */
  double load();

  /** A measure of the caller's own, which says 1 at its threshold. */
  static OverloadSignal of(String name, DoubleSupplier load) {
    requireNonNull(name, "name");
    requireNonNull(load, "load");
    return new MeasuredSignal(name, load);
  }

  /**
   * How many handlers are runnable, smoothed over {@code smoothing}, in parts of {@code
   * processors}. A burst that is short to it is none; a load above the processors that lasts is.
   *
   * @param runnable counts the handlers that run and do not wait for something outside
   * @throws IllegalArgumentException if {@code processors} is below 1 or {@code smoothing} not
   *     above 0
   */
  static OverloadSignal executorLoad(
      IntSupplier runnable, int processors, Duration smoothing, Ticker ticker) {
    requireNonNull(runnable, "runnable");
    if (processors < 1) {
      throw new IllegalArgumentException(
          "processors is " + processors + ", but it must be at least 1");
    }
    SmoothedLoad smoothed = new SmoothedLoad(positive("smoothing", smoothing), ticker.nanoTime());
    return of(
        "executor load",
        () -> smoothed.observe(runnable.getAsInt(), ticker.nanoTime()) / processors);
  }

  /**
   * The processor time that this process used since the last sample, in parts of {@code threshold}
   * of what {@code processors} can give. Nothing where the platform does not say.
   *
   * @param threshold above 0, at most 1; such as 0.9
   */
  static OverloadSignal processCpu(double threshold, int processors, Ticker ticker) {
    return of(
        "cpu",
        new CpuShare(
            () -> ProcessHandle.current().info().totalCpuDuration(),
            share(threshold) * processors,
            ticker));
  }

  /**
   * What the last collection left in the heap, in parts of {@code threshold} of its maximum. What
   * is garbage says nothing. Nothing where the platform does not say, and after forty samples
   * without a collection: a heap that is full collects all the time, and one in which all is
   * refused makes no garbage that would show that it is not.
   *
   * @param threshold above 0, at most 1; such as 0.85
   */
  static OverloadSignal heapAfterCollection(double threshold) {
    share(threshold);
    HeapAfterCollection heap = new HeapAfterCollection();
    return of("heap", () -> heap.share() / threshold);
  }

  /**
   * How long the oldest job has waited, in parts of {@code threshold}.
   *
   * @throws IllegalArgumentException if {@code threshold} is not above zero
   */
  static OverloadSignal queueDelay(Supplier<Duration> oldest, Duration threshold) {
    requireNonNull(oldest, "oldest");
    double nanos = positive("threshold", threshold);
    return of("queue delay", () -> Durations.nanos("oldest", oldest.get()) / nanos);
  }

  private static double share(double threshold) {
    if (!(threshold > 0 && threshold <= 1)) {
      throw new IllegalArgumentException(
          "threshold is " + threshold + ", but it must be above 0 and at most 1");
    }
    return threshold;
  }

  private static long positive(String what, Duration duration) {
    long nanos = Durations.nanos(what, duration);
    if (nanos == 0) {
      throw new IllegalArgumentException(what + " is zero, but it must be above");
    }
    return nanos;
  }
}
