package io.headgate.cli;

import io.headgate.cli.RunOptions.Bar;
import io.headgate.cli.RunOptions.FullPolicy;
import io.headgate.cli.RunOptions.Halt;
import io.headgate.cli.RunOptions.Resume;
import io.headgate.retry.RetryPolicy;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the command line of {@code headgate run} means.
 *
 * <p>By hand, though the other commands leave it to picocli: loading that takes as long as dozens
 * of children, and this command is held against xargs.
 */
final class RunSyntax {
  static final int MAX_CONCURRENCY = 100_000;

  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(25);
  private static final Duration DEFAULT_CLEANUP = Duration.ofSeconds(3);
  private static final int DEFAULT_HISTORY = 100;
  private static final long DEFAULT_CAPACITY_BYTES = 64L << 20;
  // The longest argument of Linux is 128 KiB with the zero byte that ends it.
  private static final int DEFAULT_LINE_BYTES = (128 << 10) - 1;
  private static final int MAX_LINE_BYTES = 2 << 20;
  private static final int MAX_PER_ITEM = 1_000_000;

  private final RunWords words;

  private RunSyntax(RunWords words) {
    this.words = words;
  }

  /**
   * Reads the options and the command.
   *
   * @param words all words after {@code run}
   * @throws UsageException if they ask for what cannot be
   */
  static RunOptions parse(String[] words) throws UsageException {
    RunSyntax syntax = new RunSyntax(RunWords.read(Arrays.asList(words)));
    RunOptions.Input input = syntax.input();
    RunOptions options =
        new RunOptions(
            input,
            syntax.bounds(),
            syntax.output(),
            syntax.records(),
            syntax.progress(),
            syntax.command(input));
    checkFiles(options);
    return options;
  }

  /** Of two files with one name the second would destroy the first. */
  private static void checkFiles(RunOptions options) throws UsageException {
    Map<Path, String> users = new HashMap<>();
    use(users, options.input().file(), RunOption.INPUT_FILE);
    use(users, options.bounds().jobsFile(), RunOption.JOBS_FILE);
    use(users, options.records().joblog(), RunOption.JOBLOG);
    RunOptions.Store store = options.records().store();
    use(users, store == null ? null : store.file(), RunOption.STORE);
    String report = options.records().report();
    use(users, "-".equals(report) ? null : report, RunOption.REPORT);
  }

  private static void use(Map<Path, String> users, @Nullable String file, RunOption option)
      throws UsageException {
    if (file == null || file.startsWith("/dev/")) {
      return;
    }
    Path path;
    try {
      path = Path.of(file).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw wrong(option, file, "must be the name of a file");
    }
    String other = users.put(path, option.option());
    if (other != null) {
      throw new UsageException(
          other + " and " + option.option() + " name the same file, " + file + "; give two");
    }
  }

  private RunOptions.Input input() throws UsageException {
    exclude(RunOption.NULL, RunOption.DELIMITER);
    String file = fileName(RunOption.INPUT_FILE);
    byte delimiter = Delimiter.NEWLINE;
    String given = words.value(RunOption.DELIMITER);
    if (given != null) {
      delimiter = Delimiter.parse(RunOption.DELIMITER.option(), given);
    } else if (words.has(RunOption.NULL)) {
      delimiter = 0;
    }
    return new RunOptions.Input(
        "-".equals(file) ? null : file,
        delimiter,
        given == null && !words.has(RunOption.NULL),
        number(RunOption.MAX_ARGS, 1, MAX_PER_ITEM, 1),
        lineToken(),
        switch (oneOf(RunOption.ID, "position", "position", "line")) {
          case "line" -> true;
          default -> false;
        },
        (int) size(RunOption.MAX_LINE_BYTES, 1, MAX_LINE_BYTES, DEFAULT_LINE_BYTES));
  }

  private String lineToken() throws UsageException {
    String token = words.value(RunOption.REPLACE);
    if (token == null) {
      return CommandTemplate.LINE_TOKEN;
    }
    if (token.isEmpty()) {
      throw wrong(RunOption.REPLACE, token, "must have at least one character");
    }
    return token;
  }

  private RunOptions.Bounds bounds() throws UsageException {
    exclude(RunOption.CONCURRENCY, RunOption.JOBS_FILE);
    String jobsFile = fileName(RunOption.JOBS_FILE);
    int concurrency = jobsFile != null ? JobsFile.readFirst(jobsFile) : concurrency();
    return new RunOptions.Bounds(
        concurrency,
        jobsFile,
        number(RunOption.CAPACITY, 0, Integer.MAX_VALUE, concurrency),
        size(RunOption.CAPACITY_BYTES, 1, Long.MAX_VALUE, DEFAULT_CAPACITY_BYTES),
        whenFull(),
        timeout(),
        attempts(),
        rate(),
        halt(),
        duration(RunOption.GRACE, DEFAULT_GRACE),
        duration(RunOption.CLEANUP, DEFAULT_CLEANUP));
  }

  private int concurrency() throws UsageException {
    String text = words.value(RunOption.CONCURRENCY);
    if (text != null && text.equals("0")) {
      throw wrong(
          RunOption.CONCURRENCY, text, "without a bound is not known here; give one, from 1");
    }
    if (text != null && text.matches("[+-].*|.*%")) {
      throw wrong(
          RunOption.CONCURRENCY,
          text,
          "relative to the processors is not known here; count in a shell, as in -j $(nproc)");
    }
    return number(
        RunOption.CONCURRENCY, 1, MAX_CONCURRENCY, Runtime.getRuntime().availableProcessors());
  }

  private FullPolicy whenFull() throws UsageException {
    return switch (oneOf(RunOption.WHEN_FULL, "wait", "wait", "refuse", "shed-oldest")) {
      case "refuse" -> FullPolicy.REFUSE;
      case "shed-oldest" -> FullPolicy.SHED_OLDEST;
      default -> FullPolicy.WAIT;
    };
  }

  private @Nullable Duration timeout() throws UsageException {
    String text = words.value(RunOption.TIMEOUT);
    if (text == null) {
      return null;
    }
    Duration timeout = DurationOption.parse(RunOption.TIMEOUT.option(), text);
    if (timeout.isZero()) {
      throw wrong(RunOption.TIMEOUT, text, "must be above zero; leave it out for no limit");
    }
    return timeout;
  }

  private int attempts() throws UsageException {
    int attempts = number(RunOption.RETRIES, 1, RetryPolicy.MAX_ATTEMPTS, 1);
    if (attempts > 1 && words.has(RunOption.KEEP_ORDER)) {
      throw new UsageException(
          RunOption.RETRIES.option()
              + " and "
              + RunOption.KEEP_ORDER.option()
              + " contradict each other: what is held for a line that waits for its next attempt"
              + " has no bound; give one");
    }
    return attempts;
  }

  private RunOptions.@Nullable StartRate rate() throws UsageException {
    exclude(RunOption.RATE, RunOption.DELAY);
    String rate = words.value(RunOption.RATE);
    if (rate != null) {
      return RateOption.parseRate(RunOption.RATE.option(), rate);
    }
    String delay = words.value(RunOption.DELAY);
    return delay == null ? null : RateOption.parseDelay(RunOption.DELAY.option(), delay);
  }

  private @Nullable Halt halt() throws UsageException {
    String text = words.value(RunOption.HALT);
    if (text == null) {
      return null;
    }
    for (String when : List.of("soon", "now")) {
      String start = when + ",fail=";
      if (text.startsWith(start)) {
        try {
          int failures = Integer.parseInt(text.substring(start.length()));
          if (failures > 0) {
            return new Halt(when.equals("now"), failures);
          }
        } catch (NumberFormatException e) {
          // Told below.
        }
      }
    }
    throw wrong(RunOption.HALT, text, "must be soon,fail=N or now,fail=N with N from 1");
  }

  private RunOptions.Output output() throws UsageException {
    return new RunOptions.Output(
        words.has(RunOption.TAG),
        words.has(RunOption.KEEP_ORDER),
        fileName(RunOption.RESULTS),
        words.has(RunOption.DRY_RUN));
  }

  private RunOptions.Records records() throws UsageException {
    exclude(RunOption.RESUME, RunOption.RESUME_FAILED);
    exclude(RunOption.RESUME, RunOption.RETRY_FAILED);
    exclude(RunOption.RESUME_FAILED, RunOption.RETRY_FAILED);
    Resume resume = Resume.NO;
    for (RunOption option :
        List.of(RunOption.RESUME, RunOption.RESUME_FAILED, RunOption.RETRY_FAILED)) {
      if (words.has(option)) {
        if (!words.has(RunOption.JOBLOG) && !words.has(RunOption.STORE)) {
          throw new UsageException(
              option.option() + ": needs --joblog FILE or --store FILE, to know what was done");
        }
        resume = resumeBy(option);
      }
    }
    return new RunOptions.Records(
        fileName(RunOption.JOBLOG),
        resume,
        store(),
        fileName(RunOption.REPORT, "must name a file, or be - for standard output"),
        number(RunOption.HISTORY, 0, Integer.MAX_VALUE - 1, DEFAULT_HISTORY));
  }

  private RunOptions.@Nullable Store store() throws UsageException {
    String file = fileName(RunOption.STORE);
    if (file == null) {
      for (RunOption option : List.of(RunOption.RESTART, RunOption.UNCERTAIN)) {
        if (words.has(option)) {
          throw new UsageException(option.option() + ": needs --store FILE");
        }
      }
      return null;
    }
    if (words.has(RunOption.RESUME)) {
      throw new UsageException(
          RunOption.RESUME.option()
              + " and "
              + RunOption.STORE.option()
              + " contradict each other: with a store the store says what was done, and every run"
              + " goes on by itself; leave --resume out");
    }
    exclude(RunOption.RESTART, RunOption.RESUME_FAILED);
    exclude(RunOption.RESTART, RunOption.RETRY_FAILED);
    exclude(RunOption.RESTART, RunOption.UNCERTAIN);
    // Which runs nothing but what has failed, so there is nothing to say about the uncertain.
    exclude(RunOption.RETRY_FAILED, RunOption.UNCERTAIN);
    return new RunOptions.Store(
        file,
        words.has(RunOption.RESTART),
        switch (oneOf(RunOption.UNCERTAIN, "hold", "hold", "rerun", "fail")) {
          case "rerun" -> RunOptions.Uncertain.RERUN;
          case "fail" -> RunOptions.Uncertain.FAIL;
          default -> RunOptions.Uncertain.HOLD;
        });
  }

  private static Resume resumeBy(RunOption option) {
    if (option == RunOption.RESUME_FAILED) {
      return Resume.FAILED_TOO;
    }
    return option == RunOption.RETRY_FAILED ? Resume.FAILED_ONLY : Resume.UNFINISHED;
  }

  private RunOptions.Progress progress() throws UsageException {
    exclude(RunOption.BAR, RunOption.NO_BAR);
    Bar bar = Bar.AFTER_A_WHILE;
    if (words.has(RunOption.BAR)) {
      bar = Bar.AT_ONCE;
    } else if (words.has(RunOption.NO_BAR)) {
      bar = Bar.NEVER;
    }
    return new RunOptions.Progress(
        bar, words.has(RunOption.PROGRESS), number(RunOption.TOTAL, 1, Integer.MAX_VALUE, 0));
  }

  private List<String> command(RunOptions.Input input) throws UsageException {
    List<String> command = words.command();
    if (command.isEmpty()) {
      throw new UsageException(
          "the command is missing; give it after --, as in: headgate run -- echo got {}");
    }
    if (command.get(0).isEmpty()) {
      throw new UsageException("the command's name is empty; give the name of a program after --");
    }
    if (input.perItem() > 1) {
      for (String word : command) {
        if (CommandTemplate.mixesLineWithText(word, input.lineToken())) {
          throw new UsageException(
              word
                  + ": with -n above 1 a placeholder must be a word of its own,"
                  + " which becomes one word for each line");
        }
      }
    }
    return command;
  }

  private void exclude(RunOption one, RunOption other) throws UsageException {
    if (words.has(one) && words.has(other)) {
      throw new UsageException(
          one.option() + " and " + other.option() + " contradict each other; give one");
    }
  }

  private @Nullable String fileName(RunOption option) throws UsageException {
    return fileName(option, "must name a file");
  }

  private @Nullable String fileName(RunOption option, String rule) throws UsageException {
    String text = words.value(option);
    if (text != null && text.isEmpty()) {
      throw wrong(option, text, rule);
    }
    return text;
  }

  private String oneOf(RunOption option, String otherwise, String... choices)
      throws UsageException {
    String text = words.value(option);
    if (text == null) {
      return otherwise;
    }
    if (!Arrays.asList(choices).contains(text)) {
      throw wrong(option, text, "must be one of " + String.join(", ", choices));
    }
    return text;
  }

  private Duration duration(RunOption option, Duration otherwise) throws UsageException {
    String text = words.value(option);
    return text == null ? otherwise : DurationOption.parse(option.option(), text);
  }

  private long size(RunOption option, long least, long most, long otherwise) throws UsageException {
    String text = words.value(option);
    return text == null ? otherwise : SizeOption.parse(option.option(), text, least, most);
  }

  private int number(RunOption option, int least, int most, int otherwise) throws UsageException {
    String text = words.value(option);
    if (text == null) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      // A sign asks for more than a number, as in parallel's -j +1.
      if (value >= least && value <= most && !text.startsWith("+")) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, together with the numbers that are out of range.
    }
    throw wrong(option, text, "must be a whole number from " + least + " to " + most);
  }

  private static UsageException wrong(RunOption option, String text, String rule) {
    return new UsageException(option.option() + " " + text + ": " + rule);
  }
}
