package io.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/**
 * What a terminal shows after it got some text. It knows a carriage return, a newline, and the
 * sequence that erases to the end of the line; nothing else may come.
 */
final class Screen {
  private final int columns;
  private final List<StringBuilder> lines = new ArrayList<>();
  private int column;

  private Screen(int columns) {
    this.columns = columns;
    lines.add(new StringBuilder());
  }

  /** The lines from the first on, scrolled away or not; the cursor stands in the last one. */
  static List<String> after(String text, int columns) {
    Screen screen = new Screen(columns);
    for (int i = 0; i < text.length(); i++) {
      i = screen.take(text, i);
    }
    return screen.lines.stream().map(StringBuilder::toString).toList();
  }

  private int take(String text, int at) {
    StringBuilder line = lines.get(lines.size() - 1);
    switch (text.charAt(at)) {
      case '\r' -> column = 0;
      case '\n' -> lines.add(new StringBuilder(" ".repeat(column)));
      case '\033' -> {
        assertThat(text.substring(at)).startsWith("\033[K");
        line.setLength(Math.min(line.length(), column));
        return at + 2;
      }
      default -> {
        assertThat(text.charAt(at)).isGreaterThanOrEqualTo(' ');
        line.replace(column, column + 1, text.substring(at, at + 1));
        column++;
        assertThat(column).as("the width of %s", line).isLessThan(columns);
      }
    }
    return at;
  }
}
