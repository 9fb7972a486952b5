package io.headgate.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The commands of {@code headgate}, as picocli sees them. */
final class Syntax {
  static final String NAME = "headgate";
  static final String RUN = "run";
  static final String HELP = "help";

  private Syntax() {}

  /** The whole command. */
  static CommandLine commandLine() {
    CommandSpec spec = CommandSpec.create().name(NAME);
    spec.usageMessage()
        .description("Runs jobs within bounds, and accounts for every one.")
        .footer("", "headgate help COMMAND tells more about a command.");
    spec.addOption(helpOption());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Shows the version.")
            .build());
    spec.addSubcommand(RUN, run());
    spec.addSubcommand(HELP, help());
    CommandLine line = new CommandLine(spec);
    line.setExpandAtFiles(false);
    return line;
  }

  private static CommandSpec run() {
    CommandSpec spec = CommandSpec.create().name(RUN);
    spec.usageMessage()
        .header("Runs a command for every line of standard input.")
        .sortOptions(false)
        .customSynopsis("headgate run [OPTIONS] -- COMMAND [ARG...]")
        .description(
            "Every {} in COMMAND and ARG is replaced by the line; without any, the line becomes"
                + " the last argument. No shell is involved. Empty lines are skipped.")
        .footer(
            "",
            "Durations (D) have a unit: 500ms, 30s, 1.5m, 2h.",
            "The first TERM, INT or HUP drains, the second cancels, the third kills all.",
            "Exit codes: 0 all succeeded, 1 some failed, 75 some of the input was not done,",
            "64 usage, 66 input, 74 output, 126/127 command, 130/143 third signal.");
    for (RunOption option : RunOption.values()) {
      OptionSpec.Builder builder =
          OptionSpec.builder(option.names().toArray(new String[0]))
              .description(option.description());
      if (option.takesValue()) {
        builder.arity("1").type(String.class).paramLabel(option.label());
      }
      spec.addOption(builder.build());
    }
    spec.addOption(helpOption());
    return spec;
  }

  private static CommandSpec help() {
    CommandSpec spec = CommandSpec.create().name(HELP);
    spec.usageMessage().header("Shows the help of a command.");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("0..1")
            .type(String.class)
            .paramLabel("COMMAND")
            .description("The command; without it, all commands are shown.")
            .build());
    return spec;
  }

  private static OptionSpec helpOption() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Shows this help.")
        .build();
  }
}
