package io.headgate.cli;

import java.nio.charset.StandardCharsets;

/** Reads the byte that ends a line, as {@code xargs -d} does. */
final class Delimiter {
  static final byte NEWLINE = '\n';

  private Delimiter() {}

  /**
   * Reads one byte, or one escape.
   *
   * @throws UsageException if it is more, or none
   */
  static byte parse(String option, String text) throws UsageException {
    if (text.length() > 1 && text.charAt(0) == '\\') {
      int escaped = escaped(text.substring(1));
      if (escaped >= 0) {
        return (byte) escaped;
      }
    } else {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      if (bytes.length == 1) {
        return bytes[0];
      }
    }
    throw new UsageException(
        option + " " + text + ": must be one byte, or one of \\n \\t \\r \\0 \\\\ \\xHH");
  }

  private static int escaped(String text) {
    return switch (text) {
      case "n" -> '\n';
      case "t" -> '\t';
      case "r" -> '\r';
      case "a" -> 7;
      case "b" -> '\b';
      case "f" -> '\f';
      case "v" -> 11;
      case "\\" -> '\\';
      default -> number(text);
    };
  }

  private static int number(String text) {
    boolean hex = text.startsWith("x");
    String digits = hex ? text.substring(1) : text;
    if (digits.isEmpty() || digits.length() > 3 || Character.digit(digits.charAt(0), 16) < 0) {
      return -1;
    }
    try {
      int value = Integer.parseInt(digits, hex ? 16 : 8);
      return value <= 0xff ? value : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
