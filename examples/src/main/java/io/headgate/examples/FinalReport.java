package io.headgate.examples;

import io.headgate.Job;
import io.headgate.Outcome;
import io.headgate.Report;
import io.headgate.Worker;
import io.headgate.WorkerEvent;
import io.headgate.WorkerState;
import io.headgate.testing.HandlerGate;
import io.headgate.testing.ManualTicker;
import java.time.Duration;

/** One report that holds every kind of outcome, on a clock moved by hand. */
public final class FinalReport {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private FinalReport() {}

  /** Prints the report as JSON. */
  public static void main(String[] args) throws InterruptedException {
    System.out.println(report().toJson());
  }

  static Report report() throws InterruptedException {
    ManualTicker clock = ManualTicker.create();
    HandlerGate<String> gate = HandlerGate.before((job, context) -> pay(job.payload()));
    Worker<String> worker =
        Worker.<String>builder("invoices")
            .concurrency(1)
            .capacity(2)
            .capacityBytes(1_000, String::length)
            .history(4)
            .maxErrorMessageChars(24)
            .ticker(clock)
            .listener(event -> passTheGrace(event, clock))
            .start(gate.handler());
    gate.pass(2);
    worker.submit(Job.of("inv-1", "paid"));
    worker.submit(Job.of("inv-2", "a card that has expired"));
    worker.awaitIdle(PATIENCE);
    worker.submit(Job.of("inv-3", "runs when the deadline comes"));
    gate.awaitEntered(3, PATIENCE);
    worker.submit(Job.of("inv-4", "waits"));
    worker.submit(Job.of("inv-5", "waits"));
    worker.submit(Job.of("inv-6", "finds no room"));
    worker.cancel("inv-5");
    clock.awaitWaiters(1, PATIENCE); // the worker has noted the time of its refusal
    return worker.drain(Duration.ofSeconds(25));
  }

  /** Once the drain has begun its deadline is fixed, and comes when this clock says so. */
  private static void passTheGrace(WorkerEvent event, ManualTicker clock) {
    if (event instanceof WorkerEvent.StateChanged changed
        && changed.state() == WorkerState.DRAINING) {
      clock.advance(Duration.ofSeconds(25));
    }
  }

  private static void pay(String card) {
    if (card.startsWith("a card")) {
      throw new IllegalStateException("the bank refused " + card);
    }
  }

  /** What to tell a person about one outcome. */
  static String tell(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed done -> done.jobId() + " is done";
      case Outcome.Failed no -> no.jobId() + ": " + no.error().errorType();
      case Outcome.Interrupted cut -> cut.jobId() + " may have had effects: look before a retry";
      case Outcome.Unstarted never -> never.jobId() + " never began: " + never.cause();
    };
  }
}
