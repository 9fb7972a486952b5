package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTemplateTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static CommandTemplate template(String... words) {
    List<byte[]> command = new ArrayList<>();
    for (String word : words) {
      command.add(bytes(word));
    }
    return new CommandTemplate(command);
  }

  /** What the C library would read at the filled vector. */
  private static List<String> read(Arguments arguments, String line) {
    return read(arguments, Items.of(bytes(line)));
  }

  @SuppressWarnings("restricted")
  private static List<String> read(Arguments arguments, Item item) {
    long vector = arguments.fill(item);
    List<String> words = new ArrayList<>();
    MemorySegment pointers = MemorySegment.ofAddress(vector).reinterpret(Long.MAX_VALUE);
    for (int i = 0; pointers.getAtIndex(ValueLayout.JAVA_LONG, i) != 0; i++) {
      MemorySegment word =
          MemorySegment.ofAddress(pointers.getAtIndex(ValueLayout.JAVA_LONG, i))
              .reinterpret(Long.MAX_VALUE);
      words.add(word.getString(0, StandardCharsets.ISO_8859_1));
    }
    return words;
  }

  private static List<String> expand(String line, String... words) {
    return read(new Arguments(template(words)), line);
  }

  @Test
  void appendsTheLineWhereThereIsNoPlaceholder() {
    assertThat(expand("a b", "echo", "got")).containsExactly("echo", "got", "a b");
  }

  @Test
  void replacesEveryPlaceholderOfEveryWord() {
    assertThat(expand("x", "cp", "{}", "{}.bak", "<{}{}>", "{", "}{"))
        .containsExactly("cp", "x", "x.bak", "<xx>", "{", "}{");
  }

  @Test
  void aLineThatLooksLikeAPlaceholderIsNotReplacedAgain() {
    assertThat(expand("{}", "echo", "[{}]")).containsExactly("echo", "[{}]");
  }

  @Test
  void nothingOfALineIsInterpreted() {
    String line = "$(rm -rf x); 'a' \"b\" \\ * \t é";
    assertThat(expand(line, "echo", "{}")).containsExactly("echo", line);
  }

  @Test
  void theNameMayHoldAPlaceholder() {
    assertThat(expand("tool", "./{}", "x")).containsExactly("./tool", "x");
    assertThat(template("./{}").hasFixedName()).isFalse();
    assertThat(template("echo", "{}").hasFixedName()).isTrue();
  }

  @Test
  void linesOfAllLengthsFollowEachOther() {
    Arguments arguments = new Arguments(template("echo", "-{}-", "{}"));
    for (int length : new int[] {1, 100_000, 3, 0, 700, 1 << 20}) {
      String line = "y".repeat(length);
      assertThat(read(arguments, line)).containsExactly("echo", "-" + line + "-", line);
    }
  }

  @Test
  void emptyWordsStay() {
    assertThat(expand("x", "printf", "", "{}")).containsExactly("printf", "", "x");
  }

  @ParameterizedTest
  @CsvSource({
    // As GNU parallel has them.
    "a.b/c, a.b/c, c, a.b, c",
    "d.tar.gz, d.tar, d.tar.gz, ., d.tar",
    "x., x, x., ., x",
    ".., ., .., ., .",
    ".hidden, '', .hidden, ., ''",
    "a/.h, a/, .h, a, ''",
    "a/b/, a/b/, '', a, ''",
    "/, /, '', /, ''",
    "/a, /a, a, /, a",
    "//a, //a, a, /, a",
    "a//b, a//b, b, a, b"
  })
  void partsOfALineAreThoseOfGnuParallel(
      String line, String noExtension, String base, String directory, String bareBase) {
    assertThat(expand(line, "{.}", "{/}", "{//}", "{/.}"))
        .containsExactly(noExtension, base, directory, bareBase);
  }

  @Test
  void thePositionStandsForNoLineButKeepsItFromBeingAppended() {
    assertThat(read(new Arguments(template("echo", "{#}")), Items.at(7, bytes("x"))))
        .containsExactly("echo", "7");
  }

  @Test
  void anotherTokenStandsForTheLine() {
    CommandTemplate template =
        new CommandTemplate(List.of(bytes("echo"), bytes("{}"), bytes("%,{.}")), "%");
    assertThat(read(new Arguments(template), Items.of(bytes("a.b"))))
        .containsExactly("echo", "{}", "a.b,a");
  }

  @Test
  void aWordThatIsAPlaceholderBecomesAWordForEachLine() {
    Arguments arguments = new Arguments(template("cp", "{}", "{.}", "--", "{#}"));
    assertThat(read(arguments, Items.of(bytes("a.x"), bytes("b.x"))))
        .containsExactly("cp", "a.x", "b.x", "a", "b", "--", "1");
    assertThat(read(arguments, Items.of(bytes("c.x"))))
        .containsExactly("cp", "c.x", "c", "--", "1");
    assertThat(read(new Arguments(template("echo")), Items.of(bytes("a"), bytes("b"), bytes("c"))))
        .containsExactly("echo", "a", "b", "c");
  }

  @Test
  void aPlaceholderWithinAWordFitsOneLineAlone() {
    assertThat(CommandTemplate.mixesLineWithText("x{}", "{}")).isTrue();
    assertThat(CommandTemplate.mixesLineWithText("{}{/}", "{}")).isTrue();
    assertThat(CommandTemplate.mixesLineWithText("{}", "{}")).isFalse();
    assertThat(CommandTemplate.mixesLineWithText("x{#}", "{}")).isFalse();
    assertThat(CommandTemplate.mixesLineWithText("{}x", "%")).isFalse();
  }
}
