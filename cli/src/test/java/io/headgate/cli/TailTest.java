package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TailTest {
  private static void add(Tail tail, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    tail.add(bytes, bytes.length);
  }

  @Test
  void keepsTheLastBytesOverManyChunks() {
    Tail tail = new Tail(8);
    add(tail, "abc");
    add(tail, "defgh");
    add(tail, "ij");
    assertThat(tail.text(100)).isEqualTo("cdefghij");
  }

  @Test
  void aChunkLargerThanTheRingLeavesItsEnd() {
    Tail tail = new Tail(4);
    add(tail, "x".repeat(1000) + "tail");
    assertThat(tail.text(100)).isEqualTo("tail");
  }

  @Test
  void cutsCharactersNeitherAtTheRingNorAtTheCap() {
    Tail tail = new Tail(7);
    add(tail, "ää😀a");
    assertThat(tail.text(100)).isEqualTo("ä😀a");
    assertThat(tail.text(2)).isEqualTo("😀a");
  }

  @Test
  void leavesBlanksAroundOutAndForgetsWhenCleared() {
    Tail tail = new Tail(16);
    add(tail, " oops\n\n");
    assertThat(tail.text(100)).isEqualTo("oops");
    tail.clear();
    assertThat(tail.text(100)).isEmpty();
  }
}
