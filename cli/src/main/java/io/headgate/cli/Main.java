package io.headgate.cli;

import java.util.Arrays;

/** The command {@code headgate}. */
public final class Main {
  private Main() {}

  /**
   * Runs the command and ends the process with its exit code.
   *
   * @param words the command line
   */
  public static void main(String[] words) {
    int code;
    try {
      code = execute(words);
    } catch (Throwable t) {
      System.err.println(Syntax.NAME + ": internal error: " + t);
      t.printStackTrace();
      code = ExitCode.INTERNAL;
    }
    System.exit(code);
  }

  private static int execute(String[] words) {
    if (words.length > 0 && words[0].equals(Syntax.RUN)) {
      return run(Arrays.copyOfRange(words, 1, words.length));
    }
    return Pages.print(words);
  }

  private static int run(String[] words) {
    if (RunWords.askForHelp(words)) {
      return Pages.print(Syntax.HELP, Syntax.RUN);
    }
    // The foreign-function interface takes its time to start, and so do the signals and the worker.
    Thread preparing = new Thread(Run::prepare, "headgate-prepare");
    preparing.setDaemon(true);
    preparing.start();
    // Before all else that takes time, so that no signal is lost from here on.
    StopLadder ladder = new StopLadder(code -> Runtime.getRuntime().halt(code));
    Inquiry inquiry = new Inquiry();
    Signals.handle(ladder::signal, inquiry::signal);
    ladder.start();
    try {
      RunOptions options = RunSyntax.parse(words);
      MemoryNeed.of(options).check(Runtime.getRuntime().maxMemory());
      return options.output().dryRun()
          ? DryRun.execute(options, ladder, System.out, System.err)
          : new Run(options, ladder, inquiry).execute();
    } catch (UsageException e) {
      return wrong(Syntax.NAME + " " + Syntax.RUN, e.line());
    }
  }

  /** Says in one line what is wrong with the command line. */
  static int wrong(String command, String message) {
    // One line, whatever a message of picocli's or a word of the user's has in it.
    System.err.println(command + ": " + message.replace("\n", " ").replace("\r", " "));
    return ExitCode.USAGE;
  }
}
