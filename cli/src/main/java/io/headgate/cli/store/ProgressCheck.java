package io.headgate.cli.store;

import io.headgate.jdbc.SqliteFile;
import io.headgate.jdbc.StoreCheck;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks whether a progress record is sound, as of one instant, and changes nothing. */
final class ProgressCheck {
  private static final String OF_FULL =
      "SELECT count(*) FROM run_line l WHERE EXISTS"
          + " (SELECT 1 FROM run_block b WHERE b.block = (l.position - 1) / "
          + Block.LINES
          + ")";

  private final Statement statement;
  private final List<String> faults = new ArrayList<>();

  private ProgressCheck(Statement statement) {
    this.statement = statement;
  }

  /** What is wrong, one sentence each; empty if it is sound. */
  static List<String> faults(SqliteFile file) throws SQLException {
    try (Statement statement = file.connection().createStatement()) {
      statement.execute("BEGIN");
      ProgressCheck check = new ProgressCheck(statement);
      check.faults.addAll(StoreCheck.integrity(file.connection()));
      if (check.faults.isEmpty()) {
        check.rows();
        check.counters(ProgressTables.sums(file.connection()));
      }
      return check.faults;
    }
  }

  private void rows() throws SQLException {
    none(
        "lines are in a state or at a position that there is not",
        "SELECT count(*) FROM run_line WHERE state NOT BETWEEN 0 AND "
            + (LineState.values().length - 1)
            + " OR position < 1 OR line < 1");
    none(
        "lines have completed and are kept, though their digest is there",
        OF_FULL + " AND state = " + LineState.COMPLETED.code());
    none(
        "parts of the input are known as a whole, and have no digest",
        "SELECT count(*) FROM (SELECT 1 FROM run_line GROUP BY (position - 1) / "
            + Block.LINES
            + " HAVING count(*) = "
            + Block.LINES
            + " AND NOT EXISTS (SELECT 1 FROM run_block b WHERE b.block = (position - 1) / "
            + Block.LINES
            + "))");
    none("digests are of no part of an input", "SELECT count(*) FROM run_block WHERE block < 0");
  }

  private void counters(Sums sums) throws SQLException {
    long known =
        Block.LINES * number("SELECT count(*) FROM run_block")
            + number("SELECT count(*) FROM run_line")
            - number(OF_FULL);
    long open =
        number("SELECT count(*) FROM run_line WHERE state <> " + LineState.COMPLETED.code());
    same("known", sums.known(), known);
    same("completed", sums.completed(), known - open);
    same(
        "failed",
        sums.failed(),
        number("SELECT count(*) FROM run_line WHERE state = " + LineState.FAILED.code()));
  }

  private void same(String counter, long value, long rows) {
    if (value != rows) {
      faults.add("the counter " + counter + " is " + value + ", but the rows say " + rows);
    }
  }

  private void none(String what, String sql) throws SQLException {
    long found = number(sql);
    if (found > 0) {
      faults.add(found + " " + what);
    }
  }

  private long number(String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
