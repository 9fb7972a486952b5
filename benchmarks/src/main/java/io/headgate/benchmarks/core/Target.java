package io.headgate.benchmarks.core;

import java.util.List;

/**
 * What the design wants of a ratio at two workers.
 *
 * @param atLeast ours beside theirs
 */
record Target(EngineKind peer, int producers, double atLeast) {

  static final List<Target> ALL =
      List.of(
          new Target(EngineKind.SAME_WORK, 1, 1.2),
          new Target(EngineKind.SAME_WORK, 4, 1.2),
          new Target(EngineKind.BARE, 1, 0.5),
          new Target(EngineKind.BARE, 4, 0.8),
          new Target(EngineKind.RESILIENCE4J, 1, 1.4),
          new Target(EngineKind.RESILIENCE4J, 4, 1.4),
          new Target(EngineKind.DISRUPTOR, 1, 1.5),
          new Target(EngineKind.DISRUPTOR, 4, 1.5),
          new Target(EngineKind.VIRTUAL_SEMAPHORE, 1, 1.4),
          new Target(EngineKind.VIRTUAL_SEMAPHORE, 4, 1.4));

  String shape() {
    return producers + "x2";
  }
}
