package io.headgate.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command {@code headgate}. */
public final class Main {
  private static final String VERSION_FILE =
      "/META-INF/maven/io.headgate/headgate-cli/pom.properties";

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
    CommandLine line = Syntax.commandLine();
    try {
      ParseResult parsed = line.parseArgs(words);
      if (parsed.isVersionHelpRequested()) {
        return print(System.out, Syntax.NAME + " " + version() + "\n");
      }
      if (parsed.isUsageHelpRequested()) {
        return print(System.out, line.getUsageMessage());
      }
      if (parsed.hasSubcommand()) {
        return tell(line, parsed.subcommand());
      }
      return wrong(Syntax.NAME, "the command is missing; try: headgate run -- echo got {}");
    } catch (ParameterException e) {
      return wrong(Syntax.NAME, String.valueOf(e.getMessage()));
    }
  }

  private static int run(String[] words) {
    if (RunWords.askForHelp(words)) {
      return help(Syntax.commandLine(), Syntax.HELP, Syntax.RUN);
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
      return options.output().dryRun()
          ? DryRun.execute(options, ladder, System.out, System.err)
          : new Run(options, ladder, inquiry).execute();
    } catch (UsageException e) {
      return wrong(Syntax.NAME + " " + Syntax.RUN, e.line());
    }
  }

  /** Does what a command does that only prints. */
  private static int tell(CommandLine line, ParseResult parsed) {
    String name = parsed.commandSpec().name();
    String word = parsed.matchedPositionalValue(0, "");
    if (parsed.isUsageHelpRequested()) {
      return print(System.out, parsed.commandSpec().commandLine().getUsageMessage());
    }
    if (name.equals(Syntax.COMPLETION)) {
      return switch (word) {
        case "bash" -> print(System.out, Completion.bash(line));
        case "zsh" -> print(System.out, Completion.zsh(line));
        default ->
            wrong(Syntax.NAME + " " + name, word + ": no such shell here; there are: bash, zsh");
      };
    }
    return help(line, name, word);
  }

  /** Prints help or manual, of a command or of the whole. */
  private static int help(CommandLine line, String name, String word) {
    CommandLine command = word.isEmpty() ? line : line.getSubcommands().get(word);
    if (command == null) {
      return wrong(
          Syntax.NAME + " " + name,
          word + ": no such command; there are: " + line.getSubcommands().keySet());
    }
    return print(
        System.out,
        name.equals(Syntax.MAN) ? ManPage.of(command, version()) : command.getUsageMessage());
  }

  private static int wrong(String command, String message) {
    // One line, whatever a message of picocli's or a word of the user's has in it.
    System.err.println(command + ": " + message.replace("\n", " ").replace("\r", " "));
    return ExitCode.USAGE;
  }

  private static int print(PrintStream out, String text) {
    out.print(text);
    if (out.checkError()) {
      System.err.println(Syntax.NAME + ": standard output cannot be written");
      return ExitCode.OUTPUT;
    }
    return ExitCode.OK;
  }

  private static String version() {
    try (InputStream file = Main.class.getResourceAsStream(VERSION_FILE)) {
      if (file != null) {
        Properties properties = new Properties();
        properties.load(file);
        return properties.getProperty("version", "unknown");
      }
    } catch (IOException e) {
      // Then it is not known; a version is no reason to fail.
    }
    return "unknown";
  }
}
