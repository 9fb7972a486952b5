package io.headgate.benchmarks.measure;

import java.util.Map;

/** What a trial said. */
public record Answers(Map<String, String> values) {

  /** Copies the map. */
  public Answers {
    values = Map.copyOf(values);
  }

  /**
   * One answer.
   *
   * @throws IllegalStateException if the trial did not give it
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("the trial said nothing of " + name + ", only " + values);
    }
    return value;
  }

  /** One answer as a number. */
  public double number(String name) {
    return Double.parseDouble(text(name));
  }

  /** One answer as a whole number. */
  public long whole(String name) {
    return Long.parseLong(text(name));
  }
}
