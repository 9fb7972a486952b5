package io.headgate.benchmarks.measure;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes maps, lists, texts, numbers and booleans as JSON. */
public final class Json {

  private Json() {}

  /**
   * The text of a value.
   *
   * @throws IllegalArgumentException if it holds anything else
   */
  public static String of(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, "\n", out);
    return out.append('\n').toString();
  }

  private static void write(Object value, String line, StringBuilder out) {
    switch (value) {
      case Map<?, ?> map -> {
        out.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> i = map.entrySet().iterator(); i.hasNext(); ) {
          Map.Entry<?, ?> entry = i.next();
          out.append(line).append("  ");
          text(entry.getKey().toString(), out);
          out.append(": ");
          write(entry.getValue(), line + "  ", out);
          out.append(i.hasNext() ? "," : line);
        }
        out.append('}');
      }
      case List<?> list -> {
        out.append('[');
        for (Iterator<?> i = list.iterator(); i.hasNext(); ) {
          out.append(line).append("  ");
          write(i.next(), line + "  ", out);
          out.append(i.hasNext() ? "," : line);
        }
        out.append(']');
      }
      // Such as the ratio to a peer that did nothing in its time.
      case Double number when !Double.isFinite(number) -> text(number.toString(), out);
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      case CharSequence text -> text(text.toString(), out);
      default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
    }
  }

  private static void text(String value, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
