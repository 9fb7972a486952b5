package io.headgate.limit;

import io.headgate.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Processor time used over time passed, between one look and the next. Not thread-safe. */
final class CpuShare implements DoubleSupplier {
  private final Supplier<Optional<Duration>> used;
  private final double processors;
  private final Ticker ticker;
  private long lastUsed;
  private long lastLook;
  private double share;

  CpuShare(Supplier<Optional<Duration>> used, double processors, Ticker ticker) {
    this.used = used;
    this.processors = processors;
    this.ticker = ticker;
    this.lastUsed = usedNanos();
    this.lastLook = ticker.nanoTime();
  }

  @Override
  public double getAsDouble() {
    long now = ticker.nanoTime();
    long passed = now - lastLook;
    if (passed > 0) {
      long usedNow = Math.max(lastUsed, usedNanos()); // it may not be told once
      share = (usedNow - lastUsed) / (passed * processors);
      lastUsed = usedNow;
      lastLook = now;
    }
    return share;
  }

  private long usedNanos() {
    return used.get().map(Duration::toNanos).orElse(0L);
  }
}
