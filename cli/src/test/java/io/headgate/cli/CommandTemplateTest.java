package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
  @SuppressWarnings("restricted")
  private static List<String> read(Arguments arguments, String line) {
    long vector = arguments.fill(bytes(line));
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
}
