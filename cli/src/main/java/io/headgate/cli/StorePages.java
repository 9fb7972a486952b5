package io.headgate.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.cli.store.Console;
import io.headgate.cli.store.Deciding;
import io.headgate.cli.store.Doctor;
import io.headgate.cli.store.Listing;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The commands that look into stores: {@code doctor}, {@code jobs}, {@code decide}. */
final class StorePages {
  static final String DOCTOR = "doctor";
  static final String JOBS = "jobs";
  static final String DECIDE = "decide";

  private static final String STATE = "--state";
  private static final String AFTER = "--after";
  private static final String LIMIT = "--limit";
  private static final String PAYLOAD = "--payload";
  private static final String ALL_HELD = "--all-held";

  private static final List<String> STATES =
      List.of("held", "waiting", "suspended", "running", "ended");
  private static final List<String> DECISIONS = List.of("rerun", "complete", "fail");

  private StorePages() {}

  // ---- what they are called, for the help ----

  static CommandSpec doctor(OptionSpec help) {
    CommandSpec spec =
        spec(
            help,
            "Examines a store, and says what is wrong with it and how to cure it.",
            "Reads the store of a worker or of a run, also beside the process that uses it, and"
                + " changes nothing: the file by SQLite's own check, the counters against the rows,"
                + " and that everything adds up. Exits with 0 if it is sound, 1 if it is not, 66"
                + " if it is no store, 69 if it cannot be read now.");
    spec.addPositional(file());
    return spec;
  }

  static CommandSpec jobs(OptionSpec help) {
    CommandSpec spec =
        spec(
            help,
            "Lists the jobs of a store.",
            "Lists what has not ended, in the order of admission, also beside the process that uses"
                + " the store. Of a run the lines that have not completed, with the number of their"
                + " line in the input; a line of which nobody knows how it ended is held.");
    spec.addPositional(file());
    spec.addOption(
        option(STATE, "STATE", "Only those in this state; ended are those that the history keeps.")
            .completionCandidates(STATES)
            .build());
    spec.addOption(
        option(AFTER, "KEY", "Begins behind the job with this key, of a run with this position.")
            .build());
    spec.addOption(option(LIMIT, "N", "So many at most. Default: 100.").build());
    spec.addOption(
        OptionSpec.builder(Syntax.JSON).description("Prints a line of JSON for each.").build());
    spec.addOption(
        OptionSpec.builder(PAYLOAD)
            .description("Shows payloads too. A run has none: its lines are in its input.")
            .build());
    return spec;
  }

  static CommandSpec decide(OptionSpec help) {
    CommandSpec spec =
        spec(
            help,
            "Decides on held and failed jobs of a store.",
            "Says what becomes of jobs, or lines of a run, of which nobody knows how they ended:"
                + " they are run again by the next process, or they have completed, or failed. What"
                + " has failed can be run again, too. Nobody else may use the store meanwhile.");
    spec.usageMessage()
        .customSynopsis("headgate decide FILE (ID... | --all-held) rerun|complete|fail");
    spec.addPositional(file());
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("1..*")
            .arity("0..*")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("ID... DECISION")
            .hideParamSyntax(true)
            .completionCandidates(DECISIONS)
            .description("The ids as headgate jobs lists them, then rerun, complete or fail.")
            .build());
    spec.addOption(
        OptionSpec.builder(ALL_HELD).description("Decides on all that is held.").build());
    return spec;
  }

  private static CommandSpec spec(OptionSpec help, String header, String description) {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().header(header).description("", description, "");
    spec.addOption(help);
    return spec;
  }

  private static PositionalParamSpec file() {
    return PositionalParamSpec.builder()
        .index("0")
        .arity("1")
        .required(true)
        .type(String.class)
        .paramLabel("FILE")
        .description("The store.")
        .build();
  }

  private static OptionSpec.Builder option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .arity("1")
        .type(String.class)
        .paramLabel(label)
        .description(description);
  }

  // ---- what they do ----

  /** Whether a command is one of these. */
  static boolean has(String command) {
    return command.equals(DOCTOR) || command.equals(JOBS) || command.equals(DECIDE);
  }

  /** Does what was asked for; the exit code. */
  static int run(ParseResult parsed) {
    String command = parsed.commandSpec().name();
    ToStandardStreams console = new ToStandardStreams(Syntax.NAME + " " + command);
    try {
      Path file = Path.of(parsed.matchedPositionalValue(0, ""));
      int code =
          switch (command) {
            case DOCTOR -> Doctor.examine(file, console);
            case JOBS -> list(file, parsed, console);
            default -> decide(file, parsed, console);
          };
      return console.isBroken() ? ExitCode.OUTPUT : code;
    } catch (InvalidPathException e) {
      return Main.wrong(Syntax.NAME + " " + command, String.valueOf(e.getMessage()));
    } catch (UsageException e) {
      return Main.wrong(Syntax.NAME + " " + command, e.line());
    }
  }

  private static int list(Path file, ParseResult parsed, Console console) throws UsageException {
    String state = parsed.matchedOptionValue(STATE, "");
    if (!state.isEmpty() && !STATES.contains(state)) {
      throw new UsageException(
          STATE + " " + state + ": must be one of " + String.join(", ", STATES));
    }
    return Listing.list(
        file,
        state.isEmpty() ? Listing.Place.ANY : Listing.Place.valueOf(state.toUpperCase(Locale.ROOT)),
        number(parsed, AFTER, 0, 0, Long.MAX_VALUE),
        (int) number(parsed, LIMIT, Listing.DEFAULT_LIMIT, 1, Integer.MAX_VALUE),
        parsed.hasMatchedOption(Syntax.JSON),
        parsed.hasMatchedOption(PAYLOAD),
        console);
  }

  private static long number(
      ParseResult parsed, String option, long otherwise, long least, long most)
      throws UsageException {
    String text = parsed.matchedOptionValue(option, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, with what is out of range.
    }
    throw new UsageException(
        option + " " + text + ": must be a whole number from " + least + " to " + most);
  }

  private static int decide(Path file, ParseResult parsed, Console console) throws UsageException {
    List<String> words = new ArrayList<>();
    for (ArgSpec word : parsed.matchedPositionals()) {
      words.addAll(word.originalStringValues());
    }
    // The first is the file.
    List<String> ids = words.subList(1, words.size());
    String decision = ids.isEmpty() ? "" : ids.getLast();
    if (!DECISIONS.contains(decision)) {
      throw new UsageException(
          "the last word must be the decision: one of " + String.join(", ", DECISIONS));
    }
    ids = ids.subList(0, ids.size() - 1);
    boolean all = parsed.hasMatchedOption(ALL_HELD);
    if (all != ids.isEmpty()) {
      throw new UsageException(
          all
              ? ALL_HELD + " stands in the place of ids; give one or the other"
              : "the ids are missing; headgate jobs lists them, or give " + ALL_HELD);
    }
    return Deciding.decide(
        file,
        all ? null : ids,
        Deciding.Verdict.valueOf(decision.toUpperCase(Locale.ROOT)),
        console);
  }

  /** Prints in UTF-8, whatever the locale: ids and payloads are. */
  private static final class ToStandardStreams implements Console {
    private final PrintStream out = new PrintStream(System.out, false, UTF_8);
    private final String command;
    private boolean broken;

    ToStandardStreams(String command) {
      this.command = command;
    }

    @Override
    public boolean print(String line) {
      out.print(line + "\n");
      if (out.checkError() && !broken) {
        broken = true;
        complain("standard output cannot be written");
      }
      return !broken;
    }

    @Override
    public void complain(String line) {
      System.err.println(command + ": " + line.replace("\n", " ").replace("\r", " "));
    }

    boolean isBroken() {
      return broken;
    }
  }
}
