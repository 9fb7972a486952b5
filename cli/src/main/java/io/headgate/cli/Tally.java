package io.headgate.cli;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Reads the counts of a run while it goes on. They are read one after the other, so they may be
 * apart by what happened meanwhile. Used by one thread.
 *
 * <p>Nothing is read ahead for the total: it is what the user said, or for a regular file its size,
 * taken for so many items as those seen so far make likely.
 */
final class Tally {
  private final Jobs jobs;
  private final SpawnGate gate;
  private final LineReader lines;
  private final Intake intake;
  private final long givenTotal;
  private final LongSupplier size;

  /**
   * @param givenTotal the number of items, or 0 if nobody said
   * @param size of the input in bytes, negative while it is unknown
   */
  Tally(
      Jobs jobs,
      SpawnGate gate,
      LineReader lines,
      Intake intake,
      long givenTotal,
      LongSupplier size) {
    this.jobs = jobs;
    this.gate = gate;
    this.lines = lines;
    this.intake = intake;
    this.givenTotal = givenTotal;
    this.size = size;
  }

  Counts counts() {
    // Bytes before items: an item too many is an estimate too high, never a run past its end.
    long taken = lines.bytesTaken();
    Map<Fate.Kind, Long> fates = new EnumMap<>(Fate.Kind.class);
    long ended = 0;
    for (Fate.Kind kind : Fate.Kind.values()) {
      fates.put(kind, jobs.count(kind));
      ended += jobs.count(kind);
    }
    int open = jobs.open();
    long skipped = intake.skipped();
    return new Counts(fates, skipped, gate.living(), open, total(ended + open + skipped, taken));
  }

  private double total(long items, long taken) {
    if (givenTotal > 0) {
      return givenTotal;
    }
    long bytes = size.getAsLong();
    return bytes < taken || taken == 0 ? Double.NaN : (double) items * bytes / taken;
  }
}
