package io.headgate;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many jobs were refused, by reason. Counting takes no lock and allocates nothing at rest. */
final class Refusals {

  private static final Reason[] REASONS = Reason.values();

  private final LongAdder[] counts = new LongAdder[Reason.COUNT];

  Refusals() {
    Arrays.setAll(counts, i -> new LongAdder());
  }

  @SuppressWarnings("EnumOrdinal") // an index into this object's own array, never stored
  void count(Reason reason) {
    counts[reason.ordinal()].increment();
  }

  /** How many were refused for a reason that a later try can help against. */
  @SuppressWarnings("EnumOrdinal")
  long thatMayPass() {
    long sum = 0;
    for (Reason reason : REASONS) {
      sum += reason.retryCanHelp() ? counts[reason.ordinal()].sum() : 0;
    }
    return sum;
  }

  /** Returns the counts of the reasons that came, immutable. */
  @SuppressWarnings("EnumOrdinal")
  Map<Reason, Long> snapshot() {
    Map<Reason, Long> snapshot = new EnumMap<>(Reason.class);
    for (Reason reason : REASONS) {
      long sum = counts[reason.ordinal()].sum();
      if (sum > 0) {
        snapshot.put(reason, sum);
      }
    }
    return snapshot.isEmpty() ? Map.of() : Collections.unmodifiableMap(snapshot);
  }
}
