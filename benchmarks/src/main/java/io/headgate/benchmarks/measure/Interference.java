package io.headgate.benchmarks.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much of the CPUs went to others while something was measured: what the load average, which
 * looks back over minutes, cannot say. Where the system does not tell it is counted as none.
 */
public final class Interference {

  private static final Path STAT = Path.of("/proc/stat");
  private static final double TICKS_PER_SECOND = 100;

  /** The columns of user, nice, system, interrupts and what a hypervisor took. */
  private static final List<Integer> BUSY = List.of(1, 2, 3, 6, 7, 8);

  private final long start = System.nanoTime();
  private final double busy = busySeconds();
  private final double own = ownSeconds();

  /** Begins to look. */
  public Interference() throws IOException {}

  /** The share of all CPUs that others used since; near zero on a quiet machine. */
  public double share() throws IOException {
    double wall = (System.nanoTime() - start) / 1e9;
    double others = busySeconds() - busy - (ownSeconds() - own);
    return Math.max(0, others / wall / Runtime.getRuntime().availableProcessors());
  }

  private static double ownSeconds() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  private static double busySeconds() throws IOException {
    if (!Files.isReadable(STAT)) {
      return 0;
    }
    String[] columns = Files.readAllLines(STAT).getFirst().split("\\s+", -1);
    return BUSY.stream().mapToLong(i -> Long.parseLong(columns[i])).sum() / TICKS_PER_SECOND;
  }
}
