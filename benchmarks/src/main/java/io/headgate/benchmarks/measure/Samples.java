package io.headgate.benchmarks.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the rounds gave, by subject and figure, in the order of the rounds. */
public final class Samples {

  private final Map<String, List<Double>> values = new HashMap<>();

  /** Adds what one round gave. */
  public void add(String subject, String figure, double value) {
    values.computeIfAbsent(key(subject, figure), _ -> new ArrayList<>()).add(value);
  }

  /** Whether there is any. */
  public boolean has(String subject, String figure) {
    return values.containsKey(key(subject, figure));
  }

  /** Over all rounds. */
  public Spread spread(String subject, String figure) {
    return Spread.of(all(subject, figure));
  }

  /** One subject beside another, round by round. */
  public Spread ratio(String subject, String other, String figure) {
    return Spread.ofPairs(all(subject, figure), all(other, figure));
  }

  /** One figure of a subject beside another of the same, round by round. */
  public Spread ratioWithin(String subject, String figure, String other) {
    return Spread.ofPairs(all(subject, figure), all(subject, other));
  }

  private double[] all(String subject, String figure) {
    List<Double> found = values.get(key(subject, figure));
    if (found == null) {
      throw new IllegalStateException("no samples of " + key(subject, figure));
    }
    return found.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static String key(String subject, String figure) {
    return subject + " " + figure;
  }
}
