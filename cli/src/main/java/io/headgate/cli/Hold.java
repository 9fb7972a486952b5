package io.headgate.cli;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The output of one command that has to wait: a queue of blocks of lines, each of one stream, so
 * that the order between the two streams is kept.
 *
 * <p>The last 16 KiB at most are in memory; what came before is in a file without a name. What is
 * in the queue when the file cannot be written stays whole and can be taken, but nothing can be
 * added any more: an output with a gap would look like a whole one. One thread at a time.
 */
final class Hold {
  /** What is kept in memory at most, in bytes. */
  static final int MEMORY_BYTES = 1 << 14;

  // A byte for the stream, four for the length.
  private static final int HEADER_BYTES = 5;
  private static final byte OUT_MARK = 1;
  private static final byte ERR_MARK = 2;
  private static final int FIRST_BYTES = 512;

  private final SpillFile.Source spills;

  // The newest blocks. When a block is taken they are the front only if the file is read to its
  // end.
  private byte[] memory = new byte[0];
  private int from;
  private int to;
  // Where the newest block of the memory begins; negative if it must not grow.
  private int newest = -1;

  private @Nullable SpillFile file;
  private long fileFrom;
  private long fileTo;
  private boolean full;

  private Output.Stream stream = Output.Stream.OUT;
  private byte[] block = new byte[0];
  private int length;

  Hold(SpillFile.Source spills) {
    this.spills = spills;
  }

  boolean isEmpty() {
    return from == to && fileFrom == fileTo;
  }

  /**
   * Adds whole lines at the end.
   *
   * @throws IOException if they do not fit in memory, and the file cannot be written; from then on
   *     nothing can be added
   */
  void add(Output.Stream added, byte[] lines, int count) throws IOException {
    if (full) {
      throw new IOException("no more is held");
    }
    if (newest >= 0 && memory[newest] == mark(added) && to + count <= MEMORY_BYTES) {
      append(lines, count);
      putInt(memory, newest + 1, to - newest - HEADER_BYTES);
    } else if (to + HEADER_BYTES + count <= MEMORY_BYTES) {
      newest = to;
      append(header(added, count), HEADER_BYTES);
      append(lines, count);
    } else {
      spill(header(added, count), lines, count);
    }
  }

  private void append(byte[] bytes, int count) {
    if (to + count > memory.length) {
      int size = Math.max(to + count, Math.max(FIRST_BYTES, 2 * memory.length));
      memory = Arrays.copyOf(memory, Math.min(MEMORY_BYTES, size));
    }
    System.arraycopy(bytes, 0, memory, to, count);
    to += count;
  }

  /** Moves the memory to the file, and adds a block there. */
  private void spill(byte[] header, byte[] lines, int count) throws IOException {
    full = true;
    SpillFile spill = file;
    if (spill == null) {
      spill = spills.open();
      file = spill;
    }
    // The length that counts is moved at the end, so that a failure leaves all as it was.
    long end = spill.write(fileTo, memory, from, to - from);
    end = spill.write(end, header, 0, HEADER_BYTES);
    fileTo = spill.write(end, lines, 0, count);
    from = 0;
    to = 0;
    newest = -1;
    full = false;
  }

  /**
   * Takes the first block; its parts are read by {@link #stream}, {@link #block} and {@link
   * #length} until the next call of any other method.
   *
   * @return whether there was one
   * @throws IOException if the file cannot be read
   */
  boolean take() throws IOException {
    if (fileFrom < fileTo) {
      SpillFile spill = file;
      if (spill == null) {
        throw new IllegalStateException("there is no file");
      }
      byte[] header = new byte[HEADER_BYTES];
      spill.read(fileFrom, header, HEADER_BYTES);
      begin(header, 0);
      spill.read(fileFrom + HEADER_BYTES, block, length);
      fileFrom += HEADER_BYTES + length;
      if (fileFrom == fileTo && from == to) {
        // The block is copied; who looks whether more is held would never come back for the file.
        clear();
      }
      return true;
    }
    if (from < to) {
      begin(memory, from);
      System.arraycopy(memory, from + HEADER_BYTES, block, 0, length);
      from += HEADER_BYTES + length;
      // A block that was taken must not grow; and an empty queue needs no file.
      newest = -1;
      if (from == to) {
        clear();
      }
      return true;
    }
    clear();
    return false;
  }

  private void begin(byte[] bytes, int at) {
    stream = bytes[at] == OUT_MARK ? Output.Stream.OUT : Output.Stream.ERR;
    length = getInt(bytes, at + 1);
    if (block.length < length) {
      block = new byte[length];
    }
  }

  Output.Stream stream() {
    return stream;
  }

  byte[] block() {
    return block;
  }

  int length() {
    return length;
  }

  /** Forgets all, and lets go of the file. */
  void clear() {
    from = 0;
    to = 0;
    newest = -1;
    fileFrom = 0;
    fileTo = 0;
    SpillFile spill = file;
    if (spill != null) {
      file = null;
      spill.close();
    }
  }

  private static byte mark(Output.Stream stream) {
    return stream == Output.Stream.OUT ? OUT_MARK : ERR_MARK;
  }

  private static byte[] header(Output.Stream stream, int count) {
    byte[] header = new byte[HEADER_BYTES];
    header[0] = mark(stream);
    putInt(header, 1, count);
    return header;
  }

  private static void putInt(byte[] bytes, int at, int value) {
    for (int i = 0; i < 4; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }

  private static int getInt(byte[] bytes, int at) {
    int value = 0;
    for (int i = 3; i >= 0; i--) {
      value = (value << 8) | (bytes[at + i] & 0xFF);
    }
    return value;
  }
}
