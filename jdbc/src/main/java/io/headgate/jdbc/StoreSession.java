package io.headgate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The writing connection, its statements, and the transaction on it. Used by one thread at a time;
 * after a failure that may have broken it, it is closed and another one opened.
 */
final class StoreSession implements AutoCloseable {

  final JobTable jobs;
  final BulkTable bulk;
  final OutcomeTable outcomes;

  /** As of the transaction under way. */
  Counts counts;

  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement rollback;
  private final PreparedStatement savepoint;
  private final PreparedStatement release;
  private final PreparedStatement rollbackTo;
  private final PreparedStatement saveCounts;
  private Counts committed;

  StoreSession(Connection connection, Dialect dialect) throws SQLException {
    this.connection = connection;
    this.begin = connection.prepareStatement(dialect.begin());
    this.commit = connection.prepareStatement("COMMIT");
    this.rollback = connection.prepareStatement("ROLLBACK");
    this.savepoint = connection.prepareStatement("SAVEPOINT alone");
    this.release = connection.prepareStatement("RELEASE alone");
    this.rollbackTo = connection.prepareStatement("ROLLBACK TO alone");
    this.saveCounts = Counts.prepareSave(connection);
    this.jobs = new JobTable(connection);
    this.bulk = new BulkTable(connection);
    this.outcomes = new OutcomeTable(connection);
    this.committed = Counts.load(connection);
    this.counts = committed.copy();
  }

  void begin() throws SQLException {
    begin.execute();
  }

  void savepoint() throws SQLException {
    savepoint.execute();
  }

  void release() throws SQLException {
    release.execute();
  }

  void rollbackTo(Counts mark) throws SQLException {
    rollbackTo.execute();
    release();
    counts = mark;
  }

  void saveCounts() throws SQLException {
    if (!counts.isSame(committed)) {
      counts.save(saveCounts);
    }
  }

  /** Writes the counters whether they changed or not: to find out if the store can be written. */
  void probe() throws SQLException {
    counts.save(saveCounts);
  }

  /** Fails at once where the store can be read only, is full or is locked. */
  void checkWritable() throws SQLException {
    begin();
    try {
      probe();
      commit();
    } catch (SQLException e) {
      rollback();
      throw e;
    }
  }

  void commit() throws SQLException {
    Counts copy = counts.copy(); // nothing may fail between the commit and what is known of it
    commit.execute();
    committed = copy;
  }

  /** The counters as committed last; nobody changes them any more. */
  Counts committed() {
    return committed;
  }

  /** Goes back to what was committed. Never throws: the connection may be the reason. */
  void rollback() {
    counts = committed.copy();
    try {
      rollback.execute();
    } catch (SQLException e) {
      // There was no transaction any more, or no connection: either way nothing of it remains.
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // What was committed is committed; the rest was never promised to anybody.
    }
  }
}
