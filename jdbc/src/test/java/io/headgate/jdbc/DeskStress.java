package io.headgate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.backlog.Backlog;
import io.headgate.time.Ticker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A desk without a store behind it: requests are answered as fast as they come, while others hold
 * its lock at every moment. Claims that nobody sleeps for good, not that every schedule was seen.
 */
class DeskStress {

  private static final int PRODUCERS = 2;
  private static final int ONLOOKERS = 3;
  private static final int REQUESTS = 20_000;

  @TempDir Path folder;

  /** Wants nothing. */
  private static final class Nothing extends Request {
    @Override
    void run(Ledger ledger, boolean open) {}
  }

  @Test
  @Timeout(60)
  @Tag("K2")
  void aWriterThatIsAboutToSleepHearsTheRequestThatComesThen() throws Exception {
    Path file = folder.resolve("jobs.db");
    SqliteDialect dialect = new SqliteDialect(file);
    try (var connection = dialect.openWriter()) {
      new Schema(dialect, Signals.NONE).migrate(connection);
      Backlog.Settings settings =
          new Backlog.Settings(1, 1, Long.MAX_VALUE, 1, Long.MAX_VALUE, 1, Ticker.system());
      Desk desk =
          new Desk(
              settings,
              new Room(1, 1, Long.MAX_VALUE),
              Counts.load(connection),
              () -> 0,
              Long.MAX_VALUE / 8,
              () -> {});
      answerAll(desk, Counts.load(connection));
    }
  }

  private static void answerAll(Desk desk, Counts counts) throws InterruptedException {
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int answered = 0; answered < PRODUCERS * REQUESTS; ) {
                    Desk.Group group = desk.take();
                    desk.published(group.requests(), counts, JobRow.NEVER, JobRow.NEVER, 0);
                    group.requests().forEach(Request::answer);
                    answered += group.requests().size();
                  }
                });
    List<Thread> onlookers = new ArrayList<>();
    for (int i = 0; i < ONLOOKERS; i++) {
      onlookers.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (writer.isAlive()) {
                      desk.firstExpiry();
                    }
                  }));
    }
    for (int i = 0; i < PRODUCERS; i++) {
      Thread.ofPlatform().daemon().start(() -> ask(desk));
    }
    writer.join(50_000);
    assertThat(writer.isAlive()).as("every request is answered").isFalse();
    for (Thread onlooker : onlookers) {
      onlooker.join();
    }
  }

  private static void ask(Desk desk) {
    for (int i = 0; i < REQUESTS; i++) {
      Request request = new Nothing();
      desk.lock.lock();
      try {
        desk.submit(request);
      } finally {
        desk.lock.unlock();
      }
      request.await();
    }
  }
}
