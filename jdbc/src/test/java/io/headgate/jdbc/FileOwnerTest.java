package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.jdbc.StoreException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
