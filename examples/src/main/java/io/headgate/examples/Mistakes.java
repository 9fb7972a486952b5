package io.headgate.examples;

import io.headgate.Job;
import io.headgate.RefusedException;
import io.headgate.WhenFull;
import io.headgate.Worker;
import io.headgate.lifecycle.Lifecycle;
import io.headgate.queue.BoundedQueue;
import io.headgate.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What is thrown at those who ask for what cannot be. */
public final class Mistakes {

  private interface Mistake {
    void make() throws Exception;
  }

  private final CompletableFuture<Worker<String>> own = new CompletableFuture<>();
  private final List<String> messages = new ArrayList<>();

  private Mistakes() {}

  /** Prints the messages. */
  public static void main(String[] args) throws Exception {
    messages().forEach(System.out::println);
  }

  static List<String> messages() throws Exception {
    Mistakes all = new Mistakes();
    all.ofSettings();
    all.ofRetries();
    all.ofCalls();
    all.ofQueues();
    all.ofLifecycles();
    return all.messages;
  }

  private void ofSettings() {
    made(() -> Worker.builder(" "));
    made(() -> Worker.builder("w").concurrency(0));
    made(() -> Worker.builder("w").capacity(-1));
    made(() -> Worker.builder("w").timeout(Duration.ZERO));
    made(() -> Worker.builder("w").grace(Duration.ofSeconds(-1)));
    made(() -> Worker.builder("w").history(10).history(20));
    made(() -> Worker.builder("w").start((job, context) -> {}));
    made(() -> Worker.builder("w").concurrency(1).maxWaitingBytes(9).start((job, context) -> {}));
    made(
        () ->
            Worker.builder("w")
                .concurrency(1)
                .whenFull(WhenFull.waitUpTo(Duration.ofSeconds(1)))
                .maxWaitingProducers(0)
                .start((job, context) -> {}));
  }

  private void ofRetries() {
    made(() -> RetryPolicy.attempts(0));
    made(
        () ->
            Worker.builder("w")
                .concurrency(1)
                .timeout(Duration.ofSeconds(1))
                .retry(RetryPolicy.attempts(3).timeout(Duration.ofSeconds(2)))
                .start((job, context) -> {}));
  }

  private void ofCalls() throws InterruptedException, ExecutionException {
    CompletableFuture<String> fromHandler = new CompletableFuture<>();
    try (Worker<String> worker =
        Worker.<String>builder("w")
            .concurrency(1)
            .start((job, context) -> fromHandler.complete(waitForItself(job)))) {
      own.complete(worker);
      made(() -> worker.offer(Job.of("a", "payload"), Duration.ofSeconds(-1)));
      worker.submit(Job.of("a", "payload"));
      messages.add(fromHandler.get());
      worker.awaitIdle(Duration.ofSeconds(30));
      worker.stopAdmission();
      try {
        worker.submitOrThrow(Job.of("b", "payload"));
      } catch (RefusedException e) {
        messages.add(String.valueOf(e.getMessage()).replaceAll("PT[^,]*", "PT0S"));
      }
    }
  }

  private String waitForItself(Job<String> job) throws Exception {
    try {
      own.get().drain(Duration.ZERO);
      return job.id() + " drained its own worker";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void ofQueues() {
    made(() -> BoundedQueue.of(0));
    made(() -> BoundedQueue.of(1).taskDone());
  }

  private void ofLifecycles() {
    Lifecycle lifecycle = Lifecycle.builder().install();
    lifecycle.close();
    made(lifecycle::stop);
  }

  private void made(Mistake mistake) {
    try {
      mistake.make();
    } catch (Exception e) {
      messages.add(String.valueOf(e.getMessage()));
    }
  }
}
