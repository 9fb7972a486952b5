package io.headgate.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Holds measured processes to the first CPUs that this one may use, so that a big machine gives the
 * figures of a small one and no process wanders. Where {@code taskset} is missing nothing is
 * pinned, and the run says so.
 *
 * @param cpus the numbers of the CPUs; empty means not pinned
 */
public record Pinning(List<Integer> cpus) {

  /** How many CPUs every figure is taken with. */
  public static final int WIDTH = 2;

  /** Copies the list. */
  public Pinning {
    cpus = List.copyOf(cpus);
  }

  /** Looks what this process may use. */
  public static Pinning look() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status) || Trial.output(Path.of("/"), "taskset", "--version").isEmpty()) {
      return new Pinning(List.of());
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("Cpus_allowed_list:")) {
        List<Integer> allowed = parse(line.substring(line.indexOf(':') + 1).strip());
        return new Pinning(allowed.subList(0, Math.min(WIDTH, allowed.size())));
      }
    }
    return new Pinning(List.of());
  }

  /** Reads {@code 0-2,5}. */
  static List<Integer> parse(String list) {
    List<Integer> cpus = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", -1);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int cpu = Integer.parseInt(ends[0]); cpu <= last; cpu++) {
        cpus.add(cpu);
      }
    }
    return cpus;
  }

  /** What goes before a command. */
  List<String> prefix() {
    return cpus.isEmpty() ? List.of() : List.of("taskset", "-c", joined());
  }

  private String joined() {
    return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  String text() {
    return cpus.isEmpty() ? "nothing (no taskset)" : "CPUs " + joined();
  }
}
