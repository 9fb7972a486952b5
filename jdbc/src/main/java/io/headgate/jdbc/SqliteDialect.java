package io.headgate.jdbc;

import io.headgate.jdbc.StoreException.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** SQLite: one file, a write-ahead log beside it, one process that writes. */
final class SqliteDialect implements Dialect {

  /** Result codes of SQLite, as its C interface numbers them. */
  private static final int BUSY = 5;

  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int IOERR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANTOPEN = 14;
  private static final int NOTADB = 26;
  private static final int PRIMARY_CODE = 0xff;

  private final Path file;

  SqliteDialect(Path file) {
    this.file = RealPath.of(file);
  }

  @Override
  public Connection openWriter() throws SQLException {
    Connection connection = connect(false);
    try (Statement pragma = connection.createStatement()) {
      pragma.execute("PRAGMA journal_mode = WAL");
      // One sync of the log for each commit: that is what makes a commit outlive a power cut.
      pragma.execute("PRAGMA synchronous = FULL");
      pragma.execute("PRAGMA busy_timeout = 1000");
      pragma.execute("PRAGMA foreign_keys = OFF");
      pragma.execute("PRAGMA temp_store = MEMORY");
      pragma.execute("PRAGMA wal_autocheckpoint = 4000");
      pragma.execute("PRAGMA journal_size_limit = 67108864");
      pragma.execute("PRAGMA cache_size = -16384");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public Connection openReader() throws SQLException {
    Connection connection = connect(true);
    try (Statement pragma = connection.createStatement()) {
      pragma.execute("PRAGMA busy_timeout = 1000");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private Connection connect(boolean readOnly) throws SQLException {
    Properties properties = new Properties();
    // The driver would look at the text of every statement for keys that nobody asks for.
    properties.setProperty("jdbc.get_generated_keys", "false");
    if (readOnly) {
      properties.setProperty("open_mode", "1");
    }
    try {
      return DriverManager.getConnection("jdbc:sqlite:" + file, properties);
    } catch (SQLException e) {
      if (e.getMessage() != null && e.getMessage().startsWith("No suitable driver")) {
        throw new StoreException(
            Kind.UNREACHABLE,
            "there is no JDBC driver for SQLite: add org.xerial:sqlite-jdbc to the class path",
            e);
      }
      throw e;
    }
  }

  @Override
  public String begin() {
    return "BEGIN IMMEDIATE";
  }

  @Override
  public String schemaPrefix() {
    return "sqlite";
  }

  @Override
  public boolean hasTable(Connection connection, String table) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")) {
      select.setString(1, table);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  @Override
  public boolean hasAnyTable(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("SELECT 1 FROM sqlite_master WHERE type = 'table'");
        ResultSet row = select.executeQuery()) {
      return row.next();
    }
  }

  @Override
  public boolean isOfTheStore(SQLException failure) {
    return switch (failure.getErrorCode() & PRIMARY_CODE) {
      case FULL, READONLY, BUSY, LOCKED, CORRUPT, NOTADB, CANTOPEN, IOERR -> true;
      default -> false;
    };
  }

  @Override
  public StoreException explain(SQLException failure) {
    String store = "the store " + file;
    return switch (failure.getErrorCode() & PRIMARY_CODE) {
      case FULL ->
          said(
              Kind.FULL,
              store
                  + " has no room left: free space on its disk; accepted jobs are kept, and all"
                  + " goes on by itself",
              failure);
      case READONLY ->
          said(
              Kind.READ_ONLY,
              store + " is read-only: let this user write the file and its folder",
              failure);
      case BUSY, LOCKED ->
          said(
              Kind.LOCKED,
              store + " is locked by another program: end that program, or its transaction",
              failure);
      case CORRUPT ->
          said(
              Kind.CORRUPT,
              store
                  + " is damaged: move it away with its -wal and -shm files, and restore a backup"
                  + " or recover it with sqlite3",
              failure);
      case NOTADB ->
          said(Kind.CORRUPT, store + " is not a SQLite file: give another path", failure);
      case CANTOPEN ->
          said(
              Kind.UNREACHABLE,
              store + " cannot be opened: its folder must exist and be writable for this user",
              failure);
      case IOERR ->
          said(
              Kind.UNREACHABLE,
              store + " cannot be read or written: look for faults of its disk",
              failure);
      default -> said(Kind.UNREACHABLE, store + " failed", failure);
    };
  }

  private static StoreException said(Kind kind, String message, SQLException failure) {
    return new StoreException(kind, message + " (" + failure.getMessage() + ")", failure);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
