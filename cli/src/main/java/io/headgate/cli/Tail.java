package io.headgate.cli;

import java.nio.charset.StandardCharsets;

/** The last bytes of a stream. One thread at a time. */
final class Tail {
  private final byte[] ring;
  private int length;
  private int end;

  Tail(int bytes) {
    ring = new byte[bytes];
  }

  void clear() {
    length = 0;
    end = 0;
  }

  void add(byte[] chunk, int count) {
    for (int i = Math.max(0, count - ring.length); i < count; i++) {
      ring[end] = chunk[i];
      end = (end + 1) % ring.length;
    }
    length = Math.min(ring.length, length + count);
  }

  /**
   * The kept bytes as text, without blanks around it, of at most {@code codePoints}; the front is
   * left out where there is more.
   */
  String text(int codePoints) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = ring[(end - length + i + ring.length) % ring.length];
    }
    int from = 0;
    // The ring may begin within a character.
    while (length == ring.length && from < bytes.length && (bytes[from] & 0xC0) == 0x80) {
      from++;
    }
    String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8).strip();
    int count = text.codePointCount(0, text.length());
    return count <= codePoints
        ? text
        : text.substring(text.offsetByCodePoints(0, count - codePoints));
  }
}
