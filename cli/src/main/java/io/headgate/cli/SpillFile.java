package io.headgate.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A temporary file that has lost its name: it goes with the process, however that ends. Not a
 * channel, which the interrupt of a cancelled job would close. One thread at a time.
 */
final class SpillFile {
  /** Where spill files come from. Safe for all threads. */
  interface Source {
    /**
     * Opens an empty file.
     *
     * @throws IOException with the folder in its message
     */
    SpillFile open() throws IOException;
  }

  private static final String PREFIX = "headgate-";

  private final RandomAccessFile file;
  private final Path folder;

  private SpillFile(RandomAccessFile file, Path folder) {
    this.file = file;
    this.folder = folder;
  }

  /**
   * Opens an empty file in the folder that the environment names for temporary files.
   *
   * @throws IOException as {@link #in} does
   */
  static SpillFile temporary() throws IOException {
    String name = System.getenv("TMPDIR");
    Path folder;
    try {
      folder = Path.of(name == null || name.isEmpty() ? "/tmp" : name);
    } catch (InvalidPathException e) {
      throw new IOException("TMPDIR: " + e.getReason(), e);
    }
    return in(folder);
  }

  /**
   * Opens an empty file in a folder, readable by this user alone.
   *
   * @throws IOException if it cannot be made; the message names the folder
   */
  static SpillFile in(Path folder) throws IOException {
    try {
      Path name = Files.createTempFile(folder, PREFIX, "");
      try {
        return new SpillFile(new RandomAccessFile(name.toFile(), "rw"), folder);
      } finally {
        Files.delete(name);
      }
    } catch (NoSuchFileException e) {
      throw new IOException(folder + ": No such file or directory", e);
    } catch (IOException e) {
      throw in(folder, e);
    }
  }

  private static IOException in(Path folder, IOException e) {
    String message = String.valueOf(e.getMessage());
    return new IOException(
        message.startsWith(folder.toString()) ? message : folder + ": " + message, e);
  }

  /**
   * Writes at a place.
   *
   * @return where the bytes end
   */
  long write(long at, byte[] bytes, int from, int count) throws IOException {
    try {
      file.seek(at);
      file.write(bytes, from, count);
    } catch (IOException e) {
      throw in(folder, e);
    }
    return at + count;
  }

  /** Reads at a place that was written. */
  void read(long at, byte[] bytes, int count) throws IOException {
    try {
      file.seek(at);
      file.readFully(bytes, 0, count);
    } catch (IOException e) {
      throw in(folder, e);
    }
  }

  void close() {
    try {
      file.close();
    } catch (IOException e) {
      // All that was in it is taken or given up.
    }
  }
}
