package io.headgate.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The order of a round: each begins one further, so that no subject always runs first or last. */
public final class Rotation {

  private Rotation() {}

  /** The items as they come in this round. */
  public static <T> List<T> of(List<T> items, int round) {
    List<T> order = new ArrayList<>(items);
    Collections.rotate(order, -round);
    return order;
  }
}
