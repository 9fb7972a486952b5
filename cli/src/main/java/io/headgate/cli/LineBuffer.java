package io.headgate.cli;

import java.util.Arrays;

/**
 * The output of one child on one stream that is not written yet: whole lines that may go now, then
 * the beginning of a line whose end has not come.
 *
 * <p>A line longer than {@link #LONGEST} is cut there: each piece becomes a line of its own, so
 * that no child can fill the memory or keep others from writing. One thread at a time.
 */
final class LineBuffer {
  /** The longest line that is kept whole, in bytes, its newline not counted. */
  static final int LONGEST = 1 << 16;

  private static final int FIRST_BYTES = 256;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  /** The array that holds the bytes; replaced when it grows. */
  byte[] array() {
    return bytes;
  }

  /**
   * Adds a chunk of at most {@link #LONGEST} bytes. What was ready before must have been removed.
   *
   * @return how many bytes at the front of {@link #array} are whole lines
   */
  int add(byte[] chunk, int count) {
    int old = length;
    room(count);
    System.arraycopy(chunk, 0, bytes, length, count);
    length += count;
    // Only the first line of a chunk can be too long: what was kept has no newline in it.
    int firstEnd = old;
    while (firstEnd < length && bytes[firstEnd] != '\n') {
      firstEnd++;
    }
    if (firstEnd > LONGEST) {
      room(1);
      System.arraycopy(bytes, LONGEST, bytes, LONGEST + 1, length - LONGEST);
      bytes[LONGEST] = '\n';
      length++;
    }
    for (int i = length - 1; i >= Math.min(old, LONGEST); i--) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return 0;
  }

  /** Ends an unfinished last line; answers as {@link #add} does. */
  int finish() {
    if (length > 0) {
      room(1);
      bytes[length++] = '\n';
    }
    return length;
  }

  /** Removes bytes at the front. */
  void remove(int count) {
    System.arraycopy(bytes, count, bytes, 0, length - count);
    length -= count;
  }

  void clear() {
    length = 0;
  }

  private void room(int count) {
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
    }
  }
}
