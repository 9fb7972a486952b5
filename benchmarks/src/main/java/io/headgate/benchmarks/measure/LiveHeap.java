package io.headgate.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * What the last collection left on the heap. Not what is used a moment later: a thread that goes on
 * takes a whole buffer of some hundred kilobytes for its next object.
 */
public final class LiveHeap {

  /**
   * Flags that make the figure exact: a simple collector that closes every gap, where it would
   * leave some of the dead to save work, and nothing kept for its softness.
   */
  public static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:MarkSweepAlwaysCompactCount=1",
          "-XX:SoftRefLRUPolicyMSPerMB=0",
          "-XX:-UsePerfData");

  private static final List<MemoryPoolMXBean> POOLS =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .toList();
  private static final int MOST_TRIES = 20;

  private LiveHeap() {}

  /** Collects once and looks. */
  public static long bytes() {
    System.gc();
    long bytes = 0;
    for (MemoryPoolMXBean pool : POOLS) {
      MemoryUsage usage = pool.getCollectionUsage();
      if (usage != null) {
        bytes += usage.getUsed();
      }
    }
    return bytes;
  }

  /**
   * Collects until two collections in a row leave as much. One may only find what is to be cleared
   * or finished, and threads that have just ended take a moment to go.
   */
  public static long settledBytes() throws InterruptedException {
    long last = bytes();
    for (int i = 0; i < MOST_TRIES; i++) {
      Thread.sleep(5);
      long next = bytes();
      if (next == last) {
        return next;
      }
      last = next;
    }
    return last;
  }
}
