package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code headgate doctor}, {@code jobs} and {@code decide} as processes, beside a run. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StorePagesProcessTest extends GatedProcess {
  private static final String[] COMMAND = {
    "--", "sh", "-c", "echo \"$0\" >> ran; test $0 = a || { " + Gate.SAY + Gate.WAIT + "}"
  };

  /** What a command printed, its complaints, and its exit code. */
  private record Said(int code, List<String> lines, String err) {}

  private Said say(String... words) throws Exception {
    // Apart from the run, whose output is kept in files of the same names.
    Path apart = directory.resolve("apart");
    Files.createDirectories(apart);
    try (HeadgateProcess process = HeadgateProcess.in(apart).start(words)) {
      int code = process.exitCode();
      return new Said(code, process.out().lines().toList(), process.err());
    }
  }

  private HeadgateProcess run(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("run", "-j1", "--store=db"));
    words.addAll(List.of(options));
    words.addAll(Arrays.asList(COMMAND));
    return headgate().input("a\nb\nc\n").start(words.toArray(new String[0]));
  }

  @Test
  @Tag("K4")
  void uncertainLinesAreListedAndDecidedOn() throws Exception {
    try (HeadgateProcess process = run()) {
      Groups.awaitIds(gate.ids(), 1);
      Said beside = say("jobs", "../db");
      assertThat(beside.lines()).hasSize(2);
      assertThat(beside.lines().get(1)).matches("2-[0-9a-f]{16}\trunning\t2");
      assertThat(say("doctor", "../db").lines().getFirst())
          .contains("is sound", "in use by process " + process.pid());
      Said refused = say("decide", "../db", "--all-held", "rerun");
      assertThat(refused.code()).isEqualTo(69);
      assertThat(refused.err()).contains("in use by process " + process.pid()).hasLineCount(1);
      process.signal("KILL");
      process.exitCode();
    }
    gate.letThrough(1);
    Groups.awaitGone(Groups.ids(gate.ids()));
    Said held = say("jobs", "../db", "--state=held");
    assertThat(held.code()).isZero();
    assertThat(held.lines().get(1)).matches("2-[0-9a-f]{16}\theld\t2");
    assertThat(say("doctor", "../db").lines().getFirst()).contains("1 uncertain");
    String id = held.lines().get(1).substring(0, held.lines().get(1).indexOf('\t'));
    Said decided = say("decide", "../db", id, "complete");
    assertThat(decided.err()).isEmpty();
    assertThat(decided.code()).isZero();
    assertThat(decided.lines()).containsExactly("1 decided: completed");
    try (HeadgateProcess process = run()) {
      gate.letThrough(1);
      assertThat(process.exitCode()).isZero();
    }
    assertThat(Files.readAllLines(directory.resolve("ran"))).containsExactly("a", "b", "c");
    assertThat(say("jobs", "../db", "--json").lines()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "doctor|64|FILE",
        "doctor none|66|there is no store none: give another path",
        "jobs none|66|there is no store none: give another path",
        "decide none --all-held rerun|66|there is no store none: give another path",
        "jobs none --state=gone|64|--state gone: must be one of held, waiting, suspended",
        "jobs none --limit=0|64|--limit 0: must be a whole number from 1",
        "jobs none --after=x|64|--after x: must be a whole number from 0",
        "decide none|64|the last word must be the decision: one of rerun, complete, fail",
        "decide none 1-x|64|the last word must be the decision: one of rerun, complete, fail",
        "decide none rerun|64|the ids are missing; headgate jobs lists them, or give --all-held",
        "decide none --all-held 1-x rerun|64|--all-held stands in the place of ids",
        "doctor headgate.err|66|is not a SQLite file: give another path",
      })
  void whatCannotBeDoneIsToldInOneLine(String words, int code, String message) throws Exception {
    if (words.endsWith("headgate.err")) {
      Path apart = Files.createDirectories(directory.resolve("apart"));
      Files.writeString(apart.resolve("text"), "no store at all\n".repeat(999));
    }
    Said said = say(words.replace("headgate.err", "text").split(" "));
    assertThat(said.code()).isEqualTo(code);
    assertThat(said.err()).contains(message).hasLineCount(1);
    assertThat(said.lines()).isEmpty();
  }

  @Test
  void anAnswerThatCannotBeWrittenIsTold() throws Exception {
    try (HeadgateProcess process =
        headgate().input("a\n").start("run", "--store=db", "--", "true")) {
      assertThat(process.exitCode()).isZero();
    }
    for (String command : List.of("doctor", "jobs")) {
      try (HeadgateProcess process = headgate().redirections(">/dev/full").start(command, "db")) {
        assertThat(process.exitCode()).isEqualTo(74);
        assertThat(process.err()).contains("standard output cannot be written").hasLineCount(1);
      }
    }
  }
}
