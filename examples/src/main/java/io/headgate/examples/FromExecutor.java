package io.headgate.examples;

import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Report;
import io.headgate.Submission;
import io.headgate.WhenFull;
import io.headgate.Worker;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The same work on a ThreadPoolExecutor and on a worker. */
public final class FromExecutor {

  private FromExecutor() {}

  /** Prints both results. */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    System.out.println(byExecutor());
    System.out.println(byWorker());
  }

  static String byExecutor() throws InterruptedException, ExecutionException {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(8, 8, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(64));
    Future<String> answer = pool.submit(() -> greet("Ada"));
    String greeting = answer.get();
    pool.shutdown();
    if (!pool.awaitTermination(25, TimeUnit.SECONDS)) {
      pool.shutdownNow();
    }
    return greeting;
  }

  static String byWorker() throws InterruptedException, ExecutionException {
    AtomicReference<String> greeting = new AtomicReference<>("");
    Worker<String> worker =
        Worker.<String>builder("greeter")
            .concurrency(8)
            .capacity(64)
            .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(2)))
            .start((job, context) -> greeting.set(greet(job.payload())));
    Submission submission = worker.submitTracked(Job.of("ada", "Ada"));
    Outcome outcome = submission.outcome().get();
    Report report = worker.drain(Duration.ofSeconds(25));
    return greeting.get() + ", " + outcome + ", clean " + report.isClean();
  }

  private static String greet(String name) {
    return "Hello, " + name;
  }
}
