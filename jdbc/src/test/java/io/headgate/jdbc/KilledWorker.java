package io.headgate.jdbc;

import io.headgate.Job;
import io.headgate.Worker;
import io.headgate.retry.RetryPolicy;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that {@link KillTest} kills: a worker on a store under load, which says on its output
 * which ids were accepted, one line each, after it was told so. With a signal armed it stops dead
 * there and says so, for its parent to kill it at that very point.
 */
final class KilledWorker {

  private static final int PRODUCERS = 8;

  private static volatile int exitAfter;

  private KilledWorker() {}

  /** The payload of an id: long enough for overflow pages at times, and told by the id alone. */
  static String payload(String id) {
    int copies = 1 + Math.floorMod(id.hashCode(), 40) * 4;
    return (id + ":" + Integer.toHexString(id.hashCode()) + ";").repeat(copies);
  }

  /**
   * Runs until it is killed.
   *
   * @param arguments file, name of this run, policy, then the armed point and how often it must be
   *     reached, or {@code -}; or {@code EXIT}, and after how many accepted jobs to end by itself
   */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    Path file = Path.of(arguments[0]);
    String run = arguments[1];
    Uncertain policy = Uncertain.valueOf(arguments[2].toUpperCase(Locale.ROOT));
    Signals signals =
        arguments[3].equals("-") || arguments[3].equals("EXIT")
            ? Signals.NONE
            : armed(Signals.Point.valueOf(arguments[3]), Integer.parseInt(arguments[4]), out);
    JdbcBacklog<String> store =
        JdbcBacklog.sqlite(file, Codec.text())
            .uncertain(policy)
            .observed(KilledWorker::clock, signals);
    Worker<String> worker =
        Worker.<String>builder("killed")
            .concurrency(4)
            .capacity(200)
            .history(Worker.UNBOUNDED)
            .retry(RetryPolicy.attempts(2).backoff(Duration.ofMillis(5), Duration.ofMillis(40)))
            .backlog(store)
            .start((job, context) -> handle(job));
    if (arguments[3].equals("EXIT")) {
      exitAfter = Integer.parseInt(arguments[4]);
    }
    out.println("open");
    for (int i = 0; i < PRODUCERS; i++) {
      int producer = i;
      Thread.ofPlatform().start(() -> produce(worker, run + "-" + producer + "-", out));
    }
  }

  private static long clock() {
    return System.currentTimeMillis() * 1_000_000L;
  }

  private static Signals armed(Signals.Point armed, int times, PrintStream out) {
    AtomicInteger left = new AtomicInteger(times);
    return point -> {
      if (point == armed && left.decrementAndGet() == 0) {
        out.println("at " + point);
        while (true) {
          LockSupport.park();
        }
      }
    };
  }

  private static void handle(Job<String> job) {
    if (!job.payload().equals(payload(job.id()))) {
      System.out.println("damaged " + job.id());
    }
    switch (ThreadLocalRandom.current().nextInt(8)) {
      case 0 -> throw new IllegalStateException("fails for good");
      case 1 -> LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
      default -> Thread.onSpinWait();
    }
  }

  private static void produce(Worker<String> worker, String prefix, PrintStream out) {
    try {
      for (int n = 0; ; n++) {
        String id = prefix + n;
        boolean accepted =
            worker.offer(Job.of(id, payload(id)), Duration.ofSeconds(30)).isAccepted();
        if (accepted) {
          out.println("accepted " + id);
          if (exitAfter != 0 && n == exitAfter) {
            System.exit(0);
          }
        }
        if (n % 16 == 3) {
          worker.cancel(id);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
