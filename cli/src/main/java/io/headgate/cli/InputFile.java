package io.headgate.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;

/** Opens the input of a run. */
final class InputFile {
  private static final int STANDARD_INPUT = 0;

  private InputFile() {}

  /**
   * The lines of the file that was named, or of standard input.
   *
   * @throws IOException if there is nothing that can be read
   */
  static LineReader open(Posix posix, RunOptions.Input options) throws IOException {
    return new LineReader(
        posix,
        descriptor(posix, options),
        options.delimiter(),
        options.skipsEmpty(),
        options.maxLineBytes());
  }

  private static int descriptor(Posix posix, RunOptions.Input options) throws IOException {
    String name = options.file();
    if (name == null) {
      if (StandardStreams.inputIsOurOwnFile()) {
        throw new IOException("standard input cannot be read: it is closed");
      }
      return STANDARD_INPUT;
    }
    byte[] path = Words.bytesOf(List.of(name)).get(0);
    int fd;
    // Without blocking: a pipe that nobody has opened to write is waited for where a stop is heard.
    try (Arena arena = Arena.ofConfined()) {
      var memory = arena.allocate(path.length + 1L);
      memory.asByteBuffer().put(path);
      fd = posix.open(memory, Posix.O_RDONLY | Posix.O_CLOEXEC | Posix.O_NONBLOCK);
    }
    if (fd < 0) {
      throw new IOException(name + " cannot be read: " + Errno.text(-fd));
    }
    return fd;
  }

  /** What the input is called in messages. */
  static String name(RunOptions.Input options) {
    String file = options.file();
    return file == null ? "standard input" : file;
  }
}
