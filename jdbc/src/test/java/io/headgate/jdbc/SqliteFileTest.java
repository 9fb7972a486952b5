package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.jdbc.StoreException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file for other records, opened as a backlog opens its own. */
class SqliteFileTest {
  @TempDir Path folder;

  private Path path() {
    return folder.resolve("records.db");
  }

  private static String pragma(SqliteFile file, String name) throws SQLException {
    try (Statement statement = file.connection().createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  @Tag("K2")
  void aCommitIsSyncedToALogBeforeItReturns() throws SQLException {
    try (SqliteFile file = SqliteFile.own(path())) {
      assertThat(pragma(file, "journal_mode")).isEqualTo("wal");
      assertThat(pragma(file, "synchronous")).as("FULL").isEqualTo("2");
    }
  }

  @Test
  void oneHasItAndOthersMayLook() throws SQLException {
    try (SqliteFile file = SqliteFile.own(path());
        Statement statement = file.connection().createStatement()) {
      statement.execute("CREATE TABLE record (id INTEGER)");
      long self = ProcessHandle.current().pid();
      assertThat(SqliteFile.owner(path())).hasValue(self);
      assertThatThrownBy(() -> SqliteFile.own(path()))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOCKED))
          .hasMessageContaining("in use by process " + self);
      try (SqliteFile other = SqliteFile.look(path());
          Statement look = other.connection().createStatement()) {
        assertThat(look.executeQuery("SELECT count(*) FROM record").getInt(1)).isZero();
        assertThatThrownBy(() -> look.execute("INSERT INTO record VALUES (1)"))
            .isInstanceOfSatisfying(
                SQLException.class,
                e -> assertThat(other.explain(e).kind()).isEqualTo(Kind.READ_ONLY));
      }
    }
    SqliteFile.own(path()).close();
  }

  @Test
  void whatIsNotThereIsNotMadeByALook() {
    assertThatThrownBy(() -> SqliteFile.look(path()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("there is no store " + path());
    assertThat(path()).doesNotExist();
    assertThat(SqliteFile.owner(path())).isEmpty();
  }

  @Test
  void theNoteOfAProcessThatIsGoneNamesNoOwner() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.writeString(folder.resolve("records.db.owner"), gone.pid() + "\n");
    assertThat(SqliteFile.owner(path())).isEmpty();
    Files.writeString(folder.resolve("records.db.owner"), "somebody\n");
    assertThat(SqliteFile.owner(path())).isEmpty();
  }
}
