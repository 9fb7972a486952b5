package io.headgate.cli;

/**
 * One line of the input. Its bytes are nobody's to change.
 *
 * @param number its number, from 1; skipped lines count
 * @param bytes its bytes without the delimiter; of one that was too long only the first
 * @param length how many bytes it had, without the delimiter
 * @param hash the {@link ContentHash} of all its bytes
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Line(long number, byte[] bytes, long length, long hash) {

  /** Whether it has a zero byte, which no argument can hold. */
  boolean holdsZeroByte() {
    for (byte b : bytes) {
      if (b == 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether it was longer than a line may be, and its end was not kept. */
  boolean isCut() {
    return length > bytes.length;
  }
}
