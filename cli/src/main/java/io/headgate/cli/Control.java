package io.headgate.cli;

import io.headgate.Worker;
import io.headgate.cli.RunOptions.Bar;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What shows a run and steers it while it goes on: the bar or the lines of progress, the answer to
 * USR1, and the file with the concurrency. What nobody asked for is not even loaded.
 */
final class Control {
  private static final String NAME = "headgate: ";
  private static final int STANDARD_OUTPUT = 1;
  private static final int STANDARD_ERROR = 2;
  private static final long A_WHILE = TimeUnit.SECONDS.toNanos(1);
  private static final long BAR_PERIOD = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LINE_PERIOD = TimeUnit.SECONDS.toNanos(10);
  // Whole lines up to this size are written at once, so that one that is not read is not torn.
  private static final int BLOCK_CHARS = 1000;

  private final RunOptions options;
  private final Output output;
  private final Jobs jobs;
  private final SpawnGate gate;
  private final LineReader lines;
  private final Intake intake;
  private final long startNanos = System.nanoTime();
  private @Nullable ProgressDisplay display;

  Control(
      RunOptions options,
      Output output,
      Jobs jobs,
      SpawnGate gate,
      LineReader lines,
      Intake intake) {
    this.options = options;
    this.output = output;
    this.jobs = jobs;
    this.gate = gate;
    this.lines = lines;
    this.intake = intake;
  }

  /** Begins to show and to listen. */
  void start(Posix posix, Worker<Item> worker, Inquiry inquiry) {
    String jobsFile = options.bounds().jobsFile();
    if (jobsFile != null) {
      new JobsFile(
              jobsFile,
              options.bounds().concurrency(),
              worker::setConcurrency,
              message -> output.complain(NAME + message))
          .watch();
    }
    inquiry.attach(this::listRunning);
    display = display(posix);
    if (display != null) {
      display.start();
    }
  }

  /** Shows the end of the run, and nothing after it. */
  void end() {
    if (display != null) {
      display.end(System.nanoTime());
    }
  }

  private @Nullable ProgressDisplay display(Posix posix) {
    RunOptions.Progress progress = options.progress();
    if (wantsBar(progress.bar(), posix)) {
      Terminal terminal = new Terminal(STANDARD_ERROR);
      output.setStatusLine(new StatusLine(terminal::isOurs, neighbour(posix)));
      long wait = progress.bar() == Bar.AT_ONCE ? 0 : A_WHILE;
      return new ProgressDisplay(
          tally()::counts,
          new Meter(startNanos),
          new BarScreen(output, terminal),
          startNanos + wait,
          BAR_PERIOD);
    }
    return progress.lines()
        ? new ProgressDisplay(
            tally()::counts,
            new Meter(startNanos),
            new LineScreen(output),
            startNanos + LINE_PERIOD,
            LINE_PERIOD)
        : null;
  }

  private boolean wantsBar(Bar bar, Posix posix) {
    if (bar == Bar.NEVER || !posix.isTerminal(STANDARD_ERROR)) {
      return false;
    }
    // What somebody types would be mixed with it.
    return bar == Bar.AT_ONCE
        || (!posix.isTerminal(lines.fd()) && !"dumb".equals(System.getenv("TERM")));
  }

  private static StatusLine.Neighbour neighbour(Posix posix) {
    if (posix.isTerminal(STANDARD_OUTPUT)) {
      return StatusLine.Neighbour.TERMINAL;
    }
    return new FileSize(STANDARD_OUTPUT, 0).now() >= 0
        ? StatusLine.Neighbour.FILE
        : StatusLine.Neighbour.PIPE;
  }

  private long givenTotal() {
    int perItem = options.input().perItem();
    return (options.progress().total() + perItem - 1) / perItem;
  }

  private Tally tally() {
    FileSize size = new FileSize(lines.fd(), lines.bytesRead());
    return new Tally(jobs, gate, lines, intake, givenTotal(), size::now);
  }

  private record BarScreen(Output output, Terminal terminal) implements ProgressDisplay.Screen {
    @Override
    public void show(Snapshot snapshot) {
      // A character in the last column would make some terminals begin another line.
      output.drawStatus(StatusText.bar(snapshot, terminal.columns() - 1));
    }

    @Override
    public void end(Snapshot snapshot) {
      output.endStatus();
    }
  }

  private record LineScreen(Output output) implements ProgressDisplay.Screen {
    @Override
    public void show(Snapshot snapshot) {
      output.remark(NAME + StatusText.line(snapshot, StatusText.ANY_WIDTH));
    }

    @Override
    public void end(Snapshot snapshot) {
      show(snapshot);
    }
  }

  private void listRunning() {
    long now = System.nanoTime();
    StringBuilder block = new StringBuilder();
    for (String line :
        RunningList.of(jobs.inOrder(), intake::id, !options.input().idIsLine(), now)) {
      if (!block.isEmpty() && block.length() + line.length() > BLOCK_CHARS) {
        if (!output.complain(block.toString())) {
          return;
        }
        block.setLength(0);
      }
      block.append(block.isEmpty() ? "" : "\n").append(NAME).append(line);
    }
    // Without the size of the input: to ask for it takes memory that is never given back.
    Tally tally = new Tally(jobs, gate, lines, intake, givenTotal(), () -> -1);
    Snapshot snapshot = new Meter(startNanos).read(tally.counts(), now);
    block.append(block.isEmpty() ? "" : "\n");
    block.append(NAME).append(StatusText.line(snapshot, StatusText.ANY_WIDTH));
    output.complain(block.toString());
  }
}
