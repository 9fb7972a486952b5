package io.headgate.benchmarks.measure;

/**
 * A straight line through samples that were taken at equal distances.
 *
 * @param growth what the line gains from the first sample to the last
 * @param noise how far the samples stray from the line, the highest above and the lowest below
 *     added
 */
public record Trend(double growth, double noise) {

  private static final int LEAST = 3;

  /** Bytes that a JVM gains in any minute; one byte for each job would be more. */
  private static final double NOTHING = 32 * 1024;

  /**
   * By least squares.
   *
   * @throws IllegalArgumentException below three samples, through which any line would fit
   */
  public static Trend of(double... samples) {
    int n = samples.length;
    if (n < LEAST) {
      throw new IllegalArgumentException("a trend needs 3 samples, not " + n);
    }
    double meanX = (n - 1) / 2.0;
    double meanY = 0;
    for (double y : samples) {
      meanY += y / n;
    }
    double xy = 0;
    double xx = 0;
    for (int x = 0; x < n; x++) {
      xy += (x - meanX) * (samples[x] - meanY);
      xx += (x - meanX) * (x - meanX);
    }
    double slope = xy / xx;
    double above = 0;
    double below = 0;
    for (int x = 0; x < n; x++) {
      double off = samples[x] - (meanY + slope * (x - meanX));
      above = Math.max(above, off);
      below = Math.min(below, off);
    }
    return new Trend(slope * (n - 1), above - below);
  }

  /** Whether it, in bytes, gains no more than the samples stray, or next to nothing. */
  public boolean isFlat() {
    return growth <= Math.max(noise, NOTHING);
  }
}
