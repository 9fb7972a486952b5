package io.headgate.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** SQLite in a file that may have only so many pages, as on a disk that is full. */
final class QuotaDialect extends ForwardingDialect {

  private volatile int pages;
  private volatile Connection writer;

  QuotaDialect(Path file, int pages) {
    super(new SqliteDialect(file));
    this.pages = pages;
  }

  /** Another quota from the next connection on. */
  void pages(int more) {
    pages = more;
  }

  @Override
  public Connection openWriter() throws SQLException {
    Connection connection = super.openWriter();
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
}
