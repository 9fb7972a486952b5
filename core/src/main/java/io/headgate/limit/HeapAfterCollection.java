package io.headgate.limit;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * What the last collections left in the pools of the heap. The module that says so may be absent.
 */
final class HeapAfterCollection {

  private static final boolean IS_KNOWN =
      ModuleLayer.boot().findModule("java.management").isPresent();

  private HeapAfterCollection() {}

  /** The part of the maximum that is in use after collections; 0 where that is not known. */
  static double share() {
    return IS_KNOWN ? (double) Pools.used() / Runtime.getRuntime().maxMemory() : 0;
  }

  /** Loaded only where the module is there. */
  private static final class Pools {
    private Pools() {}

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
