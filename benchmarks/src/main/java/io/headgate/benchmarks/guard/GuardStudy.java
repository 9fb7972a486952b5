package io.headgate.benchmarks.guard;

import io.headgate.benchmarks.core.CoreStudy;
import io.headgate.benchmarks.core.EngineKind;
import io.headgate.benchmarks.core.ThroughputTrial;
import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.LiveHeap;
import io.headgate.benchmarks.measure.ObjectGraph;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Table;
import io.headgate.benchmarks.memory.MemoryTrial;
import io.headgate.benchmarks.refusal.RefusalTrial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The check of a build: only ratios and allocated bytes, so that it holds on a loaded machine. What
 * the numbers must be, and why, is in {@link Budget}.
 */
public final class GuardStudy implements Study {

  private static final int MOST_PAIRS = 11;

  /** No pair begins later, so that a build does not wait for a machine that is never quiet. */
  private static final Duration MOST_TIME = Duration.ofSeconds(90);

  private static final int TRIES = 3;
  private static final List<String> REFUSALS = List.of("FULL", "DUPLICATE");
  private static final List<Integer> CAPS = List.of(128, 0, -1);

  private final Table table = Table.of("checked", "found", "allowed");
  private final List<Row> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  @Override
  public Findings run(Setting setting) throws IOException {
    garbage(setting);
    refusals(setting);
    retained(setting);
    core(setting);
    return new Findings("Guard", table.text(), rows, failures);
  }

  private void garbage(Setting setting) throws IOException {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < TRIES && Budget.garbage(least).isPresent(); i++) {
      least =
          Math.min(least, setting.trial().java(GarbageTrial.class, CoreStudy.JVM).number("bytes"));
    }
    add("garbage per job, B", least, "≤ " + Budget.MOST_GARBAGE, Budget.garbage(least));
  }

  private void refusals(Setting setting) throws IOException {
    for (String reason : REFUSALS) {
      double least = Double.MAX_VALUE;
      for (int i = 0; i < TRIES && Budget.refusal(reason, least).isPresent(); i++) {
        Answers answers =
            setting
                .trial()
                .java(RefusalTrial.class, CoreStudy.JVM, "HEADGATE_" + reason, 500, 300, 1);
        least = Math.min(least, answers.number("bytes.1"));
      }
      add("refusal " + reason + ", B", least, "0", Budget.refusal(reason, least));
    }
  }

  private void retained(Setting setting) throws IOException {
    Baseline baseline = new Baseline(setting.root());
    for (int cap : CAPS) {
      String name = "cap." + (cap < 0 ? "unlimited" : cap);
      List<String> flags = new ArrayList<>(ObjectGraph.FLAGS);
      flags.addAll(LiveHeap.FLAGS);
      flags.add("-Xmx64m");
      double bytes =
          setting.trial().java(MemoryTrial.class, flags, 4_096, cap, 100).number("graph");
      double recorded = baseline.bytes(name);
      add(
          "retained, " + name + ", B",
          bytes,
          "≤ %.0f + 5 %%".formatted(recorded),
          Budget.retained(name, bytes, recorded));
    }
  }

  private void core(Setting setting) throws IOException {
    Race all = new Race();
    Race quiet = new Race();
    long end = System.nanoTime() + MOST_TIME.toNanos();
    while (all.pairs() < MOST_PAIRS
        && System.nanoTime() - end < 0
        && !(quiet.pairs() >= Budget.LEAST_QUIET && quiet.ratio() >= Budget.LEAST_RATIO)) {
      // The order turns, so that neither always comes after the other.
      boolean oursFirst = all.pairs() % 2 == 0;
      Answers first = race(setting, oursFirst ? EngineKind.HEADGATE : EngineKind.SAME_WORK);
      Answers second = race(setting, oursFirst ? EngineKind.SAME_WORK : EngineKind.HEADGATE);
      Answers ours = oursFirst ? first : second;
      Answers theirs = oursFirst ? second : first;
      all.add(ours, theirs);
      if (Math.max(others(ours), others(theirs)) <= Budget.MOST_OTHERS) {
        quiet.add(ours, theirs);
      }
      setting.progress().accept("pair " + all.pairs());
    }
    boolean judged = quiet.pairs() >= Budget.LEAST_QUIET;
    Race told = judged ? quiet : all;
    add(
        "jobs/s beside the executor, %d %spairs, %d of them below 1: 1 producer %s, 4 producers %s; mean of the medians"
            .formatted(
                told.pairs(),
                judged ? "quiet " : "",
                told.below(),
                told.one().text(2, 1),
                told.four().text(2, 1)),
        told.ratio(),
        judged
            ? "≥ " + Budget.LEAST_RATIO + ", or by chance"
            : "**not judged: others used the CPUs**",
        judged ? told.failure() : Optional.empty());
  }

  private static Answers race(Setting setting, EngineKind kind) throws IOException {
    return setting
        .trial()
        .java(ThroughputTrial.class, CoreStudy.JVM, kind, 1_500, 400, 700, "1x2", "4x2");
  }

  private static double others(Answers answers) {
    return Math.max(answers.number("others.1x2"), answers.number("others.4x2"));
  }

  private void add(String what, double found, String allowed, Optional<String> failure) {
    table.row(what, String.format(Locale.ROOT, "%.2f", found), allowed);
    rows.add(Row.of("Headgate", "this tree", what).with("found", found).with("allowed", allowed));
    failure.ifPresent(failures::add);
  }
}
