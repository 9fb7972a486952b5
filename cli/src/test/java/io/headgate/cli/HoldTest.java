package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HoldTest {
  @TempDir Path folder;
  private final AtomicInteger opened = new AtomicInteger();
  private final Hold hold = new Hold(this::open);

  private SpillFile open() throws IOException {
    opened.incrementAndGet();
    return SpillFile.in(folder);
  }

  private void add(Output.Stream stream, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    hold.add(stream, bytes, bytes.length);
  }

  private String take() throws IOException {
    assertThat(hold.take()).isTrue();
    return hold.stream() + " " + new String(hold.block(), 0, hold.length(), StandardCharsets.UTF_8);
  }

  @Test
  void givesWhatWasAddedInItsOrderAcrossTheStreams() throws IOException {
    add(Output.Stream.OUT, "a\n");
    add(Output.Stream.OUT, "b\n");
    add(Output.Stream.ERR, "c\n");
    add(Output.Stream.OUT, "d\n");
    assertThat(hold.isEmpty()).isFalse();
    assertThat(take()).isEqualTo("OUT a\nb\n");
    // What was taken must not be part of what comes.
    add(Output.Stream.OUT, "e\n");
    assertThat(take()).isEqualTo("ERR c\n");
    assertThat(take()).isEqualTo("OUT d\n");
    assertThat(take()).isEqualTo("OUT e\n");
    assertThat(hold.isEmpty()).isTrue();
    assertThat(hold.take()).isFalse();
    assertThat(opened).hasValue(0);
  }

  @Test
  void aFileIsOpenedOnlyWhenTheMemoryIsFullAndHasNoName() throws IOException {
    String half = "x".repeat(Hold.MEMORY_BYTES / 2 - 1) + "\n";
    add(Output.Stream.OUT, half);
    assertThat(opened).hasValue(0);
    add(Output.Stream.ERR, half);
    assertThat(opened).hasValue(1);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
    add(Output.Stream.OUT, "last\n");
    assertThat(take()).isEqualTo("OUT " + half);
    assertThat(take()).isEqualTo("ERR " + half);
    assertThat(take()).isEqualTo("OUT last\n");
    assertThat(opened).hasValue(1);
  }

  @Test
  void theFileIsLetGoWithItsLastBlock() throws IOException {
    String half = "x".repeat(Hold.MEMORY_BYTES / 2 - 1) + "\n";
    for (int round = 1; round <= 3; round++) {
      add(Output.Stream.OUT, half);
      add(Output.Stream.ERR, half);
      while (!hold.isEmpty()) {
        assertThat(take()).endsWith(half);
      }
      // One that had been kept would be written on.
      assertThat(opened).hasValue(round);
    }
  }

  @Test
  void aBlockLargerThanTheMemoryIsHeldWhole() throws IOException {
    String large = "y".repeat(5 * Hold.MEMORY_BYTES) + "\n";
    add(Output.Stream.ERR, "small\n");
    add(Output.Stream.ERR, large);
    assertThat(take()).isEqualTo("ERR small\n");
    assertThat(take()).isEqualTo("ERR " + large);
  }

  @Test
  void whatIsHeldWhenTheFileFailsStaysWholeAndNothingComesAfterTheGap() throws IOException {
    Hold broken = new Hold(() -> SpillFile.in(folder.resolve("none")));
    byte[] small = "kept\n".getBytes(StandardCharsets.UTF_8);
    broken.add(Output.Stream.OUT, small, small.length);
    byte[] large = new byte[2 * Hold.MEMORY_BYTES];
    assertThatThrownBy(() -> broken.add(Output.Stream.OUT, large, large.length))
        .isInstanceOf(IOException.class)
        .hasMessage(folder.resolve("none") + ": No such file or directory");
    assertThatThrownBy(() -> broken.add(Output.Stream.OUT, small, small.length))
        .isInstanceOf(IOException.class);
    assertThat(broken.take()).isTrue();
    assertThat(new String(broken.block(), 0, broken.length(), StandardCharsets.UTF_8))
        .isEqualTo("kept\n");
    assertThat(broken.take()).isFalse();
  }

  @Test
  void anyMixOfAddingAndTakingKeepsEveryByteInOrder() throws IOException {
    long seed = Long.getLong("headgate.seed", System.nanoTime());
    System.out.println("HoldTest headgate.seed=" + seed);
    Random random = new Random(seed);
    // Each byte with its stream, as it went in.
    ArrayDeque<Integer> expected = new ArrayDeque<>();
    for (int i = 0; i < 3000; i++) {
      if (random.nextInt(5) < 3) {
        byte[] bytes =
            new byte[1 + random.nextInt(random.nextInt(20) == 0 ? 3 * Hold.MEMORY_BYTES : 2000)];
        random.nextBytes(bytes);
        Output.Stream stream = random.nextBoolean() ? Output.Stream.OUT : Output.Stream.ERR;
        hold.add(stream, bytes, bytes.length);
        for (byte b : bytes) {
          expected.add(marked(stream, b));
        }
      } else if (hold.take()) {
        compare(expected);
      }
    }
    while (hold.take()) {
      compare(expected);
    }
    assertThat(expected).isEmpty();
  }

  private static Integer marked(Output.Stream stream, byte b) {
    return b + (stream == Output.Stream.OUT ? 0 : 1000);
  }

  private void compare(ArrayDeque<Integer> expected) {
    for (int i = 0; i < hold.length(); i++) {
      Integer got = marked(hold.stream(), hold.block()[i]);
      if (!got.equals(expected.poll())) {
        throw new AssertionError("a byte is not the one that was added");
      }
    }
  }
}
