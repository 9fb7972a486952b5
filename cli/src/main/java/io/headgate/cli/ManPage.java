package io.headgate.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the manual page of a command in roff, with the macros of man. */
final class ManPage {
  private final CommandSpec spec;
  private final StringBuilder page = new StringBuilder(1 << 13);

  private ManPage(CommandSpec spec) {
    this.spec = spec;
  }

  /** The page of a command. */
  static String of(CommandLine command, String version) {
    ManPage page = new ManPage(command.getCommandSpec());
    page.write(version);
    return page.page.toString();
  }

  private void write(String version) {
    String name = spec.qualifiedName("-");
    macro(
        ".TH \""
            + escape(name.toUpperCase(Locale.ROOT))
            + "\" 1 \"\" \""
            + escape(Syntax.NAME + " " + version)
            + "\" \"User Commands\"");
    // Words are not broken, nor lines justified: both make options hard to find.
    macro(".nh");
    macro(".ad l");
    section("NAME");
    text(name + " - " + lowerFirst(spec.usageMessage().header()[0]));
    section("SYNOPSIS");
    text(synopsis());
    if (spec.usageMessage().description().length > 0) {
      section("DESCRIPTION");
      paragraphs(spec.usageMessage().description());
    }
    if (!spec.positionalParameters().isEmpty()) {
      section("ARGUMENTS");
      for (PositionalParamSpec word : spec.positionalParameters()) {
        entry("\\fI" + escape(word.paramLabel()) + "\\fR", word.description()[0]);
      }
    }
    commands();
    options();
    if (spec.name().equals(Syntax.RUN)) {
      examples(Example.OF_RUN);
    }
    if (!spec.usageMessage().exitCodeList().isEmpty()) {
      section("EXIT STATUS");
      text("The first that applies counts.");
      for (Map.Entry<String, String> code : spec.usageMessage().exitCodeList().entrySet()) {
        entry("\\fB" + escape(code.getKey()) + "\\fR", code.getValue());
      }
    }
  }

  private String synopsis() {
    String[] custom = spec.usageMessage().customSynopsis();
    return custom.length > 0
        ? custom[0]
        : new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0).strip();
  }

  private void commands() {
    if (spec.subcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    spec.subcommands()
        .forEach(
            (name, command) ->
                entry(
                    "\\fB" + escape(name) + "\\fR",
                    command.getCommandSpec().usageMessage().header()[0]));
  }

  private void options() {
    section("OPTIONS");
    for (OptionSpec option : spec.options()) {
      if (option.group() == null) {
        option(option);
      }
    }
    for (ArgGroupSpec group : spec.argGroups()) {
      macro(".SS " + escape(group.heading().replace("%n", "").replace(":", "")));
      group.options().forEach(this::option);
    }
  }

  private void option(OptionSpec option) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      names.append(names.isEmpty() ? "" : ", ").append("\\fB").append(escape(name)).append("\\fR");
      if (option.arity().max() > 0) {
        names.append(name.startsWith("--") ? "=" : " ");
        names.append("\\fI").append(escape(option.paramLabel())).append("\\fR");
      }
    }
    entry(names.toString(), option.description()[0]);
  }

  private void examples(List<Example> examples) {
    section("EXAMPLES");
    for (Example example : examples) {
      text(example.purpose() + ":");
      macro(".PP");
      macro(".RS 4");
      macro(".nf");
      text(example.command());
      macro(".fi");
      macro(".RE");
      macro(".PP");
    }
  }

  private void section(String heading) {
    macro(".SH " + heading);
  }

  private void entry(String head, String text) {
    macro(".TP");
    macro(head);
    text(text);
  }

  private void paragraphs(String... texts) {
    boolean first = true;
    for (String text : texts) {
      if (!text.isEmpty()) {
        if (!first) {
          macro(".PP");
        }
        text(text);
        first = false;
      }
    }
  }

  private void macro(String line) {
    page.append(line).append('\n');
  }

  private void text(String text) {
    page.append(escape(text)).append('\n');
  }

  private static String lowerFirst(String text) {
    String bare = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    return bare.substring(0, 1).toLowerCase(Locale.ROOT) + bare.substring(1);
  }

  /** What roff prints as this line; a hyphen stays one that can be copied into a shell. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\(rs");
        case '-' -> escaped.append("\\-");
        case '\'' -> escaped.append("\\(aq");
        case '"' -> escaped.append("\\(dq");
        case '`' -> escaped.append("\\(ga");
        case '^' -> escaped.append("\\(ha");
        case '~' -> escaped.append("\\(ti");
        case '.' -> escaped.append(i == 0 ? "\\&." : ".");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
