package io.headgate.benchmarks.durable;

import io.headgate.Handler;
import io.headgate.Worker;
import io.headgate.jdbc.Codec;
import io.headgate.jdbc.JdbcBacklog;
import java.nio.file.Path;

/** Workers on a SQLite file. */
final class Store {

  private Store() {}

  static Worker<byte[]> open(Path file, int concurrency, int capacity, Handler<byte[]> handler) {
    return Worker.<byte[]>builder("bench")
        .concurrency(concurrency)
        .capacity(capacity)
        .maxWaitingProducers(ClosedLoop.PRODUCERS)
        .backlog(JdbcBacklog.sqlite(file, Codec.bytes()))
        .start(handler);
  }
}
