package io.headgate.benchmarks.guard;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Spread;
import java.util.Optional;

/** Headgate beside the executor that does the same work, pair by pair. */
final class Race {

  private static final String BESIDE = "beside the executor";
  private static final String ONE = "rate.1x2";
  private static final String FOUR = "rate.4x2";

  private final Samples ratios = new Samples();
  private int pairs;
  private int below;

  void add(Answers ours, Answers theirs) {
    double one = ours.number(ONE) / theirs.number(ONE);
    double four = ours.number(FOUR) / theirs.number(FOUR);
    ratios.add(BESIDE, ONE, one);
    ratios.add(BESIDE, FOUR, four);
    pairs++;
    below += Budget.ratio(one, four) < 1 ? 1 : 0;
  }

  int pairs() {
    return pairs;
  }

  /** Pairs in which ours did less, over one and four producers together. */
  int below() {
    return below;
  }

  /** The ratios with one producer; there must be a pair. */
  Spread one() {
    return ratios.spread(BESIDE, ONE);
  }

  /** The ratios with four producers; there must be a pair. */
  Spread four() {
    return ratios.spread(BESIDE, FOUR);
  }

  double ratio() {
    return Budget.ratio(one().median(), four().median());
  }

  /** What is wrong with the race, if anything is. */
  Optional<String> failure() {
    return Budget.core(ratio(), below, pairs);
  }
}
