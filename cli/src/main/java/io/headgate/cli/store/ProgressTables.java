package io.headgate.cli.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a progress record, on one connection. One thread at a time; transactions are the
 * caller's.
 *
 * <p>A line has a row from its first start on. Once all lines of a block have one, the block gets
 * the digest of their hashes, and the rows of those that have completed go. So what is kept is a
 * row for each line that has not completed, those of the blocks that are not full, and a digest for
 * each other block. The counters are maintained, never counted.
 */
final class ProgressTables {
  /** The schema that this release writes. */
  static final int VERSION = 1;

  private static final List<String> CREATE =
      List.of(
          "CREATE TABLE headgate_run (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT"
              + " NULL, compatible_from INTEGER NOT NULL, known INTEGER NOT NULL, completed INTEGER"
              + " NOT NULL, failed INTEGER NOT NULL)",
          "CREATE TABLE run_line (position INTEGER PRIMARY KEY, line INTEGER NOT NULL, hash INTEGER"
              + " NOT NULL, state INTEGER NOT NULL)",
          "CREATE TABLE run_block (block INTEGER PRIMARY KEY, digest INTEGER NOT NULL)",
          // What was left running is looked for at every open, what is to be decided by people.
          "CREATE INDEX run_line_open ON run_line (state, position) WHERE state < 5",
          "INSERT INTO headgate_run VALUES (1, " + VERSION + ", 1, 0, 0, 0)");

  private final Connection connection;
  private final Points points;
  // Rows of blocks that are not full, as far as they were asked for.
  private final Map<Long, Integer> counts = new HashMap<>();
  private Sums sums = Sums.NONE;
  private Sums saved = Sums.NONE;

  private final PreparedStatement select;
  private final PreparedStatement put;
  private final PreparedStatement delete;
  private final PreparedStatement digest;
  private final PreparedStatement count;
  private final PreparedStatement save;

  static void create(Statement statement) throws SQLException {
    for (String each : CREATE) {
      statement.execute(each);
    }
  }

  /** For a connection to a file that has the tables. */
  ProgressTables(Connection connection, Points points) throws SQLException {
    this.connection = connection;
    this.points = points;
    select =
        connection.prepareStatement(
            "SELECT position, line, hash, state FROM run_line WHERE position = ?");
    put = connection.prepareStatement("INSERT OR REPLACE INTO run_line VALUES (?, ?, ?, ?)");
    delete = connection.prepareStatement("DELETE FROM run_line WHERE position = ?");
    digest = connection.prepareStatement("SELECT digest FROM run_block WHERE block = ?");
    count =
        connection.prepareStatement("SELECT count(*) FROM run_line WHERE position BETWEEN ? AND ?");
    save =
        connection.prepareStatement("UPDATE headgate_run SET known = ?, completed = ?, failed = ?");
    reload();
  }

  /** Forgets what a transaction that was rolled back has left in memory. */
  void reload() throws SQLException {
    counts.clear();
    sums = sums(connection);
    saved = sums;
  }

  static Sums sums(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT known, completed, failed FROM headgate_run")) {
      if (!row.next()) {
        throw new SQLException("the table headgate_run has lost its row");
      }
      return new Sums(row.getLong(1), row.getLong(2), row.getLong(3));
    }
  }

  /** Writes the counters, as the last step of a transaction. */
  void saveSums() throws SQLException {
    if (!sums.equals(saved)) {
      save.setLong(1, sums.known());
      save.setLong(2, sums.completed());
      save.setLong(3, sums.failed());
      save.executeUpdate();
    }
  }

  void committed() {
    saved = sums;
  }

  /** Forgets all lines. */
  void clear() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM run_line");
      statement.execute("DELETE FROM run_block");
    }
    counts.clear();
    sums = Sums.NONE;
  }

  /** What a dead process left running is uncertain from now on. */
  void resolveRunning() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE run_line SET state = "
              + LineState.UNCERTAIN.code()
              // The first condition is that of the partial index, which is used only where it is
              // said.
              + " WHERE state < 5 AND state = "
              + LineState.RUNNING.code());
    }
  }

  /** The row of a position, or null. */
  @Nullable Row row(long position) throws SQLException {
    select.setLong(1, position);
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? read(row) : null;
    }
  }

  static Row read(ResultSet row) throws SQLException {
    return new Row(row.getLong(1), row.getLong(2), row.getLong(3), LineState.of(row.getInt(4)));
  }

  /** Puts a line into a state; one of a full block that has no row has completed before. */
  void put(Row row) throws SQLException {
    long block = Block.of(row.position());
    Row old = row(row.position());
    boolean isNew = old == null;
    boolean completed = row.state() == LineState.COMPLETED;
    boolean full = (isNew || completed) && digest(block) != null;
    LineState before = full ? LineState.COMPLETED : null;
    if (old != null) {
      before = old.state();
    }
    if (completed && full) {
      delete.setLong(1, row.position());
      delete.executeUpdate();
    } else {
      put.setLong(1, row.position());
      put.setLong(2, row.line());
      put.setLong(3, row.hash());
      put.setInt(4, row.state().code());
      put.executeUpdate();
    }
    sums = sums.with(before, row.state());
    if (before == null) {
      grow(block);
    }
  }

  /** Puts a line that has a row into another state. */
  void change(long position, LineState state) throws SQLException {
    Row row = row(position);
    if (row != null) {
      put(new Row(position, row.line(), row.hash(), state));
    }
  }

  private void grow(long block) throws SQLException {
    Integer before = counts.get(block);
    int now = before == null ? count(block) : before + 1;
    if (now < Block.LINES) {
      counts.put(block, now);
      return;
    }
    counts.remove(block);
    compact(block);
    points.reached(Points.Point.COMPACT);
  }

  private int count(long block) throws SQLException {
    count.setLong(1, Block.first(block));
    count.setLong(2, Block.last(block));
    try (ResultSet row = count.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  private void compact(long block) throws SQLException {
    String range =
        " FROM run_line WHERE position BETWEEN " + Block.first(block) + " AND " + Block.last(block);
    try (Statement statement = connection.createStatement()) {
      long sum = Block.SEED;
      try (ResultSet row = statement.executeQuery("SELECT hash" + range + " ORDER BY position")) {
        while (row.next()) {
          sum = Block.digest(sum, row.getLong(1));
        }
      }
      statement.execute("INSERT INTO run_block VALUES (" + block + ", " + sum + ")");
      statement.execute("DELETE" + range + " AND state = " + LineState.COMPLETED.code());
    }
  }

  /** The digest of a block, or null while it is not full. */
  private @Nullable Long digest(long block) throws SQLException {
    digest.setLong(1, block);
    try (ResultSet row = digest.executeQuery()) {
      return row.next() ? row.getLong(1) : null;
    }
  }

  Block block(long block) throws SQLException {
    Map<Long, Row> rows = new HashMap<>();
    try (PreparedStatement some =
        connection.prepareStatement(
            "SELECT position, line, hash, state FROM run_line WHERE position BETWEEN ? AND ?")) {
      some.setLong(1, Block.first(block));
      some.setLong(2, Block.last(block));
      try (ResultSet row = some.executeQuery()) {
        while (row.next()) {
          Row read = read(row);
          rows.put(read.position(), read);
        }
      }
    }
    return new Block(digest(block), rows);
  }

  Sums sums() {
    return sums;
  }

  List<Row> page(long after, int limit, String states) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement some =
        connection.prepareStatement(
            "SELECT position, line, hash, state FROM run_line WHERE position > ? AND state IN ("
                + states
                + ") ORDER BY position LIMIT ?")) {
      some.setLong(1, after);
      some.setInt(2, limit);
      try (ResultSet row = some.executeQuery()) {
        while (row.next()) {
          rows.add(read(row));
        }
      }
    }
    return rows;
  }

  /** How many known lines there are beyond a position, all or those in some states alone. */
  long beyond(long position, String states) throws SQLException {
    boolean all = states.isEmpty();
    long block = Block.of(position + 1);
    long known = 0;
    String rows = "SELECT count(*) FROM run_line l WHERE position > " + position;
    try (Statement statement = connection.createStatement()) {
      if (all) {
        // In full blocks each line is known, whether it has a row or not.
        known +=
            Block.LINES
                * number(statement, "SELECT count(*) FROM run_block WHERE block > " + block);
        known += digest(block) == null ? 0 : Block.last(block) - position;
        rows +=
            " AND NOT EXISTS (SELECT 1 FROM run_block b WHERE b.block = (l.position - 1) / "
                + Block.LINES
                + ")";
      } else {
        rows += " AND state IN (" + states + ")";
      }
      return known + number(statement, rows);
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
