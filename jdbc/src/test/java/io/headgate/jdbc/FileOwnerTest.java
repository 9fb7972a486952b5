package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.jdbc.StoreException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who owns a store, asked from this process and from another. */
@Timeout(120)
@Tag("K1")
class FileOwnerTest {

  private static final String IN_USE = "in use by process " + ProcessHandle.current().pid();

  @TempDir Path folder;

  private Path store() {
    return folder.resolve("jobs.db");
  }

  private static void refused(Path store) {
    assertThatThrownBy(() -> FileOwner.of(store))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOCKED))
        .hasMessageContaining(IN_USE);
  }

  @Test
  @SuppressWarnings("try") // the owner is only held
  void aRefusalInThisProcessDoesNotLetAnotherProcessIn() throws Exception {
    try (FileOwner owner = FileOwner.of(store())) {
      assertThat(OwnerProbe.ask(store())).contains(IN_USE);
      refused(store());
      assertThat(OwnerProbe.ask(store())).contains(IN_USE);
    }
    assertThat(OwnerProbe.ask(store())).isEqualTo("owner true");
  }

  @Test
  @SuppressWarnings("try")
  void aLookAtTheOwnerInThisProcessDoesNotLetAnotherProcessIn() throws Exception {
    try (FileOwner owner = FileOwner.of(store())) {
      assertThat(SqliteFile.owner(store())).hasValue(ProcessHandle.current().pid());
      assertThat(OwnerProbe.ask(store())).contains(IN_USE);
    }
  }

  @Test
  void whoHasLetGoMayOwnItAgain() {
    FileOwner.of(store()).close();
    FileOwner.of(store()).close();
    assertThat(Files.exists(folder.resolve("jobs.db.owner"))).isTrue();
  }

  @Test
  @SuppressWarnings("try")
  void aLinkToAStoreIsThatStore() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link.db"), store());
    Path elsewhere = Files.createSymbolicLink(folder.resolve("elsewhere"), folder);
    try (FileOwner owner = FileOwner.of(link)) {
      refused(store());
      refused(elsewhere.resolve("jobs.db"));
      assertThat(OwnerProbe.ask(store())).contains(IN_USE);
      assertThat(OwnerProbe.ask(elsewhere.resolve("link.db"))).contains(IN_USE);
      assertThat(folder.resolve("link.db.owner")).doesNotExist();
    }
  }

  @Test
  @SuppressWarnings("try")
  void aLinkFoundByALookIsReadWithTheLogOfTheStore() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link.db"), store());
    try (SqliteFile file = SqliteFile.own(store());
        Statement statement = file.connection().createStatement()) {
      statement.execute("CREATE TABLE record (id INTEGER)");
      statement.execute("INSERT INTO record VALUES (7)");
      // The note does not say that it is owned, as after a crash: only the log shows what there is.
      Path image = Files.copy(store(), folder.resolve("image.db"));
      Files.copy(folder.resolve("jobs.db-wal"), folder.resolve("image.db-wal"));
      Files.delete(link);
      Files.createSymbolicLink(link, image);
      try (SqliteFile look = SqliteFile.look(link);
          Statement select = look.connection().createStatement()) {
        assertThat(select.executeQuery("SELECT id FROM record").getInt(1)).isEqualTo(7);
      }
    }
  }

  @Test
  void aBacklogIsOfTheStoreThatALinkLeadsTo() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link.db"), store());
    assertThat(JdbcBacklog.sqlite(link, Codec.text())).hasToString("JdbcBacklog[" + store() + "]");
  }
}
