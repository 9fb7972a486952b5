package io.headgate;

/** What makes a job id well formed, and how long it is in UTF-8. */
final class JobIds {

  private JobIds() {}

  /**
   * Returns how many bytes {@code id} takes in UTF-8, or {@link Job#ILL_FORMED} if it is empty, or
   * holds a control character or a lone surrogate. A lone surrogate has no UTF-8 form: encoders
   * turn each into the same question mark, so that two different ids would become one.
   */
  static int utf8Bytes(String id) {
    int length = id.length();
    // Most ids are plain, and a loop that only counts is the fastest that a compiler makes.
    for (int i = 0; i < length; i++) {
      if (!isPlain(id.charAt(i))) {
        return utf8BytesFrom(id, i);
      }
    }
    return length == 0 ? Job.ILL_FORMED : length;
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c < 0x7f;
  }

  /** As above, for an id that begins with {@code plain} plain characters. */
  private static int utf8BytesFrom(String id, int plain) {
    int bytes = plain;
    int length = id.length();
    for (int i = plain; i < length; i++) {
      char c = id.charAt(i);
      if (isPlain(c)) {
        bytes++;
      } else if (Character.isISOControl(c)) {
        return Job.ILL_FORMED;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < length
          && Character.isLowSurrogate(id.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        return Job.ILL_FORMED;
      }
    }
    // Beyond 700 million characters the sum wraps; such an id is too long under every limit.
    return bytes < 0 ? Integer.MAX_VALUE : bytes;
  }
}
