package io.headgate.benchmarks.memory;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The full error message of a job, and the checksum over those of many. The Python trial makes the
 * same, character by character, so one checksum holds for both.
 */
final class Message {

  private static final String FILL = "the quick brown fox jumps over the lazy dog ";
  private static final int DIGITS = 8;

  private Message() {}

  /** The message of a job: what differs comes first, so that no cap can make two of them equal. */
  static String of(int job, int width) {
    StringBuilder text = new StringBuilder(width + FILL.length());
    String number = Integer.toString(job);
    text.append("0".repeat(DIGITS - number.length())).append(number).append(' ');
    while (text.length() < width) {
      text.append(FILL);
    }
    text.setLength(width);
    return text.toString();
  }

  /** What a trial must come to that built every message in full. */
  static String checksum(int jobs, int width) {
    MessageDigest digest = digest();
    for (int job = 0; job < jobs; job++) {
      digest.update(of(job, width).getBytes(StandardCharsets.UTF_8));
    }
    return hex(digest);
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
