package io.headgate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** SQLite, for a test to change something of it. */
class ForwardingDialect implements Dialect {

  private final SqliteDialect sqlite;

  ForwardingDialect(SqliteDialect sqlite) {
    this.sqlite = sqlite;
  }

  @Override
  public Connection openWriter() throws SQLException {
    return sqlite.openWriter();
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
