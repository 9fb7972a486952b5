package io.headgate.benchmarks.bound;

import io.headgate.benchmarks.measure.Trial;
import java.util.SplittableRandom;

/** Holds what workers keep at full load against what they say, for many random settings. */
public final class BoundTrial {

  private BoundTrial() {}

  /**
   * Measures.
   *
   * @param arguments the seed and how many
   */
  public static void main(String[] arguments) throws Exception {
    SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[0]));
    LongNamed terminal = new LongNamed(Final.class);
    LongNamed retried = new LongNamed(IllegalStateException.class);
    int count = Integer.parseInt(arguments[1]);
    for (int i = 0; i < count; i++) {
      Configuration wanted = Configuration.draw(random);
      try (FullLoad load = new FullLoad(wanted, terminal, retried)) {
        load.fill();
        Trial.answer("measured." + i, load.measured());
        Trial.answer("bound." + i, load.bound().bytes());
        Trial.answer("settings." + i, wanted);
      }
    }
  }
}
