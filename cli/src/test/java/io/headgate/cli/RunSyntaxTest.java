package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunSyntaxTest {
  private static RunOptions parse(String line) throws UsageException {
    return RunSyntax.parse(line.split(" ", -1));
  }

  @Test
  void theDefaultsAreThoseOfTheDocs() throws UsageException {
    RunOptions options = parse("-- echo");
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(options.concurrency()).isEqualTo(processors);
    assertThat(options.capacity()).isEqualTo(processors);
    assertThat(options.refuseWhenFull()).isFalse();
    assertThat(options.timeout()).isNull();
    assertThat(options.grace()).isEqualTo(Duration.ofSeconds(25));
    assertThat(options.cleanup()).isEqualTo(Duration.ofSeconds(3));
    assertThat(options.history()).isEqualTo(100);
    assertThat(options.report()).isNull();
    assertThat(options.command()).containsExactly("echo");
  }

  @Test
  void everyOptionIsTaken() throws UsageException {
    RunOptions options =
        parse(
            "-j 3 --capacity 0 --when-full=refuse --timeout 5m --grace 0 --cleanup=1.5s"
                + " --history 0 --report - -- a b");
    assertThat(options)
        .isEqualTo(
            new RunOptions(
                3,
                0,
                true,
                Duration.ofMinutes(5),
                Duration.ZERO,
                Duration.ofMillis(1500),
                0,
                "-",
                java.util.List.of("a", "b")));
  }

  @Test
  void capacityFollowsConcurrency() throws UsageException {
    assertThat(parse("--concurrency=7 -- x").capacity()).isEqualTo(7);
    assertThat(parse("-j7 -- x").concurrency()).isEqualTo(7);
  }

  @Test
  void theCommandIsTakenToTheLetter() throws UsageException {
    assertThat(parse("-- git -j 2 -- @x --help {}").command())
        .containsExactly("git", "-j", "2", "--", "@x", "--help", "{}");
  }

  @Test
  void helpIsOurOptionOnlyBeforeTheCommand() {
    assertThat(RunSyntax.asksForHelp(new String[] {"-j", "2", "--help"})).isTrue();
    assertThat(RunSyntax.asksForHelp(new String[] {"--", "ls", "--help"})).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-j 0 -- x|--concurrency 0: must be a whole number from 1 to 100000",
        "-j 1e3 -- x|--concurrency 1e3: must be a whole number from 1 to 100000",
        "-j 99999999999 -- x|--concurrency 99999999999: must be a whole number from 1 to 100000",
        "--capacity -1 -- x|--capacity -1: must be a whole number from 0 to 2147483647",
        "--when-full shed -- x|--when-full shed: must be wait or refuse",
        "--timeout 0s -- x|--timeout 0s: must be above zero; leave it out for no limit",
        "--grace -5s -- x|--grace -5s: a duration is never negative; give a number and a unit",
        "--cleanup 3 -- x|--cleanup 3: the unit is missing; give a number and a unit",
        "--report= -- x|--report : must name a file, or be - for standard output",
        "--report|--report: its value is missing; give FILE",
        "--grace -- x|--grace: its value is missing; give D",
        "-j 1 -j 2 -- x|--concurrency is given twice, as 1 and 2; give it once",
        "--retries 2 -- x|--retries: unknown option; see: headgate run --help",
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
}
