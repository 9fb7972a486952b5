package io.headgate.jdbc;

import io.headgate.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the store beside the writer, on a connection of its own that sees committed states only.
 * Thread-safe; one look at a time.
 */
final class StoreReader {

  /** One look, at one committed instant. */
  interface Look<R> {
    R at(Connection connection) throws SQLException;
  }

  /** Counters and outcomes of one instant. */
  record Picture(Counts counts, List<Outcome> outcomes) {}

  private final Dialect dialect;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection kept;
  private boolean closed;

  StoreReader(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Looks at the store.
   *
   * @throws StoreException if it cannot be read
   */
  <R> R look(Look<R> look) {
    lock.lock();
    try {
      Connection connection = kept;
      if (connection == null) {
        connection = dialect.openReader();
        kept = connection;
      }
      return atOneInstant(connection, look);
    } catch (SQLException e) {
      close(false);
      throw dialect.explain(e);
    } finally {
      if (closed) {
        close(true);
      }
      lock.unlock();
    }
  }

  private static <R> R atOneInstant(Connection connection, Look<R> look) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      try {
        return look.at(connection);
      } finally {
        statement.execute("COMMIT");
      }
    }
  }

  Picture picture(int history) {
    return look(
        connection ->
            new Picture(Counts.load(connection), OutcomeTable.latest(connection, history)));
  }

  /** Whether the id is that of an unfinished job, or is remembered. */
  boolean isKnown(String id) {
    return look(connection -> JobTable.isKnown(connection, id));
  }

  Optional<Outcome> outcome(String id) {
    return look(connection -> OutcomeTable.find(connection, id));
  }

  /** Keeps no connection open between two looks from now on. */
  void close() {
    lock.lock();
    try {
      close(true);
    } finally {
      lock.unlock();
    }
  }

  private void close(boolean forGood) {
    closed |= forGood;
    Connection connection = kept;
    kept = null;
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // It only read.
      }
    }
  }
}
