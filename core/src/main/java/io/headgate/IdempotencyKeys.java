package io.headgate;

import java.nio.charset.StandardCharsets;

/** Makes the key that is equal for all attempts at a job, and for no two jobs of one process. */
final class IdempotencyKeys {

  private static final String PLAIN = "-._~";
  private static final String HEX = "0123456789ABCDEF";

  private IdempotencyKeys() {}

  /**
   * Returns worker and id with a slash between them, both percent-encoded (RFC 3986), so that the
   * key fits into a header and no two pairs give the same.
   */
  static String of(String worker, String jobId) {
    StringBuilder key = new StringBuilder(worker.length() + jobId.length() + 1);
    encode(worker, key);
    key.append('/');
    encode(jobId, key);
    return key.toString();
  }

  private static void encode(String text, StringBuilder out) {
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (octet & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || PLAIN.indexOf(c) >= 0;
      if (plain) {
        out.append(c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
  }
}
