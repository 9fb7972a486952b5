package io.headgate.cli;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the words of {@code headgate run} apart: which option is given which value, and where the
 * command begins. What values mean is for {@link RunSyntax}.
 *
 * <p>Short options may stand together and may hold their value, as in {@code -0n2} and {@code -P4};
 * long ones take it after {@code =} or as the next word.
 */
final class RunWords {
  private static final String END_OF_OPTIONS = "--";

  private final List<String> words;
  private final Map<RunOption, String> given = new EnumMap<>(RunOption.class);
  private int at;

  private RunWords(List<String> words) {
    this.words = words;
  }

  /** Whether the help is asked for, before the command begins. */
  static boolean askForHelp(String[] words) {
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
   * Reads the options up to the command.
   *
   * @throws UsageException for a word that is no option of ours, or lacks its value
   */
  static RunWords read(List<String> words) throws UsageException {
    RunWords read = new RunWords(words);
    while (read.at < words.size()) {
      String word = words.get(read.at++);
      if (word.equals(END_OF_OPTIONS)) {
        return read;
      }
      read.readWord(word);
    }
    return read;
  }

  /** The value of an option, or {@code null} if it was not given; empty for one without value. */
  @Nullable String value(RunOption option) {
    return given.get(option);
  }

  boolean has(RunOption option) {
    return given.containsKey(option);
  }

  /** The command and its arguments. */
  List<String> command() {
    return words.subList(at, words.size());
  }

  private void readWord(String word) throws UsageException {
    if (word.startsWith("--")) {
      readLong(word);
    } else if (word.startsWith("-") && word.length() > 1) {
      readShort(word);
    } else {
      String cure = ForeignOption.cure(word);
      throw new UsageException(
          word
              + ": "
              + (cure != null
                  ? "not known here; " + cure
                  : "not an option; the command and its arguments come after --"));
    }
  }

  private void readLong(String word) throws UsageException {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    RunOption option = named(name);
    if (option == null) {
      throw unknown(name);
    }
    if (!option.takesValue()) {
      if (equals >= 0) {
        throw new UsageException(word + ": " + name + " takes no value");
      }
      take(option, "");
    } else {
      take(option, equals < 0 ? nextWord(option) : word.substring(equals + 1));
    }
  }

  private void readShort(String word) throws UsageException {
    for (int i = 1; i < word.length(); i++) {
      String name = "-" + word.charAt(i);
      RunOption option = named(name);
      if (option == null) {
        throw unknown(name);
      }
      if (option.takesValue()) {
        take(option, i + 1 < word.length() ? word.substring(i + 1) : nextWord(option));
        return;
      }
      take(option, "");
    }
  }

  private static UsageException unknown(String name) {
    String cure = ForeignOption.cure(name);
    return new UsageException(
        name
            + ": "
            + (cure == null
                ? "unknown option; see: headgate run --help"
                : "not known here; " + cure));
  }

  private static @Nullable RunOption named(String name) {
    for (RunOption option : RunOption.values()) {
      if (option.names().contains(name)) {
        return option;
      }
    }
    return null;
  }

  private String nextWord(RunOption option) throws UsageException {
    if (at == words.size() || words.get(at).equals(END_OF_OPTIONS)) {
      throw new UsageException(option.option() + ": its value is missing; give " + option.label());
    }
    return words.get(at++);
  }

  private void take(RunOption option, String value) throws UsageException {
    String before = given.put(option, value);
    if (before != null) {
      throw new UsageException(
          option.option()
              + " is given twice"
              + (option.takesValue() ? ", as " + before + " and " + value : "")
              + "; give it once");
    }
  }
}
