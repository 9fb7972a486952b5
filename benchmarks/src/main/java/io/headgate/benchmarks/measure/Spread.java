package io.headgate.benchmarks.measure;

import java.util.Arrays;
import java.util.Locale;

/**
 * The middle and the ends of some samples. Nothing is averaged: a mean of few runs says more about
 * the worst of them than about the rest.
 *
 * @param count how many samples
 */
public record Spread(double median, double min, double max, int count) {

  /**
   * Of one sample or more.
   *
   * @throws IllegalArgumentException if there is none, or one is not a number
   */
  public static Spread of(double... samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("no samples, so there is no median");
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    if (Double.isNaN(sorted[sorted.length - 1])) {
      throw new IllegalArgumentException("not a number among " + Arrays.toString(samples));
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }

  /** Of {@code one[i] / other[i]}, so that what disturbs a moment disturbs both sides of a pair. */
  public static Spread ofPairs(double[] one, double[] other) {
    if (one.length != other.length) {
      throw new IllegalArgumentException(
          one.length + " samples beside " + other.length + " are no pairs");
    }
    double[] ratios = new double[one.length];
    Arrays.setAll(ratios, i -> one[i] / other[i]);
    return of(ratios);
  }

  /** As {@code median (min–max)} with so many decimals, each value divided by {@code unit}. */
  public String text(int decimals, double unit) {
    String one = "%." + decimals + "f";
    return String.format(
        Locale.ROOT,
        one + " (" + one + "–" + one + ")",
        median / unit + 0.0,
        min / unit + 0.0,
        max / unit + 0.0);
  }
}
