package io.headgate.cli;

import io.headgate.cli.RunOptions.Resume;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Prints the commands of a run, one a line, as a shell would read them, and runs none. With a
 * joblog to resume from, prints those alone that would be run. Writes nothing else.
 */
final class DryRun implements StopLadder.Target {
  private final RunOptions options;
  private final CommandTemplate template;
  private final LineReader lines;
  private final PrintStream out;
  private final PrintStream err;
  private int code = ExitCode.OK;

  private DryRun(RunOptions options, LineReader lines, PrintStream out, PrintStream err) {
    this.options = options;
    this.lines = lines;
    this.out = out;
    this.err = err;
    template = new CommandTemplate(Words.bytesOf(options.command()), options.input().lineToken());
  }

  /**
   * Does it all; the exit code.
   *
   * @throws UsageException if the joblog is none
   */
  static int execute(RunOptions options, StopLadder ladder, PrintStream out, PrintStream err)
      throws UsageException {
    try {
      Recorded recorded = recorded(options.records());
      DryRun run = new DryRun(options, InputFile.open(new Posix(), options.input()), out, err);
      ladder.attach(run, Duration.ZERO);
      return run.print(recorded);
    } catch (IOException e) {
      err.println(Syntax.NAME + ": " + e.getMessage());
      return ExitCode.INPUT;
    }
  }

  private static Recorded recorded(RunOptions.Records records) throws UsageException, IOException {
    String name = records.joblog();
    return name == null || records.resume() == Resume.NO
        ? new Recorded()
        : Joblog.readOnly(name, records.resume());
  }

  private int print(Recorded recorded) throws IOException {
    ItemReader items = new ItemReader(lines, options.input().perItem());
    for (Item item = items.next(); item != null; item = items.next()) {
      switch (recorded.decide(item, options.records().resume())) {
        case RUN -> print(item);
        case DIFFERS -> {
          complain(
              item, "is not what the joblog has at position " + item.position(), ExitCode.INPUT);
          return code;
        }
        case SKIP, SKIP_FAILED, SKIP_UNDONE -> {}
      }
      if (out.checkError()) {
        err.println(Syntax.NAME + ": standard output cannot be written");
        return ExitCode.OUTPUT;
      }
    }
    return lines.endReached() ? code : ExitCode.INCOMPLETE;
  }

  private void print(Item item) {
    if (item.isCut()) {
      complain(
          item,
          "has "
              + item.length()
              + " bytes, above --max-line-bytes "
              + options.input().maxLineBytes(),
          ExitCode.INCOMPLETE);
    } else if (item.lines().stream().anyMatch(Line::holdsZeroByte)) {
      complain(item, "has a zero byte, which no argument can hold", ExitCode.FAILED);
    } else {
      out.writeBytes(ShellWords.quote(template.words(item)));
      out.write('\n');
    }
  }

  private void complain(Item item, String what, int exitCode) {
    err.println(Syntax.NAME + ": line " + item.firstLine() + " " + what);
    code = exitCode;
  }

  @Override
  public void stopAdmission() {
    lines.stop();
  }

  @Override
  public void drain(Duration grace) {
    // Nothing runs.
  }

  @Override
  public void abort(Duration grace) {
    // Nothing runs.
  }

  @Override
  public void kill() {
    // Nothing runs.
  }
}
