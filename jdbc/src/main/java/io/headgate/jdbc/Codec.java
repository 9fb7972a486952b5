package io.headgate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Turns payloads into the bytes that the store keeps, and back, perhaps in another process and with
 * a later release of the program. Called by many threads at once, never under a lock, and never by
 * the thread that writes the store.
 *
 * @param <T> the payload
 */
public interface Codec<T> {

  /**
   * Returns the bytes of {@code payload}, which nobody changes afterwards. What it throws goes to
   * whoever submits, and nothing is accepted.
   */
  byte[] encode(T payload);

  /** Returns the payload of {@code bytes}. If it throws, the attempt at that job has failed. */
  T decode(byte[] bytes);

  /** Keeps bytes as they are. */
  static Codec<byte[]> bytes() {
    return new Codec<>() {
      @Override
      public byte[] encode(byte[] payload) {
        return payload.clone();
      }

      @Override
      public byte[] decode(byte[] bytes) {
        return bytes;
      }
    };
  }

  /** Keeps text in UTF-8; what is ill-formed in UTF-16 becomes a question mark. */
  static Codec<String> text() {
    return new Codec<>() {
      @Override
      public byte[] encode(String payload) {
        return payload.getBytes(UTF_8);
      }

      @Override
      public String decode(byte[] bytes) {
        return new String(bytes, UTF_8);
      }
    };
  }
}
