package io.headgate.benchmarks.guard;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Headgate beside the executor that does the same work, pair by pair. */
final class Race {

  private final List<Double> one = new ArrayList<>();
  private final List<Double> four = new ArrayList<>();

  void add(Answers ours, Answers theirs) {
    one.add(ours.number("rate.1x2") / theirs.number("rate.1x2"));
    four.add(ours.number("rate.4x2") / theirs.number("rate.4x2"));
  }

  int pairs() {
    return one.size();
  }

  /** The ratios with one producer; there must be a pair. */
  Spread one() {
    return spread(one);
  }

  /** The ratios with four producers; there must be a pair. */
  Spread four() {
    return spread(four);
  }

  /** Pairs in which ours did less, over one and four producers together. */
  int below() {
    int below = 0;
    for (int i = 0; i < pairs(); i++) {
      below += Budget.ratio(one.get(i), four.get(i)) < 1 ? 1 : 0;
    }
    return below;
  }

  /** What is wrong with the race, if anything is. */
  Optional<String> failure() {
    return Budget.core(ratio(), below(), pairs());
  }

  double ratio() {
    return Budget.ratio(one().median(), four().median());
  }

  private static Spread spread(List<Double> ratios) {
    return Spread.of(ratios.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
