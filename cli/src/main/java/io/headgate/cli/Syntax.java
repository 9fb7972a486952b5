package io.headgate.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands of {@code headgate}, as picocli sees them. */
final class Syntax {
  static final String NAME = "headgate";
  static final String RUN = "run";
  static final String SIM = "sim";
  static final String EXAMPLE = "--example";
  static final String JSON = "--json";
  static final String HELP = "help";
  static final String MAN = "man";
  static final String COMPLETION = "completion";

  private static final String EXAMPLES = "examples";

  private Syntax() {}

  /** The whole command. */
  static CommandLine commandLine() {
    CommandSpec spec = CommandSpec.create().name(NAME);
    spec.usageMessage()
        .header("Runs jobs within bounds, and accounts for every one.")
        .footer("", "headgate help COMMAND tells more about a command.");
    spec.addOption(helpOption());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Shows the version.")
            .build());
    spec.addSubcommand(RUN, run());
    spec.addSubcommand(SIM, sim());
    spec.addSubcommand(StorePages.JOBS, StorePages.jobs(helpOption()));
    spec.addSubcommand(StorePages.DECIDE, StorePages.decide(helpOption()));
    spec.addSubcommand(StorePages.DOCTOR, StorePages.doctor(helpOption()));
    List<String> shells = List.of("bash", "zsh");
    spec.addSubcommand(
        COMPLETION,
        withWord(
            "Prints a script that completes commands and options.",
            PositionalParamSpec.builder()
                .arity("1")
                .required(true)
                .paramLabel(String.join("|", shells))
                .completionCandidates(shells)
                .description(
                    "The shell. For bash: source <(headgate completion bash); for zsh the same"
                        + " after compinit, or keep it as _headgate in a folder of fpath.")));
    List<String> commands =
        List.of(
            RUN, SIM, StorePages.JOBS, StorePages.DECIDE, StorePages.DOCTOR, COMPLETION, MAN, HELP);
    spec.addSubcommand(
        MAN,
        withWord(
            "Prints the manual page of a command, for man -l -.",
            PositionalParamSpec.builder()
                .arity("0..1")
                .paramLabel("COMMAND")
                .completionCandidates(commands)
                .description("The command; without it, the page of headgate itself.")));
    spec.addSubcommand(
        HELP,
        withWord(
            "Shows the help of a command.",
            PositionalParamSpec.builder()
                .arity("0..1")
                .paramLabel("COMMAND")
                .completionCandidates(commands)
                .description("The command; without it, all commands are shown.")));
    CommandLine line = new CommandLine(spec);
    line.setExpandAtFiles(false);
    line.setHelpFactory((command, colors) -> new BareShortOptions(command, colors));
    return line;
  }

  /** Help that writes {@code -I TOKEN}: after a short option, = would be part of its value. */
  private static final class BareShortOptions extends Help {
    BareShortOptions(CommandSpec spec, ColorScheme colors) {
      super(spec, colors);
    }

    @Override
    public IParamLabelRenderer parameterLabelRenderer() {
      IParamLabelRenderer usual = super.parameterLabelRenderer();
      return new IParamLabelRenderer() {
        @Override
        public Ansi.Text renderParameterLabel(ArgSpec arg, Ansi ansi, List<Ansi.IStyle> styles) {
          Ansi.Text label = usual.renderParameterLabel(arg, ansi, styles);
          boolean bare = arg instanceof OptionSpec option && !option.longestName().startsWith("--");
          return bare && arg.arity().max() > 0
              ? colorScheme().optionParamText(" " + arg.paramLabel())
              : label;
        }

        @Override
        public String separator() {
          // Looked for in the labels of short options alone.
          return " ";
        }
      };
    }
  }

  /** A command that takes one word. */
  private static CommandSpec withWord(String header, PositionalParamSpec.Builder word) {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().header(header);
    spec.addOption(helpOption());
    spec.addPositional(word.index("0").type(String.class).build());
    return spec;
  }

  private static CommandSpec sim() {
    CommandSpec spec =
        withWord(
            "Plays your numbers in virtual time, and says what to set.",
            PositionalParamSpec.builder()
                .arity("0..1")
                .paramLabel("FILE")
                .description("The numbers, in TOML; - is standard input."));
    spec.addOption(
        OptionSpec.builder(EXAMPLE)
            .description("Prints a file to begin with, with what each key means.")
            .build());
    spec.addOption(
        OptionSpec.builder(JSON).description("Prints the figures as one line of JSON.").build());
    Map<String, String> codes = new LinkedHashMap<>();
    codes.put(Integer.toString(ExitCode.USAGE), "wrong usage, or the file is wrong");
    codes.put(Integer.toString(ExitCode.INPUT), "the file cannot be read");
    codes.put(Integer.toString(ExitCode.OUTPUT), "output cannot be written");
    codes.put(Integer.toString(ExitCode.OK), "all runs were played");
    spec.usageMessage()
        .description(
            "",
            "FILE says how many calls come, how long each takes, how many run at once and may wait,"
                + " and what clients do. Each load is run with the code of the library, in a"
                + " moment, and the same each time. Printed are goodput, waits, what was refused"
                + " and shed, retries, and recovery; then concurrency by Little's law, capacity by"
                + " the longest wait, and warnings; and the same runs with what is to be set.",
            "")
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(codes);
    return spec;
  }

  private static CommandSpec run() {
    CommandSpec spec = CommandSpec.create().name(RUN);
    spec.addOption(helpOption());
    int order = 0;
    for (RunOption.Group group : RunOption.Group.values()) {
      ArgGroupSpec.Builder builder =
          ArgGroupSpec.builder()
              .heading("%n" + group.heading() + ":%n")
              .validate(false)
              .order(order++);
      for (RunOption option : RunOption.values()) {
        if (option.group() == group) {
          builder.addArg(option(option));
        }
      }
      spec.addArgGroup(builder.build());
    }
    UsageMessageSpec usage = spec.usageMessage();
    usage
        .header("Runs a command for every line of standard input.")
        .sortOptions(false)
        .customSynopsis("headgate run [OPTIONS] -- COMMAND [ARG...]")
        .description(
            "",
            "Every {} in COMMAND and ARG is replaced by the line, {.} by the line without its"
                + " extension, {/} by what follows its last slash, {//} by what precedes it, {/.}"
                + " by its base name without extension, and {#} by its position. Without any, the"
                + " line becomes the last argument. No shell is involved. Empty lines are skipped.",
            "",
            "A duration (D) has a unit: 500ms, 30s, 1.5m, 2h. A SIZE is in bytes, or with K, M or"
                + " G behind it.",
            "",
            "The first TERM, INT or HUP drains: no more is read, and what was accepted may run for"
                + " the time of --grace. The second cancels, the third kills all.",
            "")
        .exitCodeListHeading("%nExit codes, of which the first that applies counts:%n")
        .exitCodeList(exitCodes());
    usage.sectionMap().put(EXAMPLES, help -> examples());
    List<String> sections = new ArrayList<>(usage.sectionKeys());
    sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING), EXAMPLES);
    usage.sectionKeys(sections);
    return spec;
  }

  private static Map<String, String> exitCodes() {
    Map<String, String> codes = new LinkedHashMap<>();
    codes.put("130, 143", "halted by a third signal: INT, or another");
    codes.put(Integer.toString(ExitCode.USAGE), "wrong usage; nothing was read");
    codes.put(
        Integer.toString(ExitCode.INPUT),
        "the input cannot be read, or is not the joblog's or the store's");
    codes.put(Integer.toString(ExitCode.STORE), "the store cannot be used");
    codes.put(Integer.toString(ExitCode.OUTPUT), "output, joblog or report cannot be written");
    codes.put("126, 127", "the command cannot be run, or is not found");
    codes.put(Integer.toString(ExitCode.INCOMPLETE), "some of the input was not done");
    codes.put(Integer.toString(ExitCode.FAILED), "all was done, and some commands failed");
    codes.put(Integer.toString(ExitCode.OK), "all was done, and all commands succeeded");
    return codes;
  }

  private static String examples() {
    StringBuilder text = new StringBuilder("\nExamples:\n");
    for (Example example : Example.OF_RUN) {
      text.append("  ").append(example.purpose()).append(":\n");
      text.append("    ").append(example.command()).append('\n');
    }
    return text.toString();
  }

  private static OptionSpec option(RunOption option) {
    OptionSpec.Builder builder =
        OptionSpec.builder(option.names().toArray(new String[0])).description(option.description());
    if (option.takesValue()) {
      builder
          .arity("1")
          .type(String.class)
          .paramLabel(option.label())
          .completionCandidates(option.choices());
    }
    return builder.build();
  }

  private static OptionSpec helpOption() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Shows this help.")
        .build();
  }
}
