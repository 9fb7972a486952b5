package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a flag means what it means for {@code xargs}, the output is the same. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class XargsComparisonTest {
  private static final List<String> SHOW = List.of("printf", "<%s>\\n");

  @TempDir Path directory;

  private static org.junit.jupiter.params.provider.Arguments row(
      String what, String input, String options, List<String> command) {
    return arguments(what, input, List.of(options.split(" ")), command);
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> flagsOfBoth() {
    String odd = "a b\n \t'c' \"d\"\\\n$HOME * ;\n-n\n{} {.}\n\r\n";
    return Stream.of(
        row("-n1", "1\n2\n3\n", "-d \\n -n1", SHOW),
        row("-n with fewer at the end", "1\n2\n3\n4\n5\n", "-d \\n -n 2", List.of("echo")),
        row("-n above all lines", "1\n2\n3\n", "-d \\n -n 9", List.of("echo", "first")),
        row("--max-args, --max-procs", "1\n2\n3\n", "-d \\n --max-args=2 --max-procs=1", SHOW),
        row("-P", "1\n2\n3\n4\n5\n6\n7\n8\n", "-d \\n -n1 -P 4", SHOW),
        row("-0", "a\0\0b c\nd\0e", "-0 -n1", SHOW),
        row("--null", "a\0b", "--null -n1", SHOW),
        row("short options together", "a\0b\0c\0", "-0n2 -P1", List.of("echo")),
        row("-d", "a,b,,c\n", "-d , -n1", SHOW),
        row("-d with its value", "a,b", "-d, -n1", SHOW),
        row("--delimiter as a tab", "a b\tc", "--delimiter=\\t -n1", SHOW),
        row("-d as hex", "a,b", "-d \\x2c -n1", SHOW),
        row("-d as octal", "a,b", "-d \\054 -n1", SHOW),
        row("-d as a backslash", "a\\b", "-d \\\\ -n1", SHOW),
        row("empty lines with -d", "a\n\nb\n\n", "-d \\n -n1", SHOW),
        row("no newline at the end", "a\nb", "-d \\n -n1", SHOW),
        row("blanks, quotes, dollars", odd, "-d \\n -n1", SHOW),
        row("-I", odd, "-d \\n -I %", List.of("printf", "<%s>\\n", "x%y%", "{}", "%")),
        row("-I {}", odd, "-d \\n -I {}", List.of("printf", "<%s>\\n", "{}", "-{}-")),
        row("-I of several letters", "a\n", "-d \\n -I THIS", List.of("echo", "THIS THIS")),
        row("bytes that are no text", "a\377\303\251\200\n\1\177\n", "-d \\n -n1", SHOW),
        row("long lines", "x".repeat(60_000) + "\ny\n", "-d \\n -n1", SHOW),
        row("-a", "", "-d \\n -n1 -a data", SHOW),
        row("--arg-file", "", "-d \\n -n2 --arg-file=data", List.of("echo")),
        row("-a -", "a\nb\n", "-d \\n -n1 -a -", SHOW),
        row("no input", "", "-d \\n -n1", SHOW));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("flagsOfBoth")
  void aFlagOfBothGivesTheSameOutput(
      String what, String input, List<String> options, List<String> command) throws Exception {
    Files.writeString(directory.resolve("data"), "one\ntwo three\nfour");
    List<String> theirs = new ArrayList<>(List.of("-r"));
    theirs.addAll(options);
    theirs.addAll(command);
    List<String> ours = new ArrayList<>(options);
    ours.add("--");
    ours.addAll(command);
    Peer.Ended xargs = Peer.in(directory).xargs(input, theirs.toArray(new String[0]));
    Peer.Ended headgate = Peer.in(directory).headgate(input, ours.toArray(new String[0]));
    assertThat(xargs.code()).as(xargs.err()).isZero();
    assertThat(headgate.code()).as(headgate.err()).isZero();
    assertThat(headgate.sorted()).isEqualTo(xargs.sorted());
  }

  @Test
  void asManyRunAtOnceAsPSays() throws Exception {
    // None of the three ends before all have begun.
    String meet =
        "touch $0.$1; until [ -e $0.a ] && [ -e $0.b ] && [ -e $0.c ]; do sleep 0.01; done; echo $1";
    Peer.Ended xargs =
        Peer.in(directory).xargs("a\nb\nc\n", "-P3", "-n1", "sh", "-c", meet, "theirs");
    Peer.Ended headgate =
        Peer.in(directory).headgate("a\nb\nc\n", "-P3", "-n1", "--", "sh", "-c", meet, "ours");
    assertThat(xargs.sorted()).containsExactly("a", "b", "c");
    assertThat(headgate.sorted()).isEqualTo(xargs.sorted());
  }

  @Test
  void aCommandReadsNothingOfTheInput() throws Exception {
    String[] command = {"sh", "-c", "cat; echo \"$1\"", "_"};
    Peer.Ended xargs = Peer.in(directory).xargs("a\nb\n", concat(List.of("-n1"), command));
    Peer.Ended headgate = Peer.in(directory).headgate("a\nb\n", concat(List.of("--"), command));
    assertThat(xargs.sorted()).containsExactly("a", "b");
    assertThat(headgate.sorted()).isEqualTo(xargs.sorted());
  }

  @Test
  void aCommandThatIsMissingOrCannotRunHasTheSameExitCode() throws Exception {
    for (String command : List.of("no-such-command", "/etc")) {
      Peer.Ended xargs = Peer.in(directory).xargs("a\nb\n", command);
      Peer.Ended headgate = Peer.in(directory).headgate("a\nb\n", "--", command);
      assertThat(headgate.code()).as(command).isEqualTo(xargs.code()).isBetween(126, 127);
    }
  }

  private static String[] concat(List<String> options, String... command) {
    return Stream.concat(options.stream(), Stream.of(command)).toArray(String[]::new);
  }
}
