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
    int bytes = 0;
    int length = id.length();
    for (int i = 0; i < length; i++) {
      char c = id.charAt(i);
      if (c >= 0x20 && c < 0x7f) {
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
    return length == 0 ? Job.ILL_FORMED : bytes < 0 ? Integer.MAX_VALUE : bytes;
  }
}
