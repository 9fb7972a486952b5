package io.headgate;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many jobs were refused, by reason. Counting takes no lock and allocates nothing at rest. */
final class Refusals {

  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

  Refusals() {
    for (Reason reason : Reason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  void count(Reason reason) {
    requireNonNull(counts.get(reason)).increment();
  }

  /** Returns the counts of the reasons that came. */
  Map<Reason, Long> snapshot() {
    Map<Reason, Long> snapshot = new EnumMap<>(Reason.class);
    counts.forEach(
        (reason, count) -> {
          long sum = count.sum();
          if (sum > 0) {
            snapshot.put(reason, sum);
          }
        });
    return snapshot;
  }
}
