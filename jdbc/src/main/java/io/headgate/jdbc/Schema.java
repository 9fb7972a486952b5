package io.headgate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.jdbc.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/**
 * Brings a store to the schema of this release: numbered files of SQL, each applied in one
 * transaction together with its number, so that a crash leaves the one before or the one after.
 */
final class Schema {

  /** The schema that this release writes; the number of the last file. */
  static final int VERSION = 1;

  private static final String CREATE =
      "CREATE TABLE headgate_schema (version INTEGER NOT NULL, compatible_from INTEGER NOT NULL)";

  /** The result code of SQLite that says so, without its extension. */
  private static final int NO_DATABASE = 26;

  private static final Pattern STATEMENT_END = Pattern.compile(";\\s*\n");

  private final Dialect dialect;
  private final String folder;
  private final int version;
  private final Signals signals;

  Schema(Dialect dialect, Signals signals) {
    this(dialect, "schema/", VERSION, signals);
  }

  /** For tests of migrations: other files, and another number of them. */
  Schema(Dialect dialect, String folder, int version, Signals signals) {
    this.dialect = dialect;
    this.folder = folder;
    this.version = version;
    this.signals = signals;
  }

  /**
   * Looks at a file before anything of it or beside it is changed: to open it for writing gives a
   * foreign database a log, and to own it a note.
   *
   * @throws StoreException if it is no database, of another program, or of a newer release
   */
  void requireUsable(Path file) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    try (SqliteFile look = SqliteFile.look(file)) {
      found(look.connection());
    } catch (SQLException e) {
      if ((e.getErrorCode() & 0xff) == NO_DATABASE) {
        throw dialect.explain(e);
      }
      // Everything else is said by the open itself, to the one that owns the file.
    }
  }

  /**
   * Migrates an older store, leaves an equal or compatible one alone.
   *
   * @throws StoreException if the store is newer and does not say that this release may use it
   */
  void migrate(Connection connection) throws SQLException {
    int found = found(connection);
    while (found < version) {
      apply(connection, ++found);
    }
  }

  /** The schema of the store; 0 if there is none and nothing else either. */
  private int found(Connection connection) throws SQLException {
    if (!dialect.hasTable(connection, "headgate_schema")) {
      if (dialect.hasAnyTable(connection)) {
        throw new StoreException(
            Kind.WRONG_VERSION,
            "the store " + dialect + " is a database of another program: give another path");
      }
      return 0;
    }
    try (PreparedStatement select =
            connection.prepareStatement("SELECT version, compatible_from FROM headgate_schema");
        ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new StoreException(
            Kind.CORRUPT, "the store " + dialect + " has lost its version: restore a backup");
      }
      int found = row.getInt(1);
      int compatibleFrom = row.getInt(2);
      if (found > version && compatibleFrom > version) {
        throw new StoreException(
            Kind.WRONG_VERSION,
            "the store %s has schema %d, which a release with schema %d or later can use, but this one has %d: use a newer release"
                .formatted(dialect, found, compatibleFrom, version));
      }
      return found;
    }
  }

  private void apply(Connection connection, int number) throws SQLException {
    String script = script(number);
    try (Statement statement = connection.createStatement()) {
      statement.execute(dialect.begin());
      try {
        if (number == 1) {
          statement.execute(CREATE);
          statement.execute("INSERT INTO headgate_schema VALUES (0, 0)");
        }
        for (String each : STATEMENT_END.splitAsStream(script).toList()) {
          if (!each.isBlank()) {
            statement.execute(each);
          }
        }
        // A step that older releases can live with says so itself, after this.
        statement.execute(
            "UPDATE headgate_schema SET version = "
                + number
                + (script.contains("compatible_from") ? "" : ", compatible_from = " + number));
        signals.reached(Signals.Point.MIGRATION);
        statement.execute("COMMIT");
      } catch (SQLException e) {
        statement.execute("ROLLBACK");
        throw e;
      }
    }
  }

  private String script(int number) {
    String name = folder + "%s-%03d.sql".formatted(dialect.schemaPrefix(), number);
    try (InputStream in = Schema.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing resource " + name);
      }
      String text = new String(in.readAllBytes(), UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("--"))
          .reduce("", (all, line) -> all + line + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
