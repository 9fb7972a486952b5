package io.headgate.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.cli.sim.SimCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The commands that only print: simulation, help, manual, completion, version. Apart from {@link
 * Main}, because to check a method that catches an exception of picocli's the virtual machine opens
 * its jar.
 */
final class Pages {
  private static final String VERSION_FILE =
      "/META-INF/maven/io.headgate/headgate-cli/pom.properties";

  private Pages() {}

  /** Prints what the words ask for; the exit code. */
  static int print(String... words) {
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
        return page(line, parsed.subcommand());
      }
      return Main.wrong(Syntax.NAME, "the command is missing; try: headgate run -- echo got {}");
    } catch (ParameterException e) {
      return Main.wrong(Syntax.NAME, String.valueOf(e.getMessage()));
    }
  }

  private static int page(CommandLine line, ParseResult parsed) {
    String name = parsed.commandSpec().name();
    if (parsed.isUsageHelpRequested()) {
      return print(System.out, parsed.commandSpec().commandLine().getUsageMessage());
    }
    if (name.equals(Syntax.SIM)) {
      return sim(parsed);
    }
    if (StorePages.has(name)) {
      return StorePages.run(parsed);
    }
    String word = parsed.matchedPositionalValue(0, "");
    if (name.equals(Syntax.COMPLETION)) {
      return switch (word) {
        case "bash" -> print(System.out, Completion.bash(line));
        case "zsh" -> print(System.out, Completion.zsh(line));
        default ->
            Main.wrong(
                Syntax.NAME + " " + name, word + ": no such shell here; there are: bash, zsh");
      };
    }
    CommandLine command = word.isEmpty() ? line : line.getSubcommands().get(word);
    if (command == null) {
      return Main.wrong(
          Syntax.NAME + " " + name,
          word + ": no such command; there are: " + line.getSubcommands().keySet());
    }
    return print(
        System.out,
        name.equals(Syntax.MAN) ? ManPage.of(command, version()) : command.getUsageMessage());
  }

  private static int sim(ParseResult parsed) {
    String command = Syntax.NAME + " " + Syntax.SIM;
    String file = parsed.matchedPositionalValue(0, null);
    boolean json = parsed.hasMatchedOption(Syntax.JSON);
    if (parsed.hasMatchedOption(Syntax.EXAMPLE)) {
      return file == null && !json
          ? print(new PrintStream(System.out, false, UTF_8), SimCommand.example())
          : Main.wrong(command, Syntax.EXAMPLE + " stands alone: it prints a file, and runs none");
    }
    SimCommand.Answer answer = SimCommand.run(file, json);
    return switch (answer.kind()) {
      // In UTF-8 whatever the locale: it is full of × and µ, and JSON is nothing else.
      case DONE -> print(new PrintStream(System.out, false, UTF_8), answer.text());
      case WRONG -> Main.wrong(command, answer.text());
      case UNREADABLE -> {
        Main.wrong(command, answer.text());
        yield ExitCode.INPUT;
      }
    };
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
