package io.headgate.jdbc;

import io.headgate.jdbc.StoreException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * A SQLite file opened as a durable backlog opens its own: with a write-ahead log that is synced by
 * each commit, by one process at a time. For records of other kinds that are to be as durable, and
 * for tools that look at stores.
 *
 * <p>Not thread-safe: one thread at a time uses the connection.
 */
public final class SqliteFile implements AutoCloseable {

  private final SqliteDialect dialect;
  private final Connection connection;
  private final AutoCloseable owner;

  private SqliteFile(SqliteDialect dialect, Connection connection, AutoCloseable owner) {
    this.dialect = dialect;
    this.connection = connection;
    this.owner = owner;
  }

  /**
   * Becomes the owner of a file and opens it for writing. It is made if it is not there; its folder
   * must be. Needs {@code org.xerial:sqlite-jdbc} on the class path.
   *
   * @throws StoreException if another process has it, which is named, or it cannot be opened
   */
  public static SqliteFile own(Path file) {
    SqliteDialect dialect = new SqliteDialect(file);
    FileOwner owner = FileOwner.of(file);
    try {
      return new SqliteFile(dialect, dialect.openWriter(), owner);
    } catch (SQLException e) {
      owner.close();
      throw dialect.explain(e);
    } catch (RuntimeException | Error e) {
      owner.close();
      throw e;
    }
  }

  /**
   * Opens a file for reading, also beside its owner. Sees committed states only and changes nothing
   * of what is there; beside a log that an owner has left, SQLite may add its index of the log.
   *
   * @throws StoreException if there is none, or it cannot be read
   */
  public static SqliteFile look(Path file) {
    if (!Files.exists(file)) {
      throw new StoreException(
          Kind.UNREACHABLE, "there is no store " + file + ": give another path");
    }
    Path real = RealPath.of(file);
    SqliteDialect dialect = new SqliteDialect(real);
    try {
      return new SqliteFile(
          dialect, isAtRest(real) ? openAtRest(real) : dialect.openReader(), () -> {});
    } catch (SQLException e) {
      throw dialect.explain(e);
    }
  }

  /** Whether nobody has the file and no log is to be read with it. */
  private static boolean isAtRest(Path file) {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    return !Files.exists(log) && owner(file).isEmpty();
  }

  /** Reads the file alone, so that SQLite makes no log and no index of it beside the file. */
  private static Connection openAtRest(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file.toUri() + "?immutable=1");
  }

  /**
   * The process that owns a store now, if one does; also one that reads its last words. By the id
   * that the last owner left, so an id that was given to another process since misleads it.
   */
  public static OptionalLong owner(Path file) {
    return FileOwner.pid(file);
  }

  /** The connection. It is in auto-commit mode: transactions are begun by {@code BEGIN}. */
  public Connection connection() {
    return connection;
  }

  /** Puts a failure of a statement into words: the file, what is wrong, and the cure. */
  public StoreException explain(SQLException failure) {
    return dialect.explain(failure);
  }

  /** Closes the connection and lets go of the file. Never throws: what is committed stays. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // What was committed is committed, and the rest was never promised.
    }
    try {
      owner.close();
    } catch (Exception e) {
      // The lock goes with the process at the latest.
    }
  }
}
