package io.headgate.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes the scripts with which shells complete the command: its commands, options and their
 * values, and behind {@code --} whatever the shell knows of the command there.
 */
final class Completion {
  private static final String BASH =
      """
      # Completes headgate in bash: source <(headgate completion bash)

      _headgate_words() {
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
      }

      _headgate_files() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
      }

      # The command behind --, whose name is the word of this number.
      _headgate_behind() {
        if ((COMP_CWORD == $1)); then
          if [[ $cur == */* ]]; then
            _headgate_files -f
          else
            mapfile -t COMPREPLY < <(compgen -c -- "$cur" | sort -u)
          fi
        elif declare -F _command_offset >/dev/null; then
          _command_offset "$1"
        else
          _headgate_files -f
        fi
      }

      _headgate() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} i
        COMPREPLY=()
        for ((i = 2; i < COMP_CWORD; i++)); do
          if [[ ${COMP_WORDS[i]} == -- ]]; then
            _headgate_behind $((i + 1))
            return
          fi
        done
        # To bash, the = of --option=value is a word of its own.
        if [[ $cur == = ]]; then
          cur=
        elif [[ $prev == = ]] && ((COMP_CWORD > 2)); then
          prev=${COMP_WORDS[COMP_CWORD-2]}
        fi
        if ((COMP_CWORD == 1)); then
          _headgate_words "@commands@"
          return
        fi
        case ${COMP_WORDS[1]} in
      @cases@  esac
      }

      complete -F _headgate headgate
      """;

  private static final String ZSH =
      """
      #compdef headgate
      # Completes headgate in zsh: source <(headgate completion zsh)

      _headgate() {
        local -i dashes=${words[(i)--]}
        if ((dashes < CURRENT)); then
          # The command behind --.
          shift $dashes words
          ((CURRENT -= dashes))
          _normal
          return
        fi
        if ((CURRENT == 2)); then
          local -a commands=(
      @commands@    )
          _describe command commands
          return
        fi
        local name=$words[2]
        shift words
        ((CURRENT--))
        case $name in
      @cases@  esac
      }

      if [[ ${funcstack[1]} == _headgate ]]; then
        _headgate "$@"
      else
        compdef _headgate headgate
      fi
      """;

  private Completion() {}

  /** The script for bash. */
  static String bash(CommandLine line) {
    List<String> first = new ArrayList<>(line.getSubcommands().keySet());
    first.addAll(names(line.getCommandSpec()));
    StringBuilder cases = new StringBuilder();
    line.getSubcommands()
        .forEach((name, command) -> bashCommand(name, command.getCommandSpec(), cases));
    return BASH.replace("@commands@", String.join(" ", first)).replace("@cases@", cases);
  }

  private static List<String> names(CommandSpec spec) {
    return spec.options().stream().flatMap(option -> List.of(option.names()).stream()).toList();
  }

  private static void bashCommand(String name, CommandSpec spec, StringBuilder cases) {
    cases.append("    ").append(name).append(")\n      case $prev in\n");
    for (OptionSpec option : spec.options()) {
      if (option.arity().max() > 0) {
        cases.append("        ").append(String.join("|", option.names()));
        cases.append(") ").append(bashValue(option)).append(" ;;\n");
      }
    }
    List<String> words = new ArrayList<>(names(spec));
    String files = "";
    for (PositionalParamSpec word : spec.positionalParameters()) {
      words.addAll(0, choices(word));
      files = Kind.of(word) == Kind.FILE ? "; [[ $cur == -* ]] || _headgate_files -f" : files;
      if (word.arity().max() > 1) {
        // What follows the file is none.
        files = "; ((COMP_CWORD > 2))" + files.replace("; [[", " || [[");
      }
    }
    if (name.equals(Syntax.RUN)) {
      words.add("--");
    }
    cases.append("        *) _headgate_words \"").append(String.join(" ", words)).append('"');
    cases.append(files).append(" ;;\n      esac ;;\n");
  }

  private static String bashValue(OptionSpec option) {
    List<String> choices = choices(option);
    if (!choices.isEmpty()) {
      return "_headgate_words \"" + String.join(" ", choices) + '"';
    }
    return switch (Kind.of(option)) {
      case FILE -> "_headgate_files -f";
      case FOLDER -> "_headgate_files -d";
      case OTHER -> ":";
    };
  }

  /** The script for zsh, to be sourced or kept in a folder of functions. */
  static String zsh(CommandLine line) {
    StringBuilder commands = new StringBuilder();
    StringBuilder cases = new StringBuilder();
    for (Map.Entry<String, CommandLine> entry : line.getSubcommands().entrySet()) {
      CommandSpec spec = entry.getValue().getCommandSpec();
      commands.append("      '").append(entry.getKey()).append(':');
      commands.append(quoted(spec.usageMessage().header()[0])).append("'\n");
      zshCommand(entry.getKey(), spec, cases);
    }
    return ZSH.replace("@commands@", commands).replace("@cases@", cases);
  }

  private static void zshCommand(String name, CommandSpec spec, StringBuilder cases) {
    cases.append("    ").append(name).append(")\n      _arguments -s -S");
    for (OptionSpec option : spec.options()) {
      String others = String.join(" ", option.names());
      for (String optionName : option.names()) {
        cases.append(" \\\n        '(").append(others).append(')').append(optionName);
        if (option.arity().max() > 0) {
          cases.append(optionName.startsWith("--") ? "=" : "+");
        }
        cases.append('[').append(quoted(option.description()[0])).append(']');
        if (option.arity().max() > 0) {
          cases.append(':').append(quoted(option.paramLabel())).append(':');
          cases.append(zshValue(option));
        }
        cases.append('\'');
      }
    }
    for (PositionalParamSpec word : spec.positionalParameters()) {
      String place = word.arity().max() > 1 ? "*" : "1";
      cases.append(" \\\n        '").append(place).append(':');
      cases.append(quoted(word.paramLabel())).append(':');
      cases.append(zshValue(word)).append('\'');
    }
    cases.append(" ;;\n");
  }

  private static String zshValue(ArgSpec option) {
    List<String> choices = choices(option);
    if (!choices.isEmpty()) {
      return "(" + String.join(" ", choices) + ")";
    }
    return switch (Kind.of(option)) {
      case FILE -> "_files";
      case FOLDER -> "_files -/";
      case OTHER -> " ";
    };
  }

  /** What zsh reads, within single quotes, as this text of a description. */
  private static String quoted(String text) {
    return text.replace("\\", "\\\\")
        .replace("[", "\\[")
        .replace("]", "\\]")
        .replace(":", "\\:")
        .replace("'", "'\\''");
  }

  private static List<String> choices(ArgSpec word) {
    List<String> choices = new ArrayList<>();
    if (word.completionCandidates() != null) {
      word.completionCandidates().forEach(choices::add);
    }
    return choices;
  }

  /** What a value names. */
  private enum Kind {
    FILE,
    FOLDER,
    OTHER;

    static Kind of(ArgSpec option) {
      if (option.paramLabel().startsWith("FILE")) {
        return FILE;
      }
      return option.paramLabel().equals("DIR") ? FOLDER : OTHER;
    }
  }
}
