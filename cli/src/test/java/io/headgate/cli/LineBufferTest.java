package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineBufferTest {
  private final LineBuffer buffer = new LineBuffer();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private void add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    take(buffer.add(bytes, bytes.length));
  }

  private void take(int count) {
    written.write(buffer.array(), 0, count);
    buffer.remove(count);
  }

  private String written() {
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void keepsTheBeginningOfALineUntilItsEndComes() {
    add("one");
    assertThat(written()).isEmpty();
    add(" line\ntwo\nthr");
    assertThat(written()).isEqualTo("one line\ntwo\n");
    add("ee");
    take(buffer.finish());
    assertThat(written()).isEqualTo("one line\ntwo\nthree\n");
  }

  @Test
  void finishingNothingWritesNothing() {
    add("one\n");
    take(buffer.finish());
    assertThat(written()).isEqualTo("one\n");
  }

  @Test
  void aLineOfTheGreatestLengthStaysWhole() {
    String longest = "x".repeat(LineBuffer.LONGEST);
    add(longest);
    add("\n");
    assertThat(written()).isEqualTo(longest + "\n");
  }

  @Test
  void aLongerLineIsCutIntoLinesWhateverTheChunks() {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    System.out.println("LineBufferTest headgate.seed=" + seed);
    Random random = new Random(seed);
    StringBuilder input = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      String line = Integer.toString(i % 10).repeat(random.nextInt(4 * LineBuffer.LONGEST));
      input.append(line).append('\n');
      String rest = line;
      while (rest.length() > LineBuffer.LONGEST) {
        expected.append(rest, 0, LineBuffer.LONGEST).append('\n');
        rest = rest.substring(LineBuffer.LONGEST);
      }
      expected.append(rest).append('\n');
    }
    int at = 0;
    while (at < input.length()) {
      int count = Math.min(input.length() - at, 1 + random.nextInt(LineBuffer.LONGEST));
      add(input.substring(at, at + count));
      at += count;
    }
    assertThat(written()).isEqualTo(expected.toString());
  }

  @Test
  void clearingForgetsTheBeginningOfALine() {
    add("lost");
    buffer.clear();
    add("kept\n");
    assertThat(written()).isEqualTo("kept\n");
  }
}
