package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("CASE-24")
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LineReaderTest {
  private static final int LONGEST = 2 << 20;

  private static LineReader reader(Pipe pipe) {
    return new LineReader(new Posix(), pipe.readEnd(), (byte) '\n', true, LONGEST);
  }

  /** Everything that comes from the given input, written by a thread of its own. */
  private static List<Line> read(byte[] input) throws IOException {
    try (Pipe pipe = new Pipe()) {
      CompletableFuture<Void> writing =
          Beside.run(
              () -> {
                pipe.write(input);
                pipe.closeWriteEnd();
              });
      List<Line> lines = new ArrayList<>();
      LineReader reader = reader(pipe);
      for (Line line = reader.next(); line != null; line = reader.next()) {
        lines.add(line);
      }
      assertThat(reader.endReached()).isTrue();
      writing.join();
      return lines;
    }
  }

  private static List<String> texts(String input) throws IOException {
    return read(input.getBytes(StandardCharsets.UTF_8)).stream()
        .map(line -> new String(line.bytes(), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void aLastLineWithoutANewlineCounts() throws IOException {
    assertThat(texts("a\nb")).containsExactly("a", "b");
    assertThat(texts("a\nb\n")).containsExactly("a", "b");
    assertThat(texts("")).isEmpty();
  }

  @Test
  void emptyLinesAreSkippedButCounted() throws IOException {
    try (Pipe pipe = new Pipe()) {
      pipe.write("\n\na\n\nb\n\n".getBytes(StandardCharsets.UTF_8));
      pipe.closeWriteEnd();
      LineReader reader = reader(pipe);
      assertThat(reader.next().number()).isEqualTo(3);
      assertThat(reader.next().number()).isEqualTo(5);
      assertThat(reader.next()).isNull();
      assertThat(reader.lines()).isEqualTo(6);
      assertThat(reader.emptyLines()).isEqualTo(4);
    }
  }

  @Test
  void blanksAndCarriageReturnsArePartOfALine() throws IOException {
    assertThat(texts(" \na\r\n\t\n\r\n")).containsExactly(" ", "a\r", "\t", "\r");
  }

  @Test
  void bytesThatAreNoTextStayAsTheyAre() throws IOException {
    byte[] input = {(byte) 0xC3, (byte) 0x28, 0, (byte) 0xFF, '\n'};
    assertThat(read(input).get(0).bytes())
        .containsExactly((byte) 0xC3, (byte) 0x28, (byte) 0, (byte) 0xFF);
  }

  @Test
  void linesOverBufferEndsAreWhole() throws IOException {
    StringBuilder input = new StringBuilder();
    List<String> expected = new ArrayList<>();
    for (int length : new int[] {65_535, 1, 65_536, 65_537, 3, 200_000, 131_072, 0, 5}) {
      String line = Character.toString('a' + length % 26).repeat(length);
      input.append(line).append('\n');
      if (length > 0) {
        expected.add(line);
      }
    }
    assertThat(texts(input.toString())).isEqualTo(expected);
  }

  @Test
  void ofAHugeLineOnlyTheFrontIsKept() throws IOException {
    int length = LONGEST + 100_000;
    List<Line> lines = read(("x".repeat(length) + "\nnext\n").getBytes(StandardCharsets.UTF_8));
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).length()).isEqualTo(length);
    assertThat(lines.get(0).isCut()).isTrue();
    assertThat(lines.get(0).bytes()).hasSize(LONGEST);
    assertThat(lines.get(1).isCut()).isFalse();
    assertThat(new String(lines.get(1).bytes(), StandardCharsets.UTF_8)).isEqualTo("next");
  }

  @Test
  void noMoreIsReadThanABufferBeyondTheLine() throws IOException {
    try (Pipe pipe = new Pipe()) {
      pipe.write("first\n".getBytes(StandardCharsets.UTF_8));
      int filled = pipe.fill();
      LineReader reader = reader(pipe);
      assertThat(new String(reader.next().bytes(), StandardCharsets.UTF_8)).isEqualTo("first");
      pipe.closeWriteEnd();
      assertThat(pipe.readAll().length + (1 << 16)).isGreaterThanOrEqualTo(filled + 6);
    }
  }

  @Test
  void aStopWakesAReadThatWaits() throws Exception {
    try (Pipe pipe = new Pipe()) {
      LineReader reader = reader(pipe);
      CompletableFuture<Boolean> ended =
          Beside.supply(
              () -> {
                try {
                  return reader.next() == null;
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      reader.stop();
      assertThat(ended.get(10, TimeUnit.SECONDS)).isTrue();
      assertThat(reader.endReached()).isFalse();
    }
  }

  @Test
  void afterAStopLinesAlreadyReadAreNotGivenOut() throws IOException {
    try (Pipe pipe = new Pipe()) {
      pipe.write("a\nb\n".getBytes(StandardCharsets.UTF_8));
      pipe.closeWriteEnd();
      LineReader reader = reader(pipe);
      assertThat(reader.next()).isNotNull();
      reader.stop();
      assertThat(reader.next()).isNull();
      assertThat(reader.endReached()).isFalse();
    }
  }

  @Test
  void aDescriptorThatCannotBeReadIsAnError() {
    LineReader closed = new LineReader(new Posix(), 9_999, (byte) '\n', true, LONGEST);
    assertThatThrownBy(closed::next).isInstanceOf(IOException.class).hasMessageContaining("closed");
  }

  @Test
  void anotherDelimiterEndsLinesAndKeepsEmptyOnes() throws IOException {
    try (Pipe pipe = new Pipe()) {
      pipe.write("a\n\0\0b".getBytes(StandardCharsets.UTF_8));
      pipe.closeWriteEnd();
      LineReader reader = new LineReader(new Posix(), pipe.readEnd(), (byte) 0, false, LONGEST);
      assertThat(new String(reader.next().bytes(), StandardCharsets.UTF_8)).isEqualTo("a\n");
      assertThat(reader.next().bytes()).isEmpty();
      assertThat(new String(reader.next().bytes(), StandardCharsets.UTF_8)).isEqualTo("b");
      assertThat(reader.next()).isNull();
      assertThat(reader.emptyLines()).isZero();
    }
  }

  @Test
  void theHashIsThatOfAllBytesHoweverTheyWereRead() throws IOException {
    byte[] content = "0123456789".repeat(20_000).getBytes(StandardCharsets.UTF_8);
    long expected =
        ContentHash.finish(ContentHash.add(ContentHash.EMPTY, content, 0, content.length));
    assertThat(read(content).get(0).hash()).isEqualTo(expected);
    content[content.length - 1] ^= 1;
    assertThat(read(content).get(0).hash()).isNotEqualTo(expected);
    try (Pipe pipe = new Pipe()) {
      pipe.write("0123456789".getBytes(StandardCharsets.UTF_8));
      pipe.closeWriteEnd();
      Line cut = new LineReader(new Posix(), pipe.readEnd(), (byte) '\n', true, 3).next();
      assertThat(cut.isCut()).isTrue();
      assertThat(cut.length()).isEqualTo(10);
      assertThat(cut.hash())
          .isEqualTo(
              ContentHash.finish(
                  ContentHash.add(
                      ContentHash.EMPTY, "0123456789".getBytes(StandardCharsets.UTF_8), 0, 10)));
    }
  }
}
