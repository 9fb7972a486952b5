package io.headgate.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table, the form both of the terminal and of the page. Not thread-safe. */
public final class Table {

  private final int columns;
  private final StringBuilder text = new StringBuilder();

  private Table(List<String> head) {
    columns = head.size();
    line(head);
    text.append("|").append("---|".repeat(columns)).append('\n');
  }

  /** A table with these column heads. */
  public static Table of(String... head) {
    return new Table(List.of(head));
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException unless it has a cell for each column
   */
  public Table row(Object... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(
          cells.length + " cells in a table of " + columns + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell.toString().replace("|", "\\|"));
    }
    line(row);
    return this;
  }

  private void line(List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** The Markdown, with a line break at its end. */
  public String text() {
    return text.toString();
  }
}
