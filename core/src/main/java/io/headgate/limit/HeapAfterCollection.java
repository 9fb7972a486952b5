package io.headgate.limit;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What the last collections left in the pools of the heap. The module that says so may be absent.
 * Not thread-safe.
 */
final class HeapAfterCollection {

  private static final boolean IS_KNOWN =
      ModuleLayer.boot().findModule("java.management").isPresent();

  /** Samples without a collection after which the last one says nothing any more. */
  static final int STALE_SAMPLES = 40;

  private final LongSupplier collections;
  private final DoubleSupplier share;
  private long seen = -1;
  private int samplesSince;

  HeapAfterCollection() {
    this(
        () -> IS_KNOWN ? Pools.collections() : 0,
        () -> IS_KNOWN ? (double) Pools.used() / (double) Runtime.getRuntime().maxMemory() : 0);
  }

  HeapAfterCollection(LongSupplier collections, DoubleSupplier share) {
    this.collections = collections;
    this.share = share;
  }

  /** The part of the maximum that is in use after collections; 0 where that is not known. */
  double share() {
    long now = collections.getAsLong();
    samplesSince = now == seen ? Math.min(samplesSince + 1, STALE_SAMPLES) : 0;
    seen = now;
    return samplesSince >= STALE_SAMPLES ? 0 : share.getAsDouble();
  }

  /** Loaded only where the module is there. */
  private static final class Pools {
    private Pools() {}

    static long collections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }

    static long used() {
      long used = 0;
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        MemoryUsage left = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
        used += left == null ? 0 : left.getUsed();
      }
      return used;
    }
  }
}
