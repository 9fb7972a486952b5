package io.headgate.backlog;

import io.headgate.jdbc.Stores;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The backlog in a SQLite file keeps the contract of delayed jobs. */
class SqliteBacklogDelayTest extends BacklogDelayContract {

  @TempDir Path folder;
  private int opened;

  @Override
  Backlog.Factory<String> factory() {
    return (settings, listener) ->
        Stores.sqlite(folder.resolve("jobs-" + opened++ + ".db"), settings.ticker())
            .open(settings, listener);
  }
}
