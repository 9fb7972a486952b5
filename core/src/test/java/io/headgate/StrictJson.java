package io.headgate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON reader (RFC 8259) that forgives nothing: no duplicate key, no trailing comma, no rest. */
final class StrictJson {

  private final String text;
  private int at;

  private StrictJson(String text) {
    this.text = text;
  }

  @SuppressWarnings("unchecked") // an object has string keys
  static Map<String, Object> object(String text) {
    StrictJson json = new StrictJson(text);
    Object value = json.value();
    json.space();
    json.require(json.at == text.length(), "nothing after the value");
    return (Map<String, Object>) value;
  }

  private Object value() {
    space();
    require(at < text.length(), "a value");
    return switch (text.charAt(at)) {
      case '{' -> members();
      case '[' -> elements();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    space();
    if (taken('}')) {
      return members;
    }
    do {
      space();
      String key = string();
      space();
      require(taken(':'), "a colon");
      require(!members.containsKey(key), "the key " + key + " once");
      members.put(key, value());
      space();
    } while (taken(','));
    require(taken('}'), "the end of the object");
    return members;
  }

  private List<Object> elements() {
    List<Object> elements = new ArrayList<>();
    at++;
    space();
    if (taken(']')) {
      return elements;
    }
    do {
      elements.add(value());
      space();
    } while (taken(','));
    require(taken(']'), "the end of the array");
    return elements;
  }

  private String string() {
    require(taken('"'), "a string");
    StringBuilder out = new StringBuilder();
    while (true) {
      require(at < text.length(), "the end of the string");
      char c = text.charAt(at++);
      if (c == '"') {
        return out.toString();
      }
      require(c >= 0x20, "no bare control character");
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = text.charAt(at++);
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> throw new AssertionError("no escape \\" + c + " in " + text);
    };
  }

  /** Whole numbers as Long, others as Double. */
  private Object number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(from, at);
    require(digits.matches("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?"), "a number: " + digits);
    return digits.matches("-?\\d+") ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
  }

  private Object word(String word, Object value) {
    require(text.startsWith(word, at), word);
    at += word.length();
    return value;
  }

  private boolean taken(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("expected " + what + " at " + at + " of " + text);
    }
  }
}
