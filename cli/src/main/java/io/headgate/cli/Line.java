package io.headgate.cli;

/**
 * One line of the input.
 *
 * @param position its number, from 1; skipped lines count
 * @param bytes its bytes without the newline; only the first {@link LineReader#LONGEST_KEPT} of a
 *     longer line
 * @param length how many bytes it had, without the newline
 */
record Line(long position, byte[] bytes, long length) {
  /** Whether the end of the line was not kept. */
  boolean isCut() {
    return length > bytes.length;
  }
}
