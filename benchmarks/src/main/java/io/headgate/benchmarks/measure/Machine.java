package io.headgate.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where and on what a run took place. It is printed with every run and stands in every row.
 *
 * @param cpus the CPUs that measured processes are pinned to, or why they are not
 * @param load the load averages of 1, 5 and 15 minutes at the start; anything beside zero is noise
 * @param commit with a plus where the tree differs from it
 * @param sources the first digits of SHA-256 over the measured sources
 */
public record Machine(
    String processor,
    String cpus,
    String governor,
    String load,
    String memory,
    String system,
    String jdk,
    String commit,
    String sources) {

  /** Looks at this machine and at the repository below {@code root}. */
  public static Machine look(Path root, Pinning pinning) throws IOException {
    return new Machine(
        processorName(),
        pinning.text(),
        governorName(),
        loadNow(),
        memorySize(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vendor.version") + " (" + System.getProperty("java.vm.name") + ")",
        commitOf(root),
        Sources.hash(root));
  }

  /** The same, with the load as it is now. */
  public Machine again() throws IOException {
    return new Machine(processor, cpus, governor, loadNow(), memory, system, jdk, commit, sources);
  }

  /** The load averages, or a word that there are none. */
  private static String loadNow() throws IOException {
    Path file = Path.of("/proc/loadavg");
    return Files.isReadable(file)
        ? String.join(" ", List.of(Files.readString(file).split(" ", -1)).subList(0, 3))
        : "unknown";
  }

  private static String processorName() throws IOException {
    return Runtime.getRuntime().availableProcessors()
        + " × "
        + field("/proc/cpuinfo", "model name");
  }

  private static String memorySize() throws IOException {
    String total = field("/proc/meminfo", "MemTotal").replace(" kB", "");
    return total.chars().allMatch(Character::isDigit)
        ? String.format(Locale.ROOT, "%.0f GiB", Long.parseLong(total) / 1024.0 / 1024)
        : total;
  }

  private static String field(String file, String name) throws IOException {
    Path path = Path.of(file);
    if (Files.isReadable(path)) {
      for (String line : Files.readAllLines(path)) {
        if (line.startsWith(name)) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return "unknown";
  }

  private static String governorName() throws IOException {
    Path file = Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    return Files.isReadable(file) ? Files.readString(file).strip() : "not shown to this machine";
  }

  private static String commitOf(Path root) throws IOException {
    String head = Trial.output(root, "git", "rev-parse", "--short=12", "HEAD");
    String changes =
        Trial.output(root, "git", "status", "--porcelain", "core", "jdbc", "benchmarks");
    return head.isEmpty() ? "unknown" : head + (changes.isEmpty() ? "" : "+");
  }

  Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("processor", processor);
    values.put("cpus", cpus);
    values.put("governor", governor);
    values.put("load", load);
    values.put("memory", memory);
    values.put("system", system);
    values.put("jdk", jdk);
    values.put("commit", commit);
    values.put("sources", sources);
    return values;
  }

  /** One line of Markdown. */
  public String text() {
    return "**Run on** %s, pinned to %s, governor %s, load before %s, %s, %s, %s. **Of** commit %s, sources %s."
        .formatted(processor, cpus, governor, load, memory, system, jdk, commit, sources);
  }
}
