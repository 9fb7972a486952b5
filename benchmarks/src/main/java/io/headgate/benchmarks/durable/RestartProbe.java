package io.headgate.benchmarks.durable;

import io.headgate.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The process of {@link RestartAfterKill}: one that accepts and is killed, or the one after. */
public final class RestartProbe {

  private RestartProbe() {}

  /**
   * Runs.
   *
   * @param arguments the file, and either how many jobs to accept, or nothing
   */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    if (arguments.length > 1) {
      long jobs = Long.parseLong(arguments[1]);
      Worker<byte[]> worker = Store.open(file, 4, 1_000_000, (job, context) -> {});
      worker.pause();
      new ClosedLoop().submit(worker, jobs);
      System.out.println("accepted");
      while (true) {
        LockSupport.park();
      }
    }
    CountDownLatch claimed = new CountDownLatch(1);
    Worker<byte[]> worker = Store.open(file, 4, 1_000_000, (job, context) -> claimed.countDown());
    claimed.await();
    System.out.println("claimed");
    worker.awaitIdle(Duration.ofMinutes(2));
    System.out.println(worker.report().completed());
    Runtime.getRuntime().halt(0);
  }
}
