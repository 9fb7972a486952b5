package io.headgate.benchmarks.soak;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.LiveHeap;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Table;
import io.headgate.benchmarks.measure.Trend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Whether anything grows or goes missing while a worker is overloaded for long. */
public final class SoakStudy implements Study {

  private static final List<String> JVM =
      Stream.concat(Stream.of("-Xms128m", "-Xmx128m"), LiveHeap.FLAGS.stream()).toList();
  private static final int SECONDS = 60;
  private static final int MOST_LINES = 20;

  /** The heap of the first samples holds what is being compiled. */
  private static final int SETTLING = 4;

  @Override
  public Findings run(Setting setting) throws IOException {
    int seconds = setting.minutes() * SECONDS;
    int every = setting.minutes() <= 2 ? 4 : 20;
    setting.progress().accept("runs for " + seconds + " s");
    Answers answers = setting.trial().java(SoakTrial.class, JVM, seconds, every);
    int samples = (int) answers.whole("samples");
    List<String> failures = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    double[] live = new double[samples];
    Table table =
        Table.of(
            "s",
            "accepted",
            "completed",
            "failed",
            "interrupted",
            "unstarted",
            "unfinished",
            "refused",
            "live heap, bytes");
    int step = Math.max(1, samples / MOST_LINES);
    for (int i = 0; i < samples; i++) {
      live[i] = answers.number("sample." + i + ".live");
      Moment moment = Moment.of(answers, "sample." + i);
      failures.addAll(moment.faults("after " + (i + 1) * every + " s"));
      if ((i + 1) % step == 0) {
        table.row(moment.cells((i + 1) * every, live[i]));
      }
      rows.add(moment.row("after " + (i + 1) * every + " s").with("liveBytes", live[i]));
    }
    Moment last = Moment.of(answers, "final");
    failures.addAll(last.faults("at the end"));
    boolean addsUp = failures.isEmpty();
    if (last.unfinished() != 0 || !answers.text("clean").equals("true")) {
      failures.add("the drain at the end left something: " + last);
    }
    if (answers.whole("entered") < last.completed() + last.failed()) {
      failures.add("more ended than were entered: " + last + ", " + answers.text("entered"));
    }
    if (last.failed() == 0 || last.interrupted() == 0 || last.unstarted() == 0) {
      failures.add("not every kind of end was seen: " + last);
    }
    Trend trend = Trend.of(Arrays.copyOfRange(live, Math.min(SETTLING, samples - 3), samples));
    if (!trend.isFlat()) {
      failures.add("the heap after a collection grew by %,.0f bytes".formatted(trend.growth()));
    }
    rows.add(
        last.row("at the end")
            .with("growthBytes", trend.growth())
            .with("noiseBytes", trend.noise()));
    String text =
        String.format(
                Locale.ROOT,
                """
            4 workers whose jobs sleep 2 ms, room for 64, and twice as many jobs as they can do: an open loop with \
            exponential gaps, %,d offered in %d min. Each tenth job that runs fails with a message of 4,000 \
            characters, each fiftieth arrival cancels a recent job, and a newcomer that finds no room sheds the \
            oldest. One JVM (%s). Every %d s: the equation accepted = completed + failed + interrupted + \
            unstarted + unfinished, accepted beside what the callers were told, and the heap after a collection.

            """,
                answers.whole("offered"),
                setting.minutes(),
                String.join(" ", JVM),
                every)
            + table.text()
            + String.format(
                Locale.ROOT,
                "%nThe equation held at %s of %d samples and after the drain. Trend of the heap over the run: %+,.0f bytes, while the samples stray"
                    + " from it by %,.0f: %s.%n",
                addsUp ? "each" : "**not each**",
                samples,
                trend.growth(),
                trend.noise(),
                trend.isFlat() ? "flat" : "**it grows**");
    return new Findings("Soak", text, rows, failures);
  }
}
