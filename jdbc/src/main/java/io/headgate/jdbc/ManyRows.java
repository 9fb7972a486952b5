package io.headgate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One statement for many rows. A call into the driver costs more than what SQLite does for a row,
 * so rows go together; the statements are kept for each power of two, up to a bound.
 */
final class ManyRows implements AutoCloseable {

  /** Rows of one statement. */
  static final int WIDEST = 64;

  /** The text of the statement for a number of rows. */
  interface Text {
    String of(int rows);
  }

  /** Binds the rows from {@code first} on to a statement for {@code rows} of them. */
  interface Binder {
    void bind(PreparedStatement statement, int first, int rows) throws SQLException;
  }

  private final Connection connection;
  private final Text text;
  private final @Nullable PreparedStatement[] prepared =
      new PreparedStatement[Integer.numberOfTrailingZeros(WIDEST) + 1];

  ManyRows(Connection connection, Text text) {
    this.connection = connection;
    this.text = text;
  }

  /** Places for {@code count} values, for a list in a statement. */
  static String places(int count) {
    return "?, ".repeat(count - 1) + "?";
  }

  /** The same row {@code rows} times. */
  static String rows(String row, int rows) {
    return (row + ", ").repeat(rows - 1) + row;
  }

  /** Runs the statement for {@code count} rows; returns how many rows it has changed. */
  int update(int count, Binder binder) throws SQLException {
    int changed = 0;
    int done = 0;
    while (done < count) {
      int rows = Math.min(WIDEST, Integer.highestOneBit(count - done));
      PreparedStatement statement = prepared(rows);
      binder.bind(statement, done, rows);
      changed += statement.executeUpdate();
      done += rows;
    }
    return changed;
  }

  private PreparedStatement prepared(int rows) throws SQLException {
    int index = Integer.numberOfTrailingZeros(rows);
    PreparedStatement statement = prepared[index];
    if (statement == null) {
      statement = connection.prepareStatement(text.of(rows));
      prepared[index] = statement;
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : prepared) {
      if (statement != null) {
        statement.close();
      }
    }
  }
}
