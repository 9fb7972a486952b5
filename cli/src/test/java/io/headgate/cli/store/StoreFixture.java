package io.headgate.cli.store;

import io.headgate.Admission;
import io.headgate.Handler;
import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.jdbc.Codec;
import io.headgate.jdbc.JdbcBacklog;
import io.headgate.jdbc.Uncertain;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.io.TempDir;

/** Stores to look into: one of a run, and one of a worker. */
abstract class StoreFixture {
  static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  final Path run() {
    return folder.resolve("run.db");
  }

  final Path jobs() {
    return folder.resolve("jobs.db");
  }

  static String id(long position) {
    return new Row(position, position, hash(position), LineState.OPEN).id();
  }

  static long hash(long position) {
    return position * 0x9e3779b97f4a7c15L;
  }

  static void end(ProgressStore store, long position, LineState state) throws StoreFault {
    store.started(position, position + 1, hash(position));
    if (state != LineState.RUNNING) {
      store.ended(position, state);
    }
  }

  /** Lines 1 completed, 2 failed, 3 uncertain, 4 between attempts, 5 open, 6 running. */
  final ProgressStore openWithAll() throws StoreFault {
    ProgressStore store = ProgressStore.open(run());
    store.begin(false);
    end(store, 1, LineState.COMPLETED);
    end(store, 2, LineState.FAILED);
    end(store, 3, LineState.UNCERTAIN);
    end(store, 4, LineState.SUSPENDED);
    end(store, 5, LineState.OPEN);
    end(store, 6, LineState.RUNNING);
    return store;
  }

  /** Leaves jobs held in the worker's store, as a stop interrupted them. */
  final void hold(String... ids) throws Exception {
    Semaphore entered = new Semaphore(0);
    CountDownLatch never = new CountDownLatch(1);
    Worker<String> worker =
        worker(
            ids.length,
            (job, context) -> {
              entered.release();
              never.await();
            });
    submit(worker, ids);
    entered.acquire(ids.length);
    worker.drain(Duration.ZERO);
  }

  final Worker<String> worker(int concurrency, Handler<String> handler) {
    return Worker.<String>builder("jobs")
        .concurrency(concurrency)
        .capacity(1_000)
        .capacityBytes(1 << 20, String::length)
        .backlog(JdbcBacklog.sqlite(jobs(), Codec.text()).uncertain(Uncertain.HOLD))
        .start(handler);
  }

  static void submit(Worker<String> worker, String... ids) throws InterruptedException {
    for (String id : ids) {
      if (!(worker.submit(Job.of(id, "payload of " + id)) instanceof Admission.Accepted)) {
        throw new AssertionError(id + " was refused");
      }
    }
  }

  static void sql(Path file, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }
}
