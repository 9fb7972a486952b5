package io.headgate.jdbc;

import io.headgate.time.Ticker;
import java.util.EnumMap;
import java.util.Map;

/**
 * Which outages are told in the log: one of a kind in a period. A store that is full fails each
 * newcomer and works for everything else, so it goes away and comes back many times a second.
 * Belongs to the writer.
 */
final class Outages {

  static final long PERIOD_NANOS = 30_000_000_000L;

  private final Ticker ticker;
  private final Map<StoreException.Kind, Long> told = new EnumMap<>(StoreException.Kind.class);

  Outages(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Whether one that begins now is to be told; counts as told then. */
  boolean mayTell(StoreException.Kind kind) {
    long now = ticker.nanoTime();
    Long before = told.get(kind);
    boolean may = before == null || now - before >= PERIOD_NANOS;
    if (may) {
      told.put(kind, now);
    }
    return may;
  }
}
