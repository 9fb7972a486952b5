package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TaggedLinesTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private int longestWrite;

  private boolean take(Output.Stream stream, byte[] lines, int length, Pause pause) {
    // Whoever writes for all may put others' lines between two writes.
    assertThat(lines[length - 1]).isEqualTo((byte) '\n');
    written.write(lines, 0, length);
    longestWrite = Math.max(longestWrite, length);
    return true;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String tagged(String lines, String... item) {
    byte[][] all = new byte[item.length][];
    for (int i = 0; i < item.length; i++) {
      all[i] = bytes(item[i]);
    }
    byte[] block = bytes(lines);
    assertThat(
            new TaggedLines(Items.of(all), this::take)
                .write(Output.Stream.OUT, block, block.length, Pauses.NO_HURRY))
        .isTrue();
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachLineBeginsWithTheItemAndATab() {
    assertThat(tagged("one\n\nthree\n", "it em")).isEqualTo("it em\tone\nit em\t\nit em\tthree\n");
  }

  @Test
  void theLinesOfAnItemArePartedByBlanks() {
    assertThat(tagged("x\n", "a", "", "c")).isEqualTo("a  c\tx\n");
    written.reset();
    assertThat(tagged("x\n", "", "b")).isEqualTo(" b\tx\n");
  }

  @Test
  void controlBytesDoNotBreakTheLine() {
    assertThat(tagged("x\n", "a\nb\tc\rd\u001b[1me\u007f\\n\u00e4"))
        .isEqualTo("a\\nb\\tc\\rd\\x1b[1me\\x7f\\n\u00e4\tx\n");
  }

  @Test
  void manyShortLinesGoOnInPieces() {
    String tag = "t".repeat(5000);
    assertThat(tagged("\n".repeat(3000), tag)).isEqualTo((tag + "\t\n").repeat(3000));
    assertThat(longestWrite).isLessThanOrEqualTo(1 << 14);
  }

  @Test
  void aLineLongerThanAPieceStaysWhole() {
    String line = "x".repeat(LineBuffer.LONGEST);
    assertThat(tagged("a\n" + line + "\nb\n", "tag"))
        .isEqualTo("tag\ta\ntag\t" + line + "\ntag\tb\n");
  }

  @Test
  void aSinkThatWantsNoMoreIsHeard() {
    byte[] block = bytes("\n".repeat(100));
    TaggedLines lines =
        new TaggedLines(Items.of(bytes("t".repeat(5000))), (stream, taken, length, pause) -> false);
    assertThat(lines.write(Output.Stream.OUT, block, block.length, Pauses.NO_HURRY)).isFalse();
  }
}
