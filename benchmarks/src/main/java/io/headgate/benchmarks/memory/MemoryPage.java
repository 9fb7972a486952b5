package io.headgate.benchmarks.memory;

import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Spread;
import io.headgate.benchmarks.measure.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the study says, as text. */
final class MemoryPage {

  /** The most bytes that the design allows, by cap, at width 4,096 and history 100. */
  private record Target(int cap, long bytes) {}

  private static final List<Target> TARGETS =
      List.of(new Target(128, 30_000), new Target(0, 14_000), new Target(Case.ALL, 440_000));

  private final Samples samples;
  private final List<Side> sides;
  private final List<String> runtimes;
  private final int repetitions;

  MemoryPage(Samples samples, List<Side> sides, List<String> runtimes, int repetitions) {
    this.samples = samples;
    this.sides = sides;
    this.runtimes = runtimes;
    this.repetitions = repetitions;
  }

  String text(String noise) {
    return """
        A worker of one, room for 16 waiting jobs, one producer that waits, 1,000 jobs that all fail with a \
        message of a given width. 3 widths × 3 caps on what is kept of a message × 3 histories × %d repetitions \
        = %d fresh processes a side, the order of caps and histories rotated. %s; Java with %s.

        Every trial must show the SHA-256 over all full messages (the same in both languages), 1,000 processed \
        and failed, and the number, the length and the truncation marks of what is kept; a trial that skipped \
        work fails the run.

        - **graph**: the objects that the stopped worker and its report hold, at the sizes JOL reads. Threads, \
        classes and the caller's own settings are not walked.
        - **live**: used heap after a collection, less that before the worker was made, both held. The \
        reference measurement forced no collection, for CPython counts references; on a JVM the figure would \
        be noise without.
        - **peak**: the largest live heap found by collecting within every hundredth job, while it holds its \
        message, the encoded copy and the exception.
        - **allocated**: by the producer's thread, and by all others.
        - **current**, **peak** of Python: tracemalloc, from after the imports; with the worker and its report \
        alive, without a forced collection.

        Bytes; medians, and ranges where the repetitions differ. The same trial twice before all others differed by: %s.

        """
            .formatted(
                repetitions,
                27 * repetitions,
                String.join(", ", runtimes),
                String.join(" ", Side.JVM),
                noise)
        + matrix(Side.JAVA)
        + "\n![Retained and peak bytes by width and cap, history 100](benchmarks/memory.svg)\n"
        + (sides.contains(Side.PYTHON)
            ? "\n### The same worker in Python asyncio\n\n"
                + "Written here from the contracts (`benchmarks/python/worker.py`).\n\n"
                + matrix(Side.PYTHON)
            : "\npython3 was not found, so the side-by-side is missing.\n")
        + "\n### Beside the published table\n\n"
        + besideSeed()
        + "\n### Targets\n\n"
        + targets()
        + """

        ### What this does not say

        Not the resident size of a process: neither a heap nor a traced figure is one, and a JVM has tens of \
        megabytes of its own. Not native memory, not threads and their stacks, not throughput. Bytes of Java \
        objects and bytes traced by Python are counted by different means; side by side they show the same \
        shape, not who is smaller as a process. The work does not isolate the cost of formatting an exception \
        or of cutting its message. With cap 0 all kept errors are equal, and equal neighbours share one object. \
        The raw trials are in [memory.csv](benchmarks/memory.csv).
        """;
  }

  private String matrix(Side side) {
    List<String> head = new ArrayList<>(List.of("width", "cap", "history"));
    head.addAll(side.figures());
    Table table = Table.of(head.toArray(String[]::new));
    for (Case wanted : MemoryStudy.cases()) {
      List<Object> cells =
          new ArrayList<>(
              List.of(wanted.width(), Case.limit(wanted.cap()), Case.limit(wanted.history())));
      side.figures().forEach(figure -> cells.add(bytes(spread(side, wanted, figure))));
      table.row(cells.toArray());
    }
    return table.text();
  }

  private String besideSeed() {
    Table table =
        Table.of(
            "message / cap, 100 outcomes",
            "reference, traced: current",
            "peak",
            "asyncio worker here, traced: current",
            "peak",
            "Headgate here: graph",
            "live",
            "peak");
    for (Seed seed : Seed.TABLE) {
      Case wanted = seed.matching();
      boolean python = sides.contains(Side.PYTHON);
      table.row(
          seed.width() + " / " + Case.limit(seed.cap()),
          grouped(seed.current()),
          grouped(seed.peak()),
          python ? bytes(spread(Side.PYTHON, wanted, "current")) : "",
          python ? bytes(spread(Side.PYTHON, wanted, "peak")) : "",
          bytes(spread(Side.JAVA, wanted, "graph")),
          bytes(spread(Side.JAVA, wanted, "live")),
          bytes(spread(Side.JAVA, wanted, "peak")));
    }
    return "The reference is a published case study of another worker with the same contracts, measured on "
        + Seed.ENVIRONMENT
        + "; its figures are quoted, not taken here. Widths 128 and 4,096 and 100 outcomes are its choice; 1,024,"
        + " 0 and unlimited are ours.\n\n"
        + table.text();
  }

  private String targets() {
    Table table = Table.of("width 4,096, history 100", "graph", "target", "");
    for (Target target : TARGETS) {
      double found = spread(Side.JAVA, new Case(4_096, target.cap(), 100), "graph").max();
      table.row(
          "cap " + Case.limit(target.cap()),
          grouped((long) found),
          "≤ " + grouped(target.bytes()),
          found <= target.bytes() ? "reached" : "**missed**");
    }
    double narrow = spread(Side.JAVA, new Case(128, 128, 100), "graph").median();
    double wide = spread(Side.JAVA, new Case(4_096, 128, 100), "graph").median();
    table.row(
        "cap 128, width 128 beside 4,096",
        grouped((long) narrow) + " beside " + grouped((long) wide),
        "equal",
        narrow == wide ? "reached" : "**missed**");
    return table.text();
  }

  private Spread spread(Side side, Case wanted, String figure) {
    return samples.spread(side + " " + wanted.name(), figure);
  }

  private static String bytes(Spread spread) {
    String median = grouped((long) spread.median());
    return spread.min() == spread.max()
        ? median
        : median + " (" + grouped((long) spread.min()) + "–" + grouped((long) spread.max()) + ")";
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
