package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of the size of an input, without reading ahead. */
@Tag("CASE-24")
class TallyTest {
  @TempDir Path directory;
  private final Posix posix = new Posix();
  private Path file;
  private int fd;

  @BeforeEach
  void open() throws IOException {
    file = directory.resolve("input");
    Files.writeString(file, "one\n\ntwo\nthree");
    fd = posix.open(Arena.global().allocateFrom(file.toString()), Posix.O_RDONLY);
  }

  @AfterEach
  void close() {
    posix.close(fd);
  }

  private LineReader reader(int descriptor) {
    return new LineReader(posix, descriptor, (byte) '\n', true, 100);
  }

  @Test
  void theBytesOfTheLinesThatWereTakenAreCountedNotThoseThatWereRead() throws IOException {
    LineReader reader = reader(fd);
    assertThat(reader.bytesTaken()).isZero();
    reader.next();
    assertThat(reader.bytesTaken()).isEqualTo(4);
    reader.next();
    assertThat(reader.bytesTaken()).isEqualTo(9);
    assertThat(reader.bytesRead()).isEqualTo(14);
    reader.next();
    assertThat(reader.bytesTaken()).isEqualTo(14);
    assertThat(reader.next()).isNull();
    assertThat(reader.bytesTaken()).isEqualTo(14);
  }

  @Test
  void aRegularFileIsSeenToGrow() throws IOException {
    FileSize size = new FileSize(fd, 0);
    assertThat(size.now()).isEqualTo(14);
    Files.writeString(file, "x".repeat(100));
    assertThat(size.now()).isEqualTo(100);
  }

  @Test
  void aFileThatStandsAtALaterPlaceCountsFromThere() throws IOException {
    posix.read(fd, Arena.global().allocate(5), 5);
    FileSize before = new FileSize(fd, 0);
    assertThat(before.now()).isEqualTo(9);
    LineReader reader = reader(fd);
    reader.next();
    assertThat(before.now()).isEqualTo(9);
    assertThat(new FileSize(fd, reader.bytesRead()).now()).isEqualTo(9);
  }

  @Test
  void aPipeHasNoSize() {
    try (Pipe pipe = new Pipe()) {
      pipe.write(new byte[10]);
      assertThat(new FileSize(pipe.readEnd(), 0).now()).isEqualTo(-1);
    }
  }
}
