package io.headgate.cli;

import io.headgate.cli.RunOptions.Resume;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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
      Earlier earlier = earlier(options.records(), err);
      if (earlier == null) {
        return ExitCode.STORE;
      }
      DryRun run = new DryRun(options, InputFile.open(new Posix(), options.input()), out, err);
      ladder.attach(run, Duration.ZERO);
      return run.print(earlier);
    } catch (IOException e) {
      err.println(Syntax.NAME + ": " + e.getMessage());
      return ExitCode.INPUT;
    }
  }

  /** What earlier runs did, or null if there is no knowing, which was told. */
  private static @Nullable Earlier earlier(RunOptions.Records records, PrintStream err)
      throws UsageException, IOException {
    RunOptions.Store store = records.store();
    if (store != null) {
      return StoredLines.readOnly(
          store, records.resume(), message -> err.println(Syntax.NAME + ": " + message));
    }
    String name = records.joblog();
    return name == null || records.resume() == Resume.NO
        ? new Recorded(Resume.NO)
        : Joblog.readOnly(name, records.resume());
  }

  private int print(Earlier earlier) throws IOException {
    ItemReader items = new ItemReader(lines, options.input().perItem());
    for (Item item = items.next(); item != null; item = items.next()) {
      switch (earlier.decide(item)) {
        case RUN -> print(item);
        case DIFFERS -> {
          complain(
              item,
              "is not what the " + earlier.name() + " has at position " + item.position(),
              ExitCode.INPUT);
          return code;
        }
        case LOST -> {
          return ExitCode.STORE;
        }
        case SKIP, SKIP_FAILED, SKIP_UNDONE, HOLD -> {}
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
