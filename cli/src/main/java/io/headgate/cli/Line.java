package io.headgate.cli;

/** One line of the input. Its bytes are nobody's to change. */
final class Line {
  private final long position;
  private final byte[] bytes;
  private final long length;

  /**
   * @param position its number, from 1; skipped lines count
   * @param bytes its bytes without the newline; of a longer line than {@link
   *     LineReader#LONGEST_KEPT} only the first
   * @param length how many bytes it had, without the newline
   */
  Line(long position, byte[] bytes, long length) {
    this.position = position;
    this.bytes = bytes;
    this.length = length;
  }

  long position() {
    return position;
  }

  byte[] bytes() {
    return bytes;
  }

  long length() {
    return length;
  }

  /** Whether the end of the line was not kept. */
  boolean isCut() {
    return length > bytes.length;
  }
}
