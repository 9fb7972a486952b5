package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code headgate sim} as a process, and its page. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SimProcessTest {
  private static final String SMALL =
      """
      duration = "5s"
      arrivals.rate = 80
      service.mean = "20ms"
      worker = { concurrency = 2, capacity = 8 }
      clients.timeout = "1s"
      """;

  @TempDir Path directory;

  private HeadgateProcess.Setup headgate() {
    return HeadgateProcess.in(directory);
  }

  private String told(String input, String... words) throws Exception {
    try (HeadgateProcess process = headgate().input(input).start(words)) {
      assertThat(process.exitCode()).as(process.err()).isZero();
      assertThat(process.err()).isEmpty();
      return process.out();
    }
  }

  private static List<String> blocks(String page, String language) {
    return Pattern.compile("^```" + language + "\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(page)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void thePageShowsTheExampleAndWhatItComesTo() throws Exception {
    String page = Files.readString(LauncherTest.repository().resolve("docs/sim.md"));

    String example = told("", "sim", "--example");
    assertThat(blocks(page, "toml")).first().isEqualTo(example);
    assertThat(blocks(page, "text")).first().isEqualTo(told(example, "sim", "-"));
  }

  @Test
  void aFileIsRunAndTheSameEachTime() throws Exception {
    Files.writeString(directory.resolve("my numbers.toml"), SMALL);

    String out = told("", "sim", "my numbers.toml");

    assertThat(out).contains("80/s × 20 ms = 1.6, of 2: 80 %", "(8/2 + 1) × 20 ms = 100 ms");
    assertThat(out.lines()).allMatch(line -> line.length() <= 100);
    assertThat(told("", "sim", "my numbers.toml")).isEqualTo(out);
  }

  @Test
  void figuresComeAsJsonForPrograms() throws Exception {
    String out = told(SMALL.replace("80", "200"), "sim", "--json", "-");

    assertThat(out)
        .startsWith("{\"runs\":[{\"setting\":\"as it is\",\"load\":2,\"busy\":4,")
        .endsWith("}\n")
        .hasLineCount(1)
        .contains("\"setting\":\"to set\"", "\"toSet\":{\"concurrency\":5,\"capacity\":120,");
    assertThat(Pattern.compile("\"(refused|shed|goodputPerSecond|waitP99Millis)\":[0-9.]+[,}]"))
        .satisfies(figure -> assertThat(figure.matcher(out).results()).hasSize(8));
  }

  @Test
  void whatIsWrongIsSaidInOneLine() throws Exception {
    Files.writeString(directory.resolve("wrong.toml"), SMALL.replace("timeout", "time-out"));
    Files.write(directory.resolve("latin.toml"), new byte[] {'#', (byte) 0xe4, '\n'});
    Files.writeString(directory.resolve("large.toml"), "# large\n".repeat(1 << 18));
    assertWrong(
        64,
        "wrong.toml:5: clients.time-out: no such key; the nearest is clients.timeout",
        "wrong.toml");
    assertWrong(64, "latin.toml: not TOML: it is not in UTF-8", "latin.toml");
    assertWrong(64, "large.toml: more than 1 MiB; give a file of some lines", "large.toml");
    assertWrong(66, "none.toml cannot be read: there is no such file", "none.toml");
    assertWrong(66, ". cannot be read: Is a directory", ".");
    assertWrong(64, "the file is missing; headgate sim --example prints one to begin with");
    assertWrong(
        64, "--example stands alone: it prints a file, and runs none", "--example", "wrong.toml");
  }

  private void assertWrong(int code, String line, String... words) throws Exception {
    String[] all = new String[words.length + 1];
    all[0] = "sim";
    System.arraycopy(words, 0, all, 1, words.length);
    try (HeadgateProcess process = headgate().start(all)) {
      assertThat(process.exitCode()).as(line).isEqualTo(code);
      assertThat(process.err()).isEqualTo("headgate sim: " + line + "\n");
      assertThat(process.out()).isEmpty();
    }
  }

  @Test
  void callsThatDoNotFitInMemoryAreSaidToBeTooMany() throws Exception {
    String large =
        """
        duration = "9s"
        arrivals.rate = 1000000
        service.mean = "1h"
        worker = { concurrency = 1, when-full = "grow" }
        clients.timeout = "10s"
        """;
    try (HeadgateProcess process = headgate().input(large).start("sim", "-")) {
      assertThat(process.exitCode()).isEqualTo(64);
      assertThat(process.err())
          .isEqualTo(
              "headgate sim: standard input: so many calls at once do not fit in memory; lower the"
                  + " rate or clients.timeout\n");
    }
  }

  @Test
  void anOutputThatCannotBeWrittenIsAnError() throws Exception {
    try (HeadgateProcess process =
        headgate().input(SMALL).redirections(">/dev/full").start("sim", "-")) {
      assertThat(process.exitCode()).isEqualTo(74);
      assertThat(process.err()).isEqualTo("headgate: standard output cannot be written\n");
    }
  }
}
