package io.headgate.benchmarks.bound;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.ObjectGraph;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Spread;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Whether {@code memoryBound()} holds, and whether it is of any use. */
public final class BoundStudy implements Study {

  private static final int COUNT = 200;
  private static final long SEED = 2026;
  private static final double MOST = 2;
  private static final double MIB = 1 << 20;

  @Override
  public Findings run(Setting setting) throws IOException {
    List<String> flags = new ArrayList<>(ObjectGraph.FLAGS);
    flags.add("-Xmx1g");
    flags.add("-XX:-UsePerfData");
    Answers answers = setting.trial().java(BoundTrial.class, flags, SEED, COUNT);
    List<Row> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    double[] ratios = new double[COUNT];
    double[] sizes = new double[COUNT];
    int wide = 0;
    int tight = 0;
    for (int i = 0; i < COUNT; i++) {
      double measured = answers.number("measured." + i);
      double bound = answers.number("bound." + i);
      ratios[i] = bound / measured;
      sizes[i] = measured;
      String settings = answers.text("settings." + i);
      rows.add(
          Row.of("Headgate", "this tree", settings)
              .with("measuredBytes", measured)
              .with("boundBytes", bound));
      if (ratios[i] < 1) {
        tight++;
        failures.add(
            "%s keeps %.0f bytes, above its bound of %.0f".formatted(settings, measured, bound));
      } else if (ratios[i] > MOST) {
        wide++;
        failures.add(
            "%s keeps %.0f bytes, less than half of its bound of %.0f"
                .formatted(settings, measured, bound));
      }
    }
    Spread ratio = Spread.of(ratios);
    Table table =
        Table.of(
                "settings", "kept, MiB", "bound beside kept", "above the bound", "below half of it")
            .row(COUNT + " random", Spread.of(sizes).text(2, MIB), ratio.text(2, 1), tight, wide);
    String text =
        """
        `memoryBound()` beside the objects that the worker holds, for %d random settings (seed %d) in one JVM: \
        concurrency to 16, capacity and history to 400, ids to 256 bytes, messages to 400 code points, waiting \
        producers, byte budgets, retries, listeners. Each is filled first: ids, error types and messages as long \
        as they may be, in the characters that take most of the heap; every place taken, waiting and running or \
        between attempts; the ring of a listener full because it is stuck; producers parked. Wanted: kept ≤ bound \
        ≤ 2 × kept. Medians (ranges).

        """
                .formatted(COUNT, SEED)
            + table.text()
            + "\nThe same with shorter ids and messages, or less load, keeps less; the bound does not know the load."
            + " It is no bound of the process: see `MemoryBound`.\n";
    return new Findings("The stated memory bound", text, rows, failures);
  }
}
