package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.cli.RunOptions.Bar;
import io.headgate.cli.RunOptions.FullPolicy;
import io.headgate.cli.RunOptions.Halt;
import io.headgate.cli.RunOptions.Resume;
import io.headgate.cli.RunOptions.StartRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunSyntaxTest {
  private static RunOptions parse(String line) throws UsageException {
    return RunSyntax.parse(line.split(" ", -1));
  }

  @Test
  void theDefaultsAreThoseOfTheDocs() throws UsageException {
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(parse("-- echo"))
        .isEqualTo(
            new RunOptions(
                new RunOptions.Input(null, (byte) '\n', true, 1, "{}", false, 131_071),
                new RunOptions.Bounds(
                    processors,
                    null,
                    processors,
                    64L << 20,
                    FullPolicy.WAIT,
                    null,
                    1,
                    null,
                    null,
                    Duration.ofSeconds(25),
                    Duration.ofSeconds(3)),
                new RunOptions.Output(false, false, null, false),
                new RunOptions.Records(null, Resume.NO, null, null, 100),
                new RunOptions.Progress(Bar.AFTER_A_WHILE, false, 0),
                List.of("echo")));
  }

  @Test
  void everyOptionIsTaken() throws UsageException {
    assertThat(
            parse(
                "-a in -d , -n 3 -I %% --id line --max-line-bytes 4K -j 3 --capacity 0"
                    + " --capacity-bytes=1M --when-full=refuse --timeout 5m --retries 1 --rate=100/m --halt now,fail=2"
                    + " --grace 0 --cleanup=1.5s --tag -k --results out --dry-run --joblog log"
                    + " --resume-failed --report - --history 0 --bar --progress --total 9 -- a b"))
        .isEqualTo(
            new RunOptions(
                new RunOptions.Input("in", (byte) ',', false, 3, "%%", true, 4096),
                new RunOptions.Bounds(
                    3,
                    null,
                    0,
                    1L << 20,
                    FullPolicy.REFUSE,
                    Duration.ofMinutes(5),
                    1,
                    new StartRate(100, Duration.ofMinutes(1), 1),
                    new Halt(true, 2),
                    Duration.ZERO,
                    Duration.ofMillis(1500)),
                new RunOptions.Output(true, true, "out", true),
                new RunOptions.Records("log", Resume.FAILED_TOO, null, "-", 0),
                new RunOptions.Progress(Bar.AT_ONCE, true, 9),
                List.of("a", "b")));
  }

  @Test
  void capacityFollowsConcurrency() throws UsageException {
    assertThat(parse("--concurrency=7 -- x").bounds().capacity()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-j7", "-P7", "-P 7", "--jobs 7", "--max-procs=7", "--concurrency 7"})
  void theNumberOfJobsHasTheNamesOfXargsAndParallel(String words) throws UsageException {
    assertThat(parse(words + " -- x").bounds().concurrency()).isEqualTo(7);
  }

  @Test
  void shortOptionsMayStandTogether() throws UsageException {
    RunOptions options = parse("-0kn2 -P4 -- x");
    assertThat(options.input().delimiter()).isZero();
    assertThat(options.input().skipsEmpty()).isFalse();
    assertThat(options.output().keepOrder()).isTrue();
    assertThat(options.input().perItem()).isEqualTo(2);
    assertThat(options.bounds().concurrency()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"',', 44", "\\n, 10", "\\t, 9", "\\0, 0", "\\\\, 92", "\\x7C, 124", "\\011, 9"})
  void delimitersAreBytesOrEscapes(String text, byte expected) throws UsageException {
    assertThat(parse("-d " + text + " -- x").input().delimiter()).isEqualTo(expected);
  }

  @Test
  void aDashAsTheInputFileIsStandardInput() throws UsageException {
    assertThat(parse("-a - -- x").input().file()).isNull();
  }

  @Test
  void theNumberOfJobsMayComeFromAFile(@TempDir Path directory) throws IOException, UsageException {
    Path file = directory.resolve("jobs");
    Files.writeString(file, "5\n");
    RunOptions options = parse("--jobs-file " + file + " -- x");
    assertThat(options.bounds().concurrency()).isEqualTo(5);
    assertThat(options.bounds().capacity()).isEqualTo(5);
    Files.writeString(file, "none");
    assertThatThrownBy(() -> parse("--jobs-file " + file + " -- x"))
        .hasMessage("--jobs-file " + file + ": \"none\" is no whole number from 1 to 100000");
  }

  @ParameterizedTest
  @CsvSource({"1/s, 1, 1, 1", "100/s, 100, 1, 10", "100/m, 100, 60, 1", "36000/h, 36000, 3600, 1"})
  void aRateHasTenthsOfASecondToMakeUpForWhatCameLate(
      String text, int starts, long seconds, int burst) throws UsageException {
    assertThat(parse("--rate " + text + " -- x").bounds().rate())
        .isEqualTo(new StartRate(starts, Duration.ofSeconds(seconds), burst));
  }

  @Test
  void aDelayIsARateOfOne() throws UsageException {
    assertThat(parse("--delay 1.5s -- x").bounds().rate())
        .isEqualTo(new StartRate(1, Duration.ofMillis(1500), 1));
  }

  @Test
  void theCommandIsTakenToTheLetter() throws UsageException {
    assertThat(parse("-- git -j 2 -- @x --help {}").command())
        .containsExactly("git", "-j", "2", "--", "@x", "--help", "{}");
  }

  @Test
  void helpIsOurOptionOnlyBeforeTheCommand() {
    assertThat(RunWords.askForHelp(new String[] {"-j", "2", "--help"})).isTrue();
    assertThat(RunWords.askForHelp(new String[] {"--", "ls", "--help"})).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-j 0 -- x|--concurrency 0: without a bound is not known here; give one, from 1",
        "-j +1 -- x|--concurrency +1: relative to the processors is not known here; count in a"
            + " shell, as in -j $(nproc)",
        "-P 50% -- x|--concurrency 50%: relative to the processors is not known here; count in a"
            + " shell, as in -j $(nproc)",
        "-n +2 -- x|--max-args +2: must be a whole number from 1 to 1000000",
        "-j 1e3 -- x|--concurrency 1e3: must be a whole number from 1 to 100000",
        "-j 99999999999 -- x|--concurrency 99999999999: must be a whole number from 1 to 100000",
        "-n 0 -- x|--max-args 0: must be a whole number from 1 to 1000000",
        "-n 2 -- x{}|x{}: with -n above 1 a placeholder must be a word of its own",
        "-d ab -- x|--delimiter ab: must be one byte, or one of \\n \\t \\r \\0 \\\\ \\xHH",
        "-d  -- x|--delimiter : must be one byte",
        "-0 -d x -- x|--null and --delimiter contradict each other; give one",
        "-I  -- x|-I : must have at least one character",
        "--id hash -- x|--id hash: must be one of position, line",
        "--max-line-bytes 0 -- x|--max-line-bytes 0: must be a number of bytes from 1 to 2097152",
        "--max-line-bytes 1T -- x|--max-line-bytes 1T: must be a number of bytes from 1",
        "--capacity-bytes -1 -- x|--capacity-bytes -1: must be a number of bytes from 1 to 9223",
        "--capacity-bytes K -- x|--capacity-bytes K: must be a number of bytes from 1 to 9223",
        "--capacity-bytes 9999999999G -- x|--capacity-bytes 9999999999G: must be a number",
        "--capacity -1 -- x|--capacity -1: must be a whole number from 0 to 2147483647",
        "--when-full shed -- x|--when-full shed: must be one of wait, refuse, shed-oldest",
        "--timeout 0s -- x|--timeout 0s: must be above zero; leave it out for no limit",
        "--halt 2 -- x|--halt 2: must be soon,fail=N or now,fail=N with N from 1",
        "--halt soon,fail=0 -- x|--halt soon,fail=0: must be soon,fail=N or now,fail=N",
        "--halt soon,fail=10% -- x|--halt soon,fail=10%: must be soon,fail=N or now,fail=N",
        "--grace -5s -- x|--grace -5s: a duration is never negative; give a number and a unit",
        "--cleanup 3 -- x|--cleanup 3: the unit is missing; give a number and a unit",
        "--resume -- x|--resume: needs --joblog FILE or --store FILE, to know what was done",
        "--joblog f --resume --retry-failed -- x|--resume and --retry-failed contradict each",
        "--bar --no-bar -- x|--bar and --no-bar contradict each other; give one",
        "--jobs-file f -j 2 -- x|--concurrency and --jobs-file contradict each other; give one",
        "--jobs-file /nowhere/f -- x|--jobs-file /nowhere/f: no such file",
        "--report= -- x|--report : must name a file, or be - for standard output",
        "--joblog= -- x|--joblog : must name a file",
        "--joblog f --report ./f -- x|--joblog and --report name the same file, ./f; give two",
        "-a f --joblog f -- x|--arg-file and --joblog name the same file, f; give two",
        "--report|--report: its value is missing; give FILE",
        "--grace -- x|--grace: its value is missing; give D",
        "--tag=yes -- x|--tag=yes: --tag takes no value",
        "-j 1 -j 2 -- x|--concurrency is given twice, as 1 and 2; give it once",
        "-k -k -- x|--keep-order is given twice; give it once",
        "--retries 0 -- x|--retries 0: must be a whole number from 1 to 100",
        "--retries 2 -k -- x|--retries and --keep-order contradict each other: what is held",
        "--rate 10 -- x|--rate 10: must be a whole number from 1 to 1000000 and a time, such as",
        "--rate 0/s -- x|--rate 0/s: must be a whole number from 1",
        "--rate +1/s -- x|--rate +1/s: must be a whole number from 1",
        "--rate 1.5/s -- x|--rate 1.5/s: must be a whole number from 1",
        "--rate 1000001/s -- x|--rate 1000001/s: must be a whole number from 1",
        "--rate 9/d -- x|--rate 9/d: must be a whole number from 1",
        "--rate /s -- x|--rate /s: must be a whole number from 1",
        "--delay 0 -- x|--delay 0: must be above zero and at most 87600h",
        "--delay 90000h -- x|--delay 90000h: must be above zero and at most 87600h",
        "--delay 1 -- x|--delay 1: the unit is missing; give a number and a unit",
        "--rate 1/s --delay 1s -- x|--rate and --delay contradict each other; give one",
        "-L 2 -- x|-L: not known here; use -n, which counts lines",
        "-r -- x|-r: not known here; it is always so here; leave it out: without input",
        "::: a b|:::: not known here; give the input on standard input, or with -a FILE",
        "--nonsense -- x|--nonsense: unknown option; see: headgate run --help",
        "-0Z -- x|-Z: unknown option; see: headgate run --help",
        "echo {}|echo: not an option; the command and its arguments come after --",
        "-j 2|the command is missing; give it after --",
        "--|the command is missing; give it after --",
        "-- |the command's name is empty; give the name of a program after --"
      },
      ignoreLeadingAndTrailingWhitespace = false)
  void wrongUsageIsToldInOneLine(String line, String message) {
    assertThatThrownBy(() -> parse(line))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void noOptionOfOursIsCalledForeign() {
    for (RunOption option : RunOption.values()) {
      for (String name : option.names()) {
        assertThat(ForeignOption.cure(name)).as(name).isNull();
      }
    }
  }
}
