package io.headgate.benchmarks.run;

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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The whole time of a command that runs many small children, beside xargs and GNU parallel. */
public final class RunStudy implements Study {

  private static final int LINES = 2_000;
  private static final int ROUNDS = 5;
  private static final int FIRST_CHILDREN = 5;
  private static final double MOST_BESIDE_XARGS = 1.2;
  private static final double MOST_BESIDE_PARALLEL = 0.35;
  private static final double MOST_FIRST_CHILD_MILLIS = 600;
  private static final String SECONDS = "seconds";
  private static final String AGAIN = "again";

  @Override
  public Findings run(Setting setting) throws IOException, InterruptedException {
    Path root = setting.root();
    List<RunPeer> peers = new ArrayList<>();
    for (RunPeer peer : RunPeer.values()) {
      if (!peer.version(root).isEmpty()) {
        peers.add(peer);
      }
    }
    Path input = Files.createTempFile("bench-run", ".txt");
    try {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < LINES; i++) {
        lines.append(i).append('\n');
      }
      Files.writeString(input, lines);
      for (RunPeer peer : peers) {
        checkWork(setting, peer, input);
      }
      return findings(setting, peers, measure(setting, peers, input), firstChild(setting));
    } finally {
      Files.delete(input);
    }
  }

  /** Before it is timed each shows that it does the work. Builds the command as well. */
  private static void checkWork(Setting setting, RunPeer peer, Path input) throws IOException {
    Process process =
        new ProcessBuilder(setting.trial().pinned(peer.command(setting.root(), "echo", "got")))
            .redirectInput(input.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long found;
    try (var output = process.inputReader()) {
      found = output.lines().filter(line -> line.startsWith("got ")).distinct().count();
    }
    if (found != LINES) {
      throw new IllegalStateException(peer.title() + " ran " + found + " of " + LINES);
    }
  }

  private static Samples measure(Setting setting, List<RunPeer> peers, Path input)
      throws IOException, InterruptedException {
    Samples samples = new Samples();
    for (int round = 0; round < ROUNDS; round++) {
      List<String> subjects = new ArrayList<>(List.of(RunPeer.HEADGATE.name(), AGAIN));
      peers.stream().skip(1).forEach(peer -> subjects.add(peer.name()));
      for (String subject : Rotation.of(subjects, round)) {
        RunPeer peer = subject.equals(AGAIN) ? RunPeer.HEADGATE : RunPeer.valueOf(subject);
        List<String> command = setting.trial().pinned(peer.command(setting.root(), "true"));
        long start = System.nanoTime();
        Process process =
            new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int status = process.waitFor();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (status != 0) {
          throw new IllegalStateException("exit " + status + " of " + command);
        }
        samples.add(subject, SECONDS, seconds);
      }
      setting.progress().accept("round " + (round + 1) + " of " + ROUNDS);
    }
    return samples;
  }

  /** Milliseconds from the start of the command to the clock of its first child. */
  private static Spread firstChild(Setting setting) throws IOException {
    double[] millis = new double[FIRST_CHILDREN];
    for (int i = 0; i < millis.length; i++) {
      List<String> command =
          setting
              .trial()
              .pinned(
                  List.of(
                      setting.root().resolve("headgate").toString(),
                      "run",
                      "--",
                      "sh",
                      "-c",
                      "date +%s%N"));
      long start = System.currentTimeMillis();
      Process process = new ProcessBuilder(command).start();
      try (var line = process.outputWriter()) {
        line.write("x\n");
      }
      String clock =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      millis[i] = Long.parseLong(clock) / 1e6 - start;
    }
    return Spread.of(millis);
  }

  private static Findings findings(
      Setting setting, List<RunPeer> peers, Samples samples, Spread firstChild) {
    NoiseFloor noise = NoiseFloor.of(samples.ratio(AGAIN, RunPeer.HEADGATE.name(), SECONDS));
    Table table =
        Table.of("command", "version", "settings", "seconds", "headgate takes, beside it", "");
    List<Row> rows = new ArrayList<>();
    for (RunPeer peer : peers) {
      Spread seconds = samples.spread(peer.name(), SECONDS);
      Spread beside = samples.ratio(RunPeer.HEADGATE.name(), peer.name(), SECONDS);
      String version = peer.version(setting.root());
      boolean ours = peer == RunPeer.HEADGATE;
      table.row(
          peer.title(),
          version,
          peer.settings(),
          seconds.text(2, 1),
          ours ? "" : beside.text(2, 1) + " ×",
          // A time: less is better, so the ratio is turned.
          ours ? "" : noise.judge(1 / beside.median()).words());
      rows.add(
          Row.of(peer.title(), version, peer.settings())
              .with("seconds", seconds)
              .with("headgateBeside", beside)
              .with("noiseFloor", noise.share()));
    }
    rows.add(
        Row.of("headgate run", "this tree", "first child").with("firstChildMillis", firstChild));
    String text =
        """
        %,d × `true`, two at a time, start of everything included; input from a file, output to nowhere; %d \
        rounds in rotated order; each was seen to run all lines before it was timed. Medians (ranges), ratios \
        round by round. Noise, headgate beside itself: %s.

        """
                .formatted(LINES, ROUNDS, noise.text())
            + table.text()
            + "\n"
            + target(samples, peers, RunPeer.XARGS, MOST_BESIDE_XARGS)
            + target(samples, peers, RunPeer.PARALLEL, MOST_BESIDE_PARALLEL)
            + "From the start of the command to the clock of its first child, %d times: %s ms; target at most %.0f, %s.%n"
                .formatted(
                    firstChild.count(),
                    firstChild.text(0, 1),
                    MOST_FIRST_CHILD_MILLIS,
                    word(firstChild.median() <= MOST_FIRST_CHILD_MILLIS));
    return new Findings("`headgate run`", text, rows);
  }

  private static String target(Samples samples, List<RunPeer> peers, RunPeer peer, double most) {
    if (!peers.contains(peer)) {
      return peer.title() + " was not found, so it is not compared.\n\n";
    }
    double ratio = samples.ratio(RunPeer.HEADGATE.name(), peer.name(), SECONDS).median();
    return "Target beside %s: at most %.2f ×, %s.%n%n"
        .formatted(peer.title(), most, word(ratio <= most));
  }

  private static String word(boolean reached) {
    return reached ? "reached" : "**missed**";
  }
}
