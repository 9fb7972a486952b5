package io.headgate.jdbc;

import io.headgate.Job;
import io.headgate.Worker;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process whose system calls {@link FsyncTest} reads: one producer, then some at once. What it
 * says is one call each, so that its place among the syncs is known.
 */
final class SyncedWorker {

  static final int ALONE = 40;
  private static final int TOGETHER = 8;

  private SyncedWorker() {}

  /**
   * Accepts jobs and ends.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws Exception {
    AtomicInteger commits = new AtomicInteger();
    JdbcBacklog<String> store =
        JdbcBacklog.sqlite(Path.of(arguments[0]), Codec.text())
            .observed(
                () -> 0,
                point -> {
                  if (point == Signals.Point.COMMITTED) {
                    commits.incrementAndGet();
                  }
                });
    Worker<String> worker =
        Worker.<String>builder("synced")
            .concurrency(1)
            .capacity(10_000)
            .backlog(store)
            .start((job, context) -> {});
    worker.pause();
    say("BEGIN");
    for (int i = 0; i < ALONE; i++) {
      if (worker.offer(Job.of("alone-" + i, "x")).isAccepted()) {
        say("ACCEPTED");
      }
    }
    int before = commits.get();
    say("TOGETHER");
    List<Thread> producers = new ArrayList<>();
    for (int i = 0; i < TOGETHER; i++) {
      int producer = i;
      producers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < ALONE; n++) {
                      worker.offer(Job.of(producer + "-" + n, "x"));
                    }
                  }));
    }
    for (Thread producer : producers) {
      producer.join();
    }
    say("GROUPS " + (commits.get() - before) + " OF " + worker.report().accepted());
    Runtime.getRuntime().halt(0);
  }

  /** By a call of its own, whatever the stream does. */
  private static void say(String what) throws IOException {
    try (FileOutputStream out = new FileOutputStream("/dev/null")) {
      out.write(("SAID " + what + "\n").getBytes(StandardCharsets.US_ASCII));
    }
  }
}
