package io.headgate.benchmarks.measure;

import java.util.Locale;

/**
 * How far apart two runs of the same thing were. A ratio nearer to one than that is called no
 * difference.
 *
 * @param share the largest distance of an A/A ratio from one, in either direction; 0.1 means that
 *     ratios from 1/1.1 to 1.1 are noise
 */
public record NoiseFloor(double share) {

  /** From the ratios of pairs of the same engine. */
  public static NoiseFloor of(Spread sameBesideSame) {
    double above = sameBesideSame.max() - 1;
    double below = 1 / sameBesideSame.min() - 1;
    return new NoiseFloor(Math.max(0, Math.max(above, below)));
  }

  /** What a ratio means where more is better. */
  public Verdict judge(double ratio) {
    if (ratio > 1 + share) {
      return Verdict.AHEAD;
    }
    return ratio < 1 / (1 + share) ? Verdict.BEHIND : Verdict.NONE;
  }

  /** As {@code ± 12 %}. */
  public String text() {
    return String.format(Locale.ROOT, "± %.0f %%", 100 * share);
  }

  /** What a comparison says. */
  public enum Verdict {
    /** Better than the peer by more than the noise. */
    AHEAD("ahead"),
    /** No difference that the noise would not make too. */
    NONE("none"),
    /** The peer is better by more than the noise. */
    BEHIND("**peer wins**");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    /** As tables show it. */
    public String words() {
      return words;
    }
  }
}
