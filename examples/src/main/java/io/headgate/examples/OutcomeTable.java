package io.headgate.examples;

import io.headgate.Job;
import io.headgate.JobContext;
import io.headgate.Outcome;
import io.headgate.Worker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** How a handler ends, told to stop or not, and what the ledger calls it. */
public final class OutcomeTable {

  /** How a handler ends. */
  enum End {
    RETURNS,
    THROWS,
    THROWS_INTERRUPTION
  }

  private OutcomeTable() {}

  /** Prints the six combinations. */
  public static void main(String[] args) throws InterruptedException {
    sixCombinations().forEach((what, outcome) -> System.out.println(what + " -> " + outcome));
  }

  static Map<String, Outcome> sixCombinations() throws InterruptedException {
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (boolean told : new boolean[] {false, true}) {
      for (End end : End.values()) {
        String id = (told ? "told" : "not told") + ", " + end;
        outcomes.put(id, outcomeOf(id, told, end));
      }
    }
    return outcomes;
  }

  private static Outcome outcomeOf(String id, boolean told, End end) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    try (Worker<End> worker =
        Worker.<End>builder("table")
            .concurrency(1)
            .start((job, context) -> handle(job.payload(), context, told, entered))) {
      worker.submit(Job.of(id, end));
      entered.await();
      if (told) {
        worker.cancel(id);
      }
      worker.awaitIdle(Duration.ofSeconds(30));
      return worker.outcome(id).orElseThrow();
    }
  }

  private static void handle(End end, JobContext context, boolean told, CountDownLatch entered)
      throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    context.onCancel(stop::countDown);
    entered.countDown();
    if (told) {
      awaitIgnoringInterrupts(stop);
    }
    switch (end) {
      case RETURNS -> {}
      case THROWS -> throw new IllegalStateException("the mail server said no");
      case THROWS_INTERRUPTION -> throw new InterruptedException();
    }
  }

  private static void awaitIgnoringInterrupts(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // Told to stop; the latch says so, too.
      }
    }
  }
}
