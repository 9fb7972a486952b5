package io.headgate.cli.store;

import io.headgate.jdbc.SqliteFile;
import io.headgate.jdbc.StoreException;
import io.headgate.jdbc.StoreException.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;

/** What a SQLite file holds. */
enum StoreKind {
  /** No tables. */
  NOTHING,
  /** The progress record of a run. */
  RUN,
  /** The jobs of a worker. */
  JOBS,
  /** Tables of another program. */
  OTHER;

  /**
   * Looks into a file that is there.
   *
   * @throws StoreFault if it cannot be read, or is of a release that this one does not understand
   */
  static StoreKind of(Path path) throws StoreFault {
    try (SqliteFile file = SqliteFile.look(path)) {
      try {
        StoreKind kind = of(file.connection());
        if (kind == RUN) {
          checkVersion(path, file.connection());
        }
        return kind;
      } catch (SQLException e) {
        throw StoreFault.of(file, path.toString(), e);
      }
    } catch (StoreException e) {
      throw StoreFault.of(path.toString(), e);
    }
  }

  static StoreKind of(Connection connection) throws SQLException {
    Set<String> tables = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
      while (row.next()) {
        tables.add(row.getString(1));
      }
    }
    if (tables.contains("headgate_run")) {
      return RUN;
    }
    if (tables.contains("headgate_schema")) {
      return JOBS;
    }
    return tables.isEmpty() ? NOTHING : OTHER;
  }

  private static void checkVersion(Path path, Connection connection)
      throws SQLException, StoreFault {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT version, compatible_from FROM headgate_run")) {
      if (!row.next()) {
        throw new StoreFault(
            Kind.CORRUPT, "the store " + path + " has lost its version: restore a backup");
      }
      int version = row.getInt(1);
      if (version > ProgressTables.VERSION && row.getInt(2) > ProgressTables.VERSION) {
        throw new StoreFault(
            Kind.WRONG_VERSION,
            "the store "
                + path
                + " is of a newer release (schema "
                + version
                + ", this one has "
                + ProgressTables.VERSION
                + "): use that release, or give another path");
      }
    }
  }
}
