package io.headgate.jdbc;

import io.headgate.Handler;
import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.WorkerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers on one SQLite file after the other, a clock that tests move, and a look at the rows. */
@Timeout(120)
abstract class StoreFixture {

  static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;

  /** The store's clock, in nanoseconds of the epoch. */
  final AtomicLong clock = new AtomicLong(Stores.START);

  final List<Worker<?>> workers = new ArrayList<>();
  final Semaphore entered = new Semaphore(0);
  final Semaphore release = new Semaphore(0);

  /** Enters, and stays until it is released or told to stop. */
  final Handler<String> staying =
      (job, context) -> {
        entered.release();
        release.acquire();
      };

  Path file() {
    return folder.resolve("jobs.db");
  }

  final JdbcBacklog<String> store() {
    return store(file());
  }

  final JdbcBacklog<String> store(Path file) {
    // A disk may take long over a commit when others are busy with it; that is no subject here.
    return JdbcBacklog.sqlite(file, Codec.text())
        .observed(clock::get, Signals.NONE)
        .storeTimeout(Duration.ofMinutes(3));
  }

  final Worker<String> start(JdbcBacklog<String> store, Handler<String> handler) {
    return start(store, handler, builder -> builder);
  }

  final Worker<String> start(
      JdbcBacklog<String> store,
      Handler<String> handler,
      UnaryOperator<WorkerBuilder<String>> settings) {
    WorkerBuilder<String> builder =
        Worker.<String>builder("durable").concurrency(2).capacity(10).cleanup(LONG).backlog(store);
    Worker<String> worker = settings.apply(builder).start(handler);
    workers.add(worker);
    return worker;
  }

  static void submit(Worker<String> worker, String... ids) {
    for (String id : ids) {
      if (!worker.offer(Job.of(id, "payload of " + id)).isAccepted()) {
        throw new AssertionError("not accepted: " + id);
      }
    }
  }

  /** What the disk would hold if the process had been killed now. */
  final Path crashImage(String name) throws IOException {
    Path image = folder.resolve(name);
    Files.copy(file(), image);
    Path log = folder.resolve("jobs.db-wal");
    if (Files.exists(log)) {
      Files.copy(log, folder.resolve(name + "-wal"));
    }
    return image;
  }

  static void eventually(BooleanSupplier condition) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(LONG)
        .until(condition::getAsBoolean);
  }

  @AfterEach
  final void stopAllAndAudit() throws InterruptedException, SQLException {
    release.release(1_000);
    for (Worker<?> worker : workers) {
      worker.drain(Duration.ZERO);
    }
    if (Files.exists(file()) && !workers.isEmpty()) {
      try (StoreAudit audit = StoreAudit.of(file())) {
        audit.holds();
      }
    }
  }
}
