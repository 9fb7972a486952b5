package io.headgate.cli;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the command line of {@code headgate run}.
 *
 * <p>By hand, though the other commands leave it to picocli: loading that takes as long as dozens
 * of children, and this command is held against xargs.
 */
final class RunSyntax {
  private static final String END_OF_OPTIONS = "--";
  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(25);
  private static final Duration DEFAULT_CLEANUP = Duration.ofSeconds(3);
  private static final int DEFAULT_HISTORY = 100;
  private static final int MAX_CONCURRENCY = 100_000;

  private final List<String> words;
  private final Map<RunOption, String> given = new EnumMap<>(RunOption.class);
  private int at;

  private RunSyntax(List<String> words) {
    this.words = words;
  }

  /** Whether the help is asked for, before the command begins. */
  static boolean asksForHelp(String[] words) {
    for (String word : words) {
      if (word.equals("-h") || word.equals("--help")) {
        return true;
      }
      if (word.equals(END_OF_OPTIONS)) {
        return false;
      }
    }
    return false;
  }

  /**
   * Reads the options and the command.
   *
   * @param words all words after {@code run}
   * @throws UsageException if they ask for what cannot be
   */
  static RunOptions parse(String[] words) throws UsageException {
    RunSyntax syntax = new RunSyntax(Arrays.asList(words));
    return syntax.options(syntax.readOptions());
  }

  /** Reads up to the command, and answers the command. */
  private List<String> readOptions() throws UsageException {
    while (at < words.size()) {
      String word = words.get(at++);
      if (word.equals(END_OF_OPTIONS)) {
        return words.subList(at, words.size());
      }
      if (!word.startsWith("-")) {
        throw new UsageException(
            word + ": not an option; the command and its arguments come after --");
      }
      readOption(word);
    }
    return List.of();
  }

  private void readOption(String word) throws UsageException {
    for (RunOption option : RunOption.values()) {
      if (word.equals(option.option())) {
        take(option, nextWord(word, option));
        return;
      }
      if (word.startsWith(option.option()) && word.charAt(option.option().length()) == '=') {
        take(option, word.substring(option.option().length() + 1));
        return;
      }
    }
    if (word.equals(RunOption.SHORT_CONCURRENCY)) {
      take(RunOption.CONCURRENCY, nextWord(word, RunOption.CONCURRENCY));
      return;
    }
    if (word.startsWith(RunOption.SHORT_CONCURRENCY)) {
      take(RunOption.CONCURRENCY, word.substring(RunOption.SHORT_CONCURRENCY.length()));
      return;
    }
    throw new UsageException(word + ": unknown option; see: headgate run --help");
  }

  private String nextWord(String word, RunOption option) throws UsageException {
    if (at == words.size() || words.get(at).equals(END_OF_OPTIONS)) {
      throw new UsageException(word + ": its value is missing; give " + option.label());
    }
    return words.get(at++);
  }

  private void take(RunOption option, String value) throws UsageException {
    String before = given.put(option, value);
    if (before != null) {
      throw new UsageException(
          option.option() + " is given twice, as " + before + " and " + value + "; give it once");
    }
  }

  private RunOptions options(List<String> command) throws UsageException {
    if (command.isEmpty()) {
      throw new UsageException(
          "the command is missing; give it after --, as in: headgate run -- echo got {}");
    }
    if (command.get(0).isEmpty()) {
      throw new UsageException("the command's name is empty; give the name of a program after --");
    }
    int concurrency =
        number(
            RunOption.CONCURRENCY, 1, MAX_CONCURRENCY, Runtime.getRuntime().availableProcessors());
    return new RunOptions(
        concurrency,
        number(RunOption.CAPACITY, 0, Integer.MAX_VALUE, concurrency),
        refuses(),
        timeout(),
        duration(RunOption.GRACE, DEFAULT_GRACE),
        duration(RunOption.CLEANUP, DEFAULT_CLEANUP),
        number(RunOption.HISTORY, 0, Integer.MAX_VALUE - 1, DEFAULT_HISTORY),
        report(),
        command);
  }

  private Duration duration(RunOption option, Duration otherwise) throws UsageException {
    String text = given.get(option);
    return text == null ? otherwise : DurationOption.parse(option.option(), text);
  }

  private @Nullable Duration timeout() throws UsageException {
    String text = given.get(RunOption.TIMEOUT);
    if (text == null) {
      return null;
    }
    Duration timeout = DurationOption.parse(RunOption.TIMEOUT.option(), text);
    if (timeout.isZero()) {
      throw wrong(RunOption.TIMEOUT, text, "must be above zero; leave it out for no limit");
    }
    return timeout;
  }

  private int number(RunOption option, int least, int most, int otherwise) throws UsageException {
    String text = given.get(option);
    if (text == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, together with the numbers that are out of range.
    }
    throw wrong(option, text, "must be a whole number from " + least + " to " + most);
  }

  private boolean refuses() throws UsageException {
    String text = given.getOrDefault(RunOption.WHEN_FULL, "wait");
    return switch (text) {
      case "wait" -> false;
      case "refuse" -> true;
      default -> throw wrong(RunOption.WHEN_FULL, text, "must be wait or refuse");
    };
  }

  private @Nullable String report() throws UsageException {
    String text = given.get(RunOption.REPORT);
    if (text != null && text.isEmpty()) {
      throw wrong(RunOption.REPORT, text, "must name a file, or be - for standard output");
    }
    return text;
  }

  private static UsageException wrong(RunOption option, String text, String rule) {
    return new UsageException(option.option() + " " + text + ": " + rule);
  }
}
