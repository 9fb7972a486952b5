package io.headgate.examples;

import io.headgate.Admission;
import io.headgate.Job;
import io.headgate.Worker;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A handler that offers more work to its own worker, and does not wait for it. */
public final class OwnWorker {

  private final BlockingQueue<Admission> answers = new LinkedBlockingQueue<>();
  private final Worker<String> worker =
      Worker.<String>builder("crawler")
          .concurrency(1)
          .capacity(1)
          .start((job, context) -> visit(job));

  private OwnWorker() {}

  /** Prints what the handler was answered. */
  public static void main(String[] args) throws InterruptedException {
    run().forEach(System.out::println);
  }

  static BlockingQueue<Admission> run() throws InterruptedException {
    OwnWorker crawler = new OwnWorker();
    crawler.worker.submit(Job.of("/", "page"));
    crawler.worker.awaitIdle(Duration.ofSeconds(30));
    crawler.worker.close();
    return crawler.answers;
  }

  private void visit(Job<String> page) throws InterruptedException {
    if (page.id().equals("/")) {
      for (String link : new String[] {"/a", "/b"}) {
        // An hour of patience counts as none here: this handler holds a place of the same worker.
        answers.add(worker.offer(Job.of(link, "page"), Duration.ofHours(1)));
      }
    }
  }
}
