package io.headgate.cli.store;

/** Texts of others, made fit for a line of a list. */
final class Texts {
  private Texts() {}

  /** Within one field of one line: control characters and the backslash are escaped. */
  static String oneField(String text) {
    StringBuilder field = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> field.append("\\\\");
        case '\t' -> field.append("\\t");
        case '\n' -> field.append("\\n");
        case '\r' -> field.append("\\r");
        default -> {
          if (Character.isISOControl(c)) {
            field.append("\\x%02x".formatted((int) c));
          } else {
            field.append(c);
          }
        }
      }
    }
    return field.toString();
  }

  /** As a string of JSON. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < 0x20 || Character.isSurrogate(c) || c == 0x7f) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
