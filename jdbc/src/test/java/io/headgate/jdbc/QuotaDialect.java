package io.headgate.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** SQLite in a file that may have only so many pages, as on a disk that is full. */
final class QuotaDialect implements Dialect {

  private final SqliteDialect sqlite;
  private volatile int pages;
  private volatile Connection writer;

  QuotaDialect(Path file, int pages) {
    this.sqlite = new SqliteDialect(file);
    this.pages = pages;
  }

  /** Another quota from the next connection on. */
  void pages(int more) {
    pages = more;
  }

  @Override
  public Connection openWriter() throws SQLException {
    Connection connection = sqlite.openWriter();
    try (Statement pragma = connection.createStatement()) {
      pragma.execute("PRAGMA max_page_count = " + pages);
    }
    writer = connection;
    return connection;
  }

  /** The quota of the connection in use is lifted: somebody has freed space. */
  void lift() throws SQLException {
    pages = 1_000_000;
    try (Statement pragma = writer.createStatement()) {
      pragma.execute("PRAGMA max_page_count = " + pages);
    }
  }

  @Override
  public Connection openReader() throws SQLException {
    return sqlite.openReader();
  }

  @Override
  public String begin() {
    return sqlite.begin();
  }

  @Override
  public String schemaPrefix() {
    return sqlite.schemaPrefix();
  }

  @Override
  public boolean hasTable(Connection connection, String table) throws SQLException {
    return sqlite.hasTable(connection, table);
  }

  @Override
  public boolean hasAnyTable(Connection connection) throws SQLException {
    return sqlite.hasAnyTable(connection);
  }

  @Override
  public boolean isOfTheStore(SQLException failure) {
    return sqlite.isOfTheStore(failure);
  }

  @Override
  public StoreException explain(SQLException failure) {
    return sqlite.explain(failure);
  }

  @Override
  public String toString() {
    return sqlite.toString();
  }
}
