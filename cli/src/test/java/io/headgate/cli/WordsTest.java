package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void asciiIsTakenAsItIs() {
    assertThat(Words.bytesOf(List.of("a", "", "b c")))
        .containsExactly(new byte[] {'a'}, new byte[0], "b c".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void theLastWordsOfARawCommandLineKeepTheirBytes() {
    byte[] raw = {'j', 0, 'x', 0, (byte) 0xE9, 0, 0, 'z', 0};
    assertThat(Words.lastWords(raw, 3))
        .containsExactly(new byte[] {(byte) 0xE9}, new byte[0], new byte[] {'z'});
    assertThat(Words.lastWords(raw, 9)).hasSize(5);
  }

  @Test
  void wordsThatAreNotOfThisProcessAreEncoded() {
    assertThat(Words.bytesOf(List.of("ä-not-on-our-command-line"))).hasSize(1);
  }
}
