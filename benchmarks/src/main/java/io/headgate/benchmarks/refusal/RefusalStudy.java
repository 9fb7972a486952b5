package io.headgate.benchmarks.refusal;

import io.headgate.benchmarks.measure.Answers;
import io.headgate.benchmarks.measure.Findings;
import io.headgate.benchmarks.measure.NoiseFloor;
import io.headgate.benchmarks.measure.Rotation;
import io.headgate.benchmarks.measure.Row;
import io.headgate.benchmarks.measure.Samples;
import io.headgate.benchmarks.measure.Setting;
import io.headgate.benchmarks.measure.Spread;
import io.headgate.benchmarks.measure.Study;
import io.headgate.benchmarks.measure.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What saying no costs, beside the peers. */
public final class RefusalStudy implements Study {

  private static final List<String> JVM =
      List.of("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC", "-XX:-UsePerfData");
  private static final String AGAIN = "again";
  private static final String OURS = RefuserKind.HEADGATE_FULL.name();
  private static final int ROUNDS = 5;
  private static final double MOST_NANOS = 25;
  private static final double LEAST_SHARE = 0.4;

  @Override
  public Findings run(Setting setting) throws IOException {
    Samples samples = measure(setting);
    NoiseFloor noise = NoiseFloor.of(samples.ratio(OURS, AGAIN, "rate.1"));
    Table table =
        Table.of(
            "asked",
            "version",
            "settings",
            "ns each, 1 thread",
            "million/s, 1 thread",
            "2 together",
            "4 together",
            "bytes each",
            "Headgate FULL beside it");
    List<Row> rows = new ArrayList<>();
    for (RefuserKind kind : RefuserKind.values()) {
      String name = kind.name();
      Spread rate = samples.spread(name, "rate.1");
      Spread beside = samples.ratio(OURS, name, "rate.1");
      double bytes = samples.spread(name, "bytes.1").median();
      table.row(
          kind.title(),
          kind.version(),
          kind.settings(),
          samples.spread(name, "nanos.1").text(1, 1),
          rate.text(1, 1e6),
          samples.spread(name, "rate.2").text(1, 1e6),
          samples.spread(name, "rate.4").text(1, 1e6),
          String.format(Locale.ROOT, "%.0f", bytes),
          kind.isOurs() ? "" : beside.text(2, 1) + " " + noise.judge(beside.median()).words());
      rows.add(
          Row.of(kind.title(), kind.version(), kind.settings())
              .with("nanosEach", samples.spread(name, "nanos.1"))
              .with("perSecond1", rate)
              .with("perSecond2", samples.spread(name, "rate.2"))
              .with("perSecond4", samples.spread(name, "rate.4"))
              .with("bytesEach", samples.spread(name, "bytes.1"))
              .with("headgateBeside", beside)
              .with("noiseFloor", noise.share()));
    }
    String text =
        """
        One thread, then two and four together, ask something that is full; %d fresh JVMs each (%s), in \
        rotated order; every answer is checked. Cells are medians (ranges); the last column is the ratio of \
        rates, round by round. Noise, Headgate beside itself: %s. What says no without a queue, an id or a \
        reason does less.

        """
            .formatted(ROUNDS, String.join(" ", JVM), noise.text());
    return new Findings("Refusals", text + table.text() + "\n" + targets(samples), rows);
  }

  private static Samples measure(Setting setting) throws IOException {
    List<String> flags = new ArrayList<>(JVM);
    flags.add(
        "-Dcsp.sentinel.log.dir=" + setting.root().resolve(Setting.RESULTS).resolve("sentinel"));
    Samples samples = new Samples();
    for (int round = 0; round < ROUNDS; round++) {
      List<String> subjects = new ArrayList<>(List.of(OURS, AGAIN));
      Arrays.stream(RefuserKind.values())
          .filter(kind -> kind != RefuserKind.HEADGATE_FULL)
          .forEach(kind -> subjects.add(kind.name()));
      for (String subject : Rotation.of(subjects, round)) {
        Answers answers =
            setting
                .trial()
                .java(
                    RefusalTrial.class,
                    flags,
                    subject.equals(AGAIN) ? OURS : subject,
                    setting.dose(300, 2_000),
                    setting.dose(150, 1_000),
                    1,
                    2,
                    4);
        for (int threads : List.of(1, 2, 4)) {
          samples.add(subject, "rate." + threads, answers.number("rate." + threads));
        }
        samples.add(subject, "nanos.1", 1e9 / answers.number("rate.1"));
        samples.add(subject, "bytes.1", answers.number("bytes.1"));
      }
      setting.progress().accept("round " + (round + 1) + " of " + ROUNDS);
    }
    return samples;
  }

  private static String targets(Samples samples) {
    double nanos = samples.spread(OURS, "nanos.1").median();
    double bytes = samples.spread(OURS, "bytes.1").max();
    double two = samples.ratioWithin(OURS, "rate.2", "rate.1").median();
    double four = samples.ratioWithin(OURS, "rate.4", "rate.1").median();
    return String.format(
        Locale.ROOT,
        "Targets: at most %.0f ns, here %.1f: %s. No garbage, here %.1f B: %s. At 2 and 4 threads together at"
            + " least %.1f of one thread's rate, here %.2f and %.2f: %s.%n",
        MOST_NANOS,
        nanos,
        word(nanos <= MOST_NANOS),
        bytes,
        word(bytes < 1),
        LEAST_SHARE,
        two,
        four,
        word(Math.min(two, four) >= LEAST_SHARE));
  }

  private static String word(boolean reached) {
    return reached ? "reached" : "**missed**";
  }
}
